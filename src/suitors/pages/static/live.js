// The line to the server: new states of the table come in, choices go out. It mends itself.
const COME_AGAIN = 4012; // the server has put the table down and takes it up again at once
const LONGEST_MS = 5000;

export function follow(path, show, tell) {
  const lost = document.getElementById("lost");
  const line = {
    seat: null,
    opened: false, // once at least
    get ready() {
      return up && line.socket.readyState === WebSocket.OPEN; // one that is being closed hears nothing more
    },
    say: (words) => line.socket.send(JSON.stringify(words)),
  };
  let up = false;
  let wait = 250;
  let timer = 0;

  function open() {
    clearTimeout(timer);
    line.socket?.close(); // one that is still on its way, or that has not noticed yet
    const address = new URL(path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    if (line.seat !== null) address.searchParams.set("seat", line.seat);
    if (line.opened) address.searchParams.delete("chosen"); // that was for the first look
    const socket = (line.socket = new WebSocket(address));
    socket.onopen = () => {
      wait = 250;
      up = line.opened = true;
      lost.hidden = true;
    };
    socket.onmessage = ({ data }) => {
      const told = JSON.parse(data);
      if (told.error) return void tell(told.error.message);
      line.seat = told.seat;
      show(told.html, told.flights);
    };
    socket.onclose = ({ code }) => socket === line.socket && again(code);
  }

  function again(code) {
    const opened = up;
    up = false;
    if (opened && code === COME_AGAIN) return open();
    lost.hidden = false;
    if (!opened) leaveIfGone();
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_MS);
  }

  // A table that is not there for us any more is shown as what it is; a server that is down is waited for.
  async function leaveIfGone() {
    const answer = await fetch(location.href).catch(() => null);
    if (answer && answer.status >= 400 && answer.status < 500 && answer.status !== 429) location.reload();
  }

  addEventListener("online", open);
  addEventListener("offline", () => line.socket.close());
  addEventListener("pagehide", () => {
    line.socket.onclose = null;
    line.socket.close();
  });
  addEventListener("pageshow", (event) => event.persisted && open());
  document.addEventListener("visibilitychange", () => !document.hidden && !line.ready && open());
  open();
  return line;
}
