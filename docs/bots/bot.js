// A bot for Suitors in JavaScript, for Node without packages. It speaks version 2 of the protocol (docs/bots.md).
//
// It counts the cards that it has seen, remembers what a Guard has ruled out, and plays the move with the best chances
// one play ahead. Try it: suitors match --bots "random,cmd2:node bot.js" --games 100
"use strict";

const readline = require("node:readline");

const HELLO = {
  type: "hello",
  protocol: 2,
  name: "JavaScript example",
  version: "1.0",
  options: { seed: { type: "integer", default: 1, min: 0, max: 1000000 } },
};

class Player {
  state = 1; // of the random numbers
  cards = {}; // the cards of the deck with their values and copies
  seat = 0;
  ruledOut = new Map(); // by seat: what was named in vain since it last changed its hand
  named = "";

  // The answer to a message; null where there is none to give.
  answer(message) {
    if (message.type === "hello") return HELLO;
    if (message.type === "options") {
      this.state = message.values.seed + 1;
      return { type: "ready" };
    }
    if (message.type === "match") {
      this.cards = message.rules.cards;
      this.seat = message.seat;
    }
    if (message.type === "round") this.ruledOut.clear();
    for (const entry of message.log ?? []) this.learn(entry);
    return message.type === "question" ? { type: "move", move: this.choose(message) } : null;
  }

  // Keep in mind what a Guard has ruled out; whoever plays, discards or trades may hold anything again.
  learn(entry) {
    if (["moved", "discarded", "traded", "received"].includes(entry.event)) {
      this.ruledOut.delete(entry.seat);
      this.ruledOut.delete(entry.target);
    }
    if (entry.event === "moved") this.named = (entry.move ?? "").split(" ").at(-1);
    if (entry.event === "missed" && "target" in entry) {
      this.ruledOut.set(entry.target, [...(this.ruledOut.get(entry.target) ?? []), this.named]);
    }
  }

  // The move with the best score; chance decides between equals.
  choose(question) {
    const solo = !("known" in question);
    let best = null;
    for (const move of question.legal) {
      const score = (solo ? 0 : this.score(move.split(" "), question)) + 1e-6 * this.random();
      if (best === null || score > best.score) best = { move, score };
    }
    return best.move;
  }

  // How good a move is: about the chance that it wins the round, as far as one play can tell.
  score(words, question) {
    const played = words[0];
    if (played === "keep") return this.value(words[1]);
    if (!(played in this.cards)) return words.at(-1) === "none" ? 0 : 0.1; // redraw, stay, look
    const hand = [...question.hand];
    hand.splice(hand.indexOf(played), 1);
    const kept = hand[0] ?? played;
    const score = 0.03 * this.value(kept);
    if (played === "princess") return -2;
    if ("names" in this.cards[played] && words.length === 3) {
      const chances = this.chances(Number(words[1]), question);
      return chances.reduce((sum, [card, p]) => sum + (this.isCalled(card, words[2]) ? p : 0), score);
    }
    if (words.length === 2) return score + this.scoreTarget(played, kept, Number(words[1]), question);
    return score + (played === "handmaid" ? 0.2 : 0);
  }

  // What the card does to the one who is chosen.
  scoreTarget(played, kept, target, question) {
    const chances = this.chances(target, question);
    const mine = this.value(kept);
    if (played === "baron") return chances.reduce((sum, [card, p]) => sum + p * Math.sign(mine - this.value(card)), 0);
    if (played === "king") return chances.reduce((sum, [card, p]) => sum + 0.03 * p * (this.value(card) - mine), 0);
    if (played !== "prince") return 0.1;
    if (target === this.seat) return kept === "princess" ? -2 : -0.2;
    return 0.1 + (new Map(chances).get("princess") ?? 0);
  }

  // The chance of every card to be in that hand, as pairs.
  chances(seat, question) {
    const known = question.known[seat];
    if (known.length) return known.map((card) => [card, 1 / known.length]);
    const left = new Map(Object.entries(this.cards).map(([card, data]) => [card, data.copies]));
    const seen = [question.face_up, Object.values(question.under), ...question.piles, ...question.known].flat();
    for (const card of seen) left.set(card, left.get(card) - 1);
    const barred = this.ruledOut.get(seat) ?? [];
    const likely = [...left].filter(([card, n]) => n > 0 && !barred.some((name) => this.isCalled(card, name)));
    const total = likely.reduce((sum, [, n]) => sum + n, 0);
    return likely.map(([card, n]) => [card, n / total]);
  }

  // The number on a card.
  value(card) {
    return this.cards[card].value;
  }

  // Whether this is what a Guard or a Bishop calls the card: by its name, or by its number.
  isCalled(card, name) {
    return name === card || name === String(this.value(card));
  }

  // A number from 0 to 1, by the generator of Park and Miller: the same seed gives the same match.
  random() {
    this.state = (this.state * 48271) % 2147483647;
    return this.state / 2147483647;
  }
}

const player = new Player();
const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "quit") process.exit(0);
  const answer = player.answer(message);
  if (answer !== null) process.stdout.write(`${JSON.stringify(answer)}\n`);
});
