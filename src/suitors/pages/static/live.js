// The line to the server: new states of the table come in, choices go out. It mends itself.
export function follow(path, show, tell) {
  const lost = document.getElementById("lost");
  const line = { ready: false, say: (words) => line.socket.send(JSON.stringify(words)) };
  let wait = 250;
  let timer = 0;

  function open() {
    clearTimeout(timer);
    const address = new URL(path, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    if (line.seat) address.searchParams.set("seat", line.seat);
    const socket = (line.socket = new WebSocket(address));
    socket.onopen = () => {
      wait = 250;
      line.ready = true;
      lost.hidden = true;
    };
    socket.onmessage = ({ data }) => {
      const told = JSON.parse(data);
      if (told.go) return void location.assign(told.go);
      if (told.error) return void tell(told.error.message);
      line.seat = told.seat;
      show(told.html, told.flights);
    };
    socket.onclose = () => {
      if (socket !== line.socket) return;
      line.ready = false;
      lost.hidden = false;
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, 5000);
    };
  }

  addEventListener("online", open);
  addEventListener("pagehide", () => {
    line.socket.onclose = null;
    line.socket.close();
  });
  addEventListener("pageshow", (event) => event.persisted && open());
  document.addEventListener("visibilitychange", () => !document.hidden && !line.ready && open());
  open();
  return line;
}
