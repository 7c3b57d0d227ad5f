// The WebSocket to the server: new states of the table come in, choices go out. It reconnects by itself.
const COME_AGAIN = 4012; // the server has unloaded the table and will load it again at once
const MAX_WAIT_MS = 5000;

export function follow(path, show, tell) {
  const lost = document.getElementById("lost");
  const announcement = document.getElementById("announcement");
  const connection = {
    seat: null,
    state: null, // the last one that was seen
    opened: false, // at least once
    get ready() {
      return up && connection.socket.readyState === WebSocket.OPEN; // a socket that is closing receives nothing more
    },
    send: (message) => connection.socket.send(JSON.stringify(message)),
  };
  let up = false;
  let wait = 250;
  let timer = 0;

  function open() {
    clearTimeout(timer);
    connection.socket?.close(); // one that is still connecting, or has not noticed that it is lost
    const address = new URL(path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    if (connection.seat !== null) address.searchParams.set("seat", connection.seat);
    if (connection.opened) address.searchParams.delete("chosen"); // only for the first page
    if (connection.state !== null) address.searchParams.set("since", connection.state);
    const socket = (connection.socket = new WebSocket(address));
    socket.onopen = () => {
      wait = 250;
      up = connection.opened = true;
      lost.hidden = true;
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.error) return void tell(message.error.message);
      connection.seat = message.seat;
      connection.state = message.state;
      announcement.textContent = message.announcement;
      announcement.hidden = !message.announcement;
      show(message.html, message.animations);
    };
    socket.onclose = ({ code }) => socket === connection.socket && reconnect(code);
  }

  function reconnect(code) {
    const wasUp = up;
    up = false;
    if (wasUp && code === COME_AGAIN) return open();
    lost.hidden = false;
    if (!wasUp) reloadIfGone();
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }

  // Reload when the table is gone or closed to us, so that the page says so; wait while the server is down.
  async function reloadIfGone() {
    const answer = await fetch(location.href).catch(() => null);
    if (answer && answer.status >= 400 && answer.status < 500 && answer.status !== 429) location.reload();
  }

  addEventListener("online", open);
  addEventListener("offline", () => connection.socket.close());
  addEventListener("pagehide", () => {
    connection.socket.onclose = null;
    connection.socket.close();
  });
  addEventListener("pageshow", (event) => event.persisted && open());
  document.addEventListener("visibilitychange", () => !document.hidden && !connection.ready && open());
  open();
  return connection;
}
