// The shuffle that can be checked: suitors-shuffle/1 (docs/shuffle.md), computed from a record.
import { concat, hmac, sha256 } from "./sha256.js";

const MADE = "server:"; // how words begin that the server has made
const FORMAT = "suitors-shuffle/1";
const encoder = new TextEncoder();

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));

// What is hashed: the use it is for and the parts, each with its length before it.
function pack(use, ...parts) {
  const encoded = [`${FORMAT} ${use}`, ...parts].map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  return concat(encoded.flatMap((part) => [encoder.encode(`${part.length}:`), part, encoder.encode(",")]));
}

export const commitmentOf = async (secret) => hex(await sha256(pack("secret", unhex(secret))));

// Numbers below n, each as likely: the last bytes of the range, where n does not divide it, are passed over.
function chance(key) {
  let block = 0;
  let bytes = [];
  return async (n) => {
    for (;;) {
      if (!bytes.length) bytes = [...(await hmac(key, pack("stream", String(block++))))];
      const byte = bytes.shift();
      if (byte < 256 - (256 % n)) return byte % n;
    }
  };
}

// The deal of a round: who starts, the deck from its top, and the seal on it.
export async function draw(secret, table, index, words, starters, deck) {
  const key = await hmac(unhex(secret), pack("round", table, String(index), ...words));
  const below = chance(key);
  const first = starters.length > 1 ? starters[await below(starters.length)] : starters[0];
  const order = [...deck];
  for (let last = order.length - 1; last > 0; last--) {
    const other = await below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  const salt = await hmac(key, pack("salt"));
  return { first, deck: order, seal: hex(await sha256(pack("seal", salt, ...order))) };
}

// Hold a record against its own secret and words, and against what was noted at the table: {commitment, table, seals by
// the index of the round, and so the words}. `known` is what the rules say: {deck, starters of each round}.
export async function verify(record, known, noted = {}) {
  const { shuffle, rounds } = record;
  if (shuffle?.format !== FORMAT) throw new Error("no shuffle part");
  const faults = [];
  if ((await commitmentOf(shuffle.secret)) !== shuffle.commitment) faults.push("secret");
  for (const key of ["commitment", "table"]) if (noted[key] && noted[key] !== shuffle[key]) faults.push(key);
  if (rounds.length !== known.starters.length) faults.push("rounds");
  const found = [];
  for (const [index, row] of rounds.entries()) found.push(await checkRound(shuffle, index, row, known, noted));
  return { faults, rounds: found, holds: !faults.length && found.every((round) => !round.faults.length) };
}

async function checkRound(shuffle, index, row, known, noted) {
  const due = await draw(shuffle.secret, shuffle.table, index, row.words, known.starters[index] ?? [row.first], known.deck);
  const place = due.deck.findIndex((card, k) => card !== row.deck[k]); // the first card that differs
  const words = noted.words?.[index] ?? [];
  const wrong = {
    first: due.first !== row.first,
    deck: place >= 0 || row.deck.length !== due.deck.length,
    seal: due.seal !== row.seal,
    "noted-seal": Boolean(noted.seals?.[index]) && noted.seals[index] !== row.seal,
    "noted-word": words.some((word, seat) => row.words[seat] !== word),
  };
  const faults = Object.keys(wrong).filter((key) => wrong[key]);
  return { faults, due, place: place + 1, silent: row.words.every((word) => !word || word.startsWith(MADE)) };
}
