// What is aimed at the player waits for a nod, or for a few seconds: until then no newer state of the table is shown.
const SECONDS = 5;
const root = document.documentElement;
let nodded = keyOf(); // what was there when the page was opened needs no nod
let next = null; // shows the newest state that has come in the meantime
let timer = 0;
let after = () => {};

function keyOf() {
  return document.getElementById("table")?.dataset.nod ?? "";
}

// Whether a state has to wait; `later` shows it.
export function held(later) {
  if (root.dataset.nodding === undefined) return false;
  next = later;
  return true;
}

// Whenever the page of a table has changed: wait, if there is something to nod to.
export function mindNods() {
  const key = keyOf();
  const wait = document.getElementById("table")?.dataset.wait;
  if (!key) nodded = ""; // a step that was taken back may come again, and be another
  if (!key || key === nodded || wait === "off") return;
  root.dataset.nodding = "";
  if (wait === "seconds") timer = setTimeout(nod, SECONDS * 1000);
}

function nod() {
  clearTimeout(timer);
  nodded = keyOf();
  delete root.dataset.nodding;
  const show = next;
  next = null;
  show?.();
  after();
}

// What to do after each nod.
export function onNod(listener) {
  after = listener;
}

document.addEventListener("click", (event) => event.target.closest?.("#nod") && nod());
