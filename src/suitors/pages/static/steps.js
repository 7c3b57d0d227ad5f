// Links between the steps of a replay, an analysis or a lesson (data-turn): the page is made like the next one, without
// a reload. A page may also go on by itself (data-play), or ask for itself again while it is being computed (data-again).
const MOVING = ["on", "back", "worse-on", "worse-back"]; // ways that mean another link on every page
const KEYS = { ArrowLeft: "back", ArrowRight: "on" };
let turning = Promise.resolve(); // one after the other, however fast they are clicked
let timer = 0;

export function followSteps(main, turn, failed) {
  function turned(html) {
    turn(html);
    keepInSight();
    schedule();
  }

  async function turnTo(goal, way) {
    if (!goal) return;
    main.setAttribute("aria-busy", "true");
    const answer = await fetch(goal).finally(() => main.removeAttribute("aria-busy"));
    if (!answer.ok) return void location.assign(goal);
    turned(await answer.text());
    history.pushState({}, "", goal);
    if (way === "there") document.getElementById("decision")?.scrollIntoView({ block: "nearest" });
  }

  // Ask for the page as it is by now, unless somebody has gone elsewhere meanwhile.
  async function again() {
    const here = location.href;
    const answer = await fetch(here).catch(() => null);
    if (answer?.ok && here === location.href) turned(await answer.text());
    else schedule();
  }

  function schedule() {
    clearTimeout(timer);
    const playing = document.querySelector("a[data-play]");
    const computing = document.querySelector("[data-again]");
    if (playing) timer = setTimeout(() => document.querySelector("a[data-turn=on]")?.click(), playing.dataset.play);
    else if (computing) timer = setTimeout(() => (document.hidden ? schedule() : (turning = turning.then(again))), computing.dataset.again);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-turn]");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const { turn: way } = link.dataset;
    const there = String(link.href.baseVal ?? link.href); // the link itself may change with the page
    turning = turning
      .then(() => turnTo(MOVING.includes(way) ? document.querySelector(`a[data-turn=${way}]`)?.href : there, way))
      .catch(failed);
  });

  addEventListener("popstate", () => {
    turning = turning.then(async () => turned(await (await fetch(location.href)).text())).catch(failed);
  });

  // Arrow keys go from step to step, with Shift from mistake to mistake; Escape takes back a choice, or stops.
  document.addEventListener("keydown", (event) => {
    if (event.target.closest?.("input, select, textarea, [role=group][tabindex]") || event.altKey || event.ctrlKey || event.metaKey) return;
    const way = KEYS[event.key];
    const path = way ? `a[data-turn=${event.shiftKey ? "worse-" : ""}${way}]` : event.key === "Escape" && ".back-step, button[form=choose][value=''], a[data-turn=stop]";
    if (document.querySelector(":popover-open")) return; // it is closed by that key
    const found = path && document.querySelector(path);
    if (found) {
      event.preventDefault();
      found.click();
    }
  });

  keepInSight();
  schedule();
}

// The list of moves shows the present one; the page itself stays where it is.
function keepInSight() {
  const list = document.getElementById("round-lists");
  const current = list?.querySelector("[aria-current]");
  if (current && list.scrollHeight > list.clientHeight) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}
