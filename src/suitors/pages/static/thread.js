// The thread from whoever played a letter to those at whom it was aimed. The seats are marked without it, too.
const DEPTH = 20; // how far a thread between two seats of one strip hangs below it
const GAP = 3; // between a thread and a seat

export function drawThread() {
  const thread = document.querySelector("#table .thread");
  if (!thread || !thread.checkVisibility()) return;
  const { x, y } = thread.getBoundingClientRect();
  const boxOf = (id) => {
    const box = document.getElementById(id).getBoundingClientRect();
    return new DOMRect(box.x - x, box.y - y, box.width, box.height);
  };
  const from = boxOf(`seat-${thread.dataset.from}`);
  const strip = boxOf("others"); // without a height where the others sit around the desk
  const desk = centre(boxOf("table-surface"));
  for (const path of thread.children) path.setAttribute("d", line(from, boxOf(`seat-${path.dataset.to}`), strip, desk));
}

// A curve from the edge of one seat to that of another: it hangs below the strip, or bends towards the middle of the desk.
function line(from, to, strip, desk) {
  const [a, b] = [from, to].map(centre);
  const hangs = strip.height ? Math.max(from.bottom, to.bottom) <= strip.bottom + 1 : Math.abs(a.y - b.y) < from.height / 2;
  if (hangs) {
    const [start, end] = [from, to].map((box) => ({ x: centre(box).x, y: box.bottom + GAP }));
    const lowest = Math.max(start.y, end.y, strip.height && strip.bottom) + DEPTH;
    return curve(start, { x: (a.x + b.x) / 2, y: 2 * lowest - (start.y + end.y) / 2 }, end);
  }
  const bend = { x: (a.x + b.x + 4 * desk.x) / 6, y: (a.y + b.y + 4 * desk.y) / 6 };
  return curve(edge(from, bend), bend, edge(to, bend));
}

function curve(start, bend, end) {
  return `M${start.x} ${start.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`;
}

function centre(box) {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

// Where the way from the centre of a box to a point leaves the box.
function edge(box, point) {
  const { x, y } = centre(box);
  const [dx, dy] = [point.x - x, point.y - y];
  const share = Math.min((box.width / 2 + GAP) / Math.abs(dx || 1), (box.height / 2 + GAP) / Math.abs(dy || 1), 1);
  return { x: x + dx * share, y: y + dy * share };
}

const main = document.getElementById("main");
if (main) new ResizeObserver(drawThread).observe(main);
