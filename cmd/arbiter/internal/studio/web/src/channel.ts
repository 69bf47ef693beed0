// A channel carries texts between the page and the program: a port of the program inside the page, or a socket of the
// server, that is opened again when it was lost.
import { isInside, openPort } from "./program";

/** What a channel tells. */
export interface Listener {
  opened(): void;
  received(text: string): void;
  lost(): void;
}

/** Channel is a way to and from the program. */
export interface Channel {
  send(text: string): void;
  /** close ends it for good. */
  close(): void;
}

const firstDelay = 150;
const longestDelay = 4000;

/** openChannel connects to a door of the program. */
export function openChannel(door: string, listener: Listener): Channel {
  return isInside ? openPort(door, listener) : openSocket(door, listener);
}

/** openSocket connects to a door of the server, and again each time the connection is lost. */
function openSocket(door: string, listener: Listener): Channel {
  const address = new URL(door, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  let socket: WebSocket | null = null;
  let closed = false;
  let delay = firstDelay;
  let waiting: string[] = [];

  const connect = () => {
    if (closed) return;
    const s = new WebSocket(address);
    socket = s;
    let opened = false;
    s.onopen = () => {
      opened = true;
      delay = firstDelay;
      listener.opened();
      for (const text of waiting) s.send(text);
      waiting = [];
    };
    s.onmessage = (e) => listener.received(String(e.data));
    s.onclose = () => {
      if (socket === s) socket = null;
      if (closed) return;
      if (opened) listener.lost();
      setTimeout(connect, delay);
      delay = Math.min(longestDelay, delay * 2);
    };
  };
  connect();
  return {
    send(text) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(text);
      else waiting.push(text);
    },
    close() {
      closed = true;
      socket?.close();
    },
  };
}
