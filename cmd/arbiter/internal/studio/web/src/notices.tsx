// Short messages about what could not be done.
import { signal } from "@preact/signals";
import { Lost } from "./desk";

interface Notice {
  id: number;
  text: string;
}

const notices = signal<Notice[]>([]);
let last = 0;

/** say shows a message for a while. */
export function say(text: string): void {
  const notice = { id: ++last, text };
  notices.value = [...notices.peek().slice(-2), notice];
  setTimeout(() => dismiss(notice.id), 12_000);
}

/** complain shows why something could not be done. What was given up, and what the lost connection has already said,
    is not shown. */
export function complain(e: unknown): void {
  if (e instanceof Lost || (e instanceof DOMException && e.name === "AbortError")) return;
  say(e instanceof Error ? e.message : String(e));
}

function dismiss(id: number): void {
  notices.value = notices.peek().filter((n) => n.id !== id);
}

export function Notices() {
  return (
    <div class="notices" role="status">
      {notices.value.map((n) => (
        <p key={n.id} class="notice">
          <span>{n.text}</span>
          <button class="plain" aria-label="Dismiss" onClick={() => dismiss(n.id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  );
}
