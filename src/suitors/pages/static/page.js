// The page's own script: it keeps a table up to date, sends forms without a reload, and animates cards.
// Without it every form and link works as well, with a page load each.
import { follow } from "./live.js";
import { attend, begin } from "./shuffle.js";
import { held, mindNods, onNod } from "./nod.js";
import { drawThread } from "./thread.js";
import { followSteps } from "./steps.js";

const main = document.getElementById("main");
const toast = document.getElementById("toast");
const lost = document.getElementById("lost");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const { title } = document;
let transition = null; // the view transition that is running
let starting = false; // a transition has begun that has not changed the page yet
let newest = 0; // states are numbered as they come, and no older one is shown
let shown = 0;
const sending = new Map(); // forms whose answer is awaited, and the state of the table in which they were sent
let plain = false; // a form is submitted as without a script
let focusWaits = false; // the focus is on the whole page, since there was nothing to choose

// Make one element like another: elements with the same id are kept, so focus, scroll and open details stay.
export function morph(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) return void old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.hasAttribute("data-kept")) return; // what a script has written there stays
  const typed = old.nodeName === "INPUT" && old.value !== old.defaultValue; // typed text stays
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS") && name !== "style") old.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (old.getAttribute(name) !== value && !(name === "open" && old.nodeName === "DETAILS")) old.setAttribute(name, value);
  }
  if (!typed && old !== document.activeElement && old.nodeName === "INPUT" && old.value !== fresh.value) old.value = fresh.value;
  morphChildren(old, fresh);
}

function morphChildren(old, fresh) {
  const keyed = new Map();
  for (const child of old.children) if (child.id) keyed.set(child.id, child);
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const known = wanted.id ? keyed.get(wanted.id) : null;
    if (known) {
      if (known !== at) old.insertBefore(known, at);
      else at = at.nextSibling;
      morph(known, wanted);
    } else if (at && !at.id && !wanted.id && at.nodeName === wanted.nodeName) {
      const next = at.nextSibling;
      morph(at, wanted);
      at = next;
    } else {
      old.insertBefore(wanted, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

// Show a new state of the table; `animations` lists which cards have moved from which element to which.
export function show(html, animations = []) {
  if (held(() => show(html, animations))) return void (document.title = (/class="ask"/.test(html) ? "● " : "") + title);
  const fresh = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
  const old = document.getElementById(fresh.id);
  if (!old) return;
  const number = ++newest;
  const change = () => {
    if (number < shown) return;
    shown = number;
    const focused = document.activeElement;
    const place = focused && focused !== document.body ? placeOf(focused) : null;
    morph(old, fresh);
    attend();
    mindNods();
    drawThread();
    document.title = (document.querySelector("#prompt .ask") ? "● " : "") + title; // seen on the tab while it is in the background
    if (focusWaits && focused === main) refocus("choices");
    else if (place && document.activeElement !== focused) {
      focused.focus({ preventScroll: true }); // it was only moved
      if (document.activeElement !== focused) refocus(place);
    }
  };
  transition?.skipTransition();
  transition = null;
  if (reducedMotion.matches || !document.startViewTransition || document.hidden || !animations.length || starting) return change();
  const moving = nameMovingCards(animations);
  starting = true;
  const begun = document.startViewTransition(() => {
    starting = false;
    change();
    for (const { key, from, to } of moving) {
      from.style.viewTransitionName = "";
      const goal = document.getElementById(to);
      if (goal) goal.style.viewTransitionName = key;
    }
  });
  transition = begun;
  begun.ready.catch(() => {}); // it was skipped
  begun.finished.finally(() => {
    for (const { to } of moving) {
      const goal = document.getElementById(to);
      if (goal) goal.style.viewTransitionName = "";
    }
    if (transition === begun) transition = null;
  });
}

function nameMovingCards(animations) {
  const used = new Set();
  const moving = [];
  for (const [fromId, to] of animations) {
    const from = document.getElementById(fromId);
    if (!from || used.has(fromId) || used.has(to)) continue;
    used.add(fromId).add(to);
    const key = `card-${moving.length}`;
    from.style.viewTransitionName = key;
    moving.push({ key, from, to });
  }
  return moving;
}

// The group that has the focus, so that another button of it can take it when this one is gone.
function placeOf(element) {
  return element.closest("#choices, #hand, #past, #others, .seat, section[id]")?.id ?? "main";
}

function refocus(place) {
  const group = document.getElementById(place);
  const safe = "button:not(.danger, .target, .take-back, [popovertarget])"; // pressing the same key twice must not do harm
  const usual = [":root[data-nodding] #nod", ".place-button", `#choices ${safe}`, `#hand ${safe}`, "#verdict button, #verdict a", "#uncover button"];
  const next = [group?.querySelector(safe), ...usual.map((path) => document.querySelector(path))].find((found) => found?.checkVisibility());
  focusWaits = !next;
  (next ?? main).focus({ preventScroll: true });
}

// The button goes when it is pressed, though nothing else may be there to be pressed yet.
onNod(() => document.activeElement?.id === "nod" && refocus("choices"));

export function tell(sentence) {
  toast.textContent = sentence;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => (toast.textContent = ""), 6000);
}

// A second click on a form that is being sent does nothing, unless the table has changed: then it is another choice.
async function send(form, button) {
  const state = document.getElementById("table")?.dataset.state ?? "";
  if (sending.get(form) === state) return;
  const fields = new FormData(form);
  if (button?.name) fields.append(button.name, button.value);
  sending.set(form, state);
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(fields), headers: { "x-suitors": "script" } });
    const reply = answer.status === 204 ? {} : await answer.json();
    if (reply.begin) await begin(reply);
    if (reply.go) return void location.assign(reply.go);
    if (reply.error) tell(reply.error.message);
    else form.reset();
  } catch {
    tell(lost.textContent);
  }
  if (sending.get(form) === state) sending.delete(form);
}
addEventListener("pageshow", () => sending.clear()); // the visitor may come back to this page

