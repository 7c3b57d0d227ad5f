// The shuffle on the page: words for the visitor's seats, what was shown at the table, and the check after the match.
const MADE = "server:"; // how words begin that the server has made
const NOTES = "suitors-shuffles"; // where this browser keeps what tables have shown it
const MOST_TABLES = 50;
const given = new Set(); // forms to which a word was given from this page

// A word that nobody can foresee.
function newWord() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

const post = (path, fields) =>
  fetch(path, { method: "POST", body: new URLSearchParams(fields), headers: { "x-suitors": "script" } });

// A new table has shown its commitment: note that, give a word for each seat, and start the match.
export async function begin({ go, begin: { commitment, seats } }) {
  note(go.split("/").pop(), { commitment });
  await post(`${go}/begin`, Object.fromEntries(seats.map((seat) => [`word-${seat}`, newWord()])));
}

// Whenever the page of a table has changed: note what it shows, and give words where the server has made them.
export function attend() {
  const shuffle = document.getElementById("shuffle");
  if (!shuffle) return;
  const { table, commitment, rounds } = shuffle.dataset;
  const dealt = JSON.parse(rounds);
  note(table, { commitment, seals: dealt.map(({ seal }) => seal), words: dealt.map(({ words }) => words) });
  for (const form of shuffle.querySelectorAll("form[data-word]")) {
    const { word } = form.dataset;
    if ((word && !word.startsWith(MADE)) || given.has(form.id)) continue;
    given.add(form.id);
    const fields = new FormData(form);
    fields.set("word", newWord());
    post(form.action, fields).catch(() => given.delete(form.id)); // with the next change it is tried again
  }
}

// Notes

function read() {
  try {
    return JSON.parse(localStorage.getItem(NOTES)) ?? {};
  } catch {
    return {}; // the visitor lets nothing be stored
  }
}

// What was shown first stays: a server cannot change it later.
function note(table, { commitment, seals = [], words = [] }) {
  const notes = read();
  const known = notes[table] ?? { table, commitment, seals: [], words: [] };
  if (table in notes && known.seals.length >= seals.length) return;
  const more = { seals: [...known.seals, ...seals.slice(known.seals.length)], words: [...known.words, ...words.slice(known.words.length)] };
  const kept = Object.entries(notes).filter(([key]) => key !== table).slice(1 - MOST_TABLES);
  try {
    localStorage.setItem(NOTES, JSON.stringify({ ...Object.fromEntries(kept), [table]: { ...known, ...more } }));
  } catch {
    // as above
  }
}

// The check

document.addEventListener("click", async (event) => {
  if (!event.target.closest?.("#check-shuffle")) return;
  const { table, check } = document.getElementById("shuffle").dataset;
  const say = sentences();
  report([[say("checking"), ""]]);
  try {
    const answer = await fetch(`/tables/${table}/record`);
    if (!answer.ok) throw new Error(answer.status);
    const record = await answer.json();
    const { verify } = await import("./fair.js"); // few ever check, so no page loads this before
    report(findings(await verify(record, JSON.parse(check), read()[table]), record, say));
  } catch {
    report([[say("unreadable"), "wrong"]]);
  }
});

// The page's sentences, in the reader's language.
function sentences() {
  const { content } = document.getElementById("check-words");
  return (key, values = {}) => {
    const text = content.querySelector(`[data-say="${key}"]`).textContent;
    return text.replace(/{(\w+)}/g, (_, name) => values[name]);
  };
}

function findings({ faults, rounds, holds }, { players }, say) {
  const lines = [[say(holds ? "all-hold" : "not-all"), holds ? "right" : "wrong"], ...faults.map((key) => [say(key), "wrong"])];
  for (const [index, found] of rounds.entries()) {
    const { place, due } = found;
    const told = found.faults.map((key) => say(key, { place, name: players[due.first] }));
    const texts = told.length ? told : [say("holds")];
    if (found.silent) texts.push(say("silent"));
    lines.push([`${say("round", { number: index + 1 })} – ${texts.join(" ")}`, told.length ? "wrong" : "right"]);
  }
  return lines;
}

function report(lines) {
  const items = lines.map(([text, kind]) => Object.assign(document.createElement("p"), { textContent: text, className: kind }));
  document.getElementById("check-result").replaceChildren(...items);
}