// Without a connection a form is submitted as without a script if the server can be reached; else the page stays.
async function sendIfUp(form, submitter) {
  if (!(await fetch(location.href).catch(() => null))) return tell(lost.textContent);
  plain = true;
  form.requestSubmit(submitter);
  plain = false;
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  const live = main.dataset.live && connection;
  if (form.closest("#settings") && !live) {
    event.preventDefault();
    return void applySettings(form);
  }
  if (form.method === "post" && new URL(form.action).pathname === "/tables") {
    event.preventDefault(); // a new table waits for words from here
    return void send(form, submitter);
  }
  if (live && !live.ready && (live.opened || !lost.hidden) && !plain) {
    event.preventDefault();
    return void sendIfUp(form, submitter);
  }
  if (!live || !live.ready) return;
  if (form.id === "past") {
    event.preventDefault();
    live.send({ ago: Number(submitter.value) });
  } else if (form.id === "choose" || form.id === "uncover") {
    event.preventDefault();
    const seat = form.id === "uncover" ? submitter.value : new FormData(form).get("seat");
    live.send(form.id === "uncover" ? { seat } : { chosen: submitter?.value ?? "" });
  } else if (form.method === "post" && new URL(form.action).pathname.startsWith("/tables/")) {
    event.preventDefault();
    send(form, submitter);
  }
});

// Any key or touch ends a running transition.
for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, () => transition?.skipTransition(), { capture: true });

// Links between the steps of a replay, an analysis or a lesson.
followSteps(
  main,
  (html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    document.title = page.title;
    morph(main, page.getElementById("main"));
    drawThread();
    document.getElementById("lesson-title")?.focus();
  },
  () => tell(lost.textContent),
);

// The first page offers as many players as the chosen edition is for, and no others.
function seatsFor(edition) {
  const select = document.querySelector("#start select[name=players]");
  const [low, high] = edition.dataset.players.split("-").map(Number);
  for (const option of select.options) option.hidden = option.disabled = option.value < low || option.value > high;
  if (select.selectedOptions[0]?.disabled) select.value = Math.min(Math.max(select.value, low), high);
}
document.addEventListener("change", (event) => event.target.matches("#start input[name=edition]") && seatsFor(event.target));
const chosenEdition = document.querySelector("#start input[name=edition]:checked");
if (chosenEdition) seatsFor(chosenEdition);

// Settings apply when asked to, in place: what is typed on the page stays, and so does the focus.
async function applySettings(form) {
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) }).catch(() => null);
  if (!answer?.ok) return tell(lost.textContent);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const { name, value } of page.documentElement.attributes) document.documentElement.setAttribute(name, value);
  document.title = page.title;
  morph(document.body, page.body);
}

// Menus close on a click elsewhere.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

// Copy a link or digits; drop a record.
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  if (field.select) field.select();
  else getSelection().selectAllChildren(field);
  try {
    await navigator.clipboard.writeText(field.value ?? field.textContent);
  } catch {
    document.execCommand("copy");
  }
  tell(button.dataset.copied);
});
const drop = document.querySelector(".drop");
if (drop) {
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop" && event.dataTransfer.files.length) {
        drop.querySelector("input[type=file]").files = event.dataTransfer.files;
        drop.requestSubmit();
      }
    });
  }
  drop.querySelector("input[type=file]").addEventListener("change", () => drop.requestSubmit());
}

attend();
const connection = main.dataset.live ? follow(main.dataset.live, show, tell) : null;

// Whose hand was asked for does not stay in the address: on a shared device a reload must not show it to the next player.
if (connection && location.search) {
  history.replaceState(history.state, "", location.pathname);
  document.querySelector("#settings [name=back]").value = location.pathname;
}
