// The bar below the map: to the start, back, play, on, to the end, and a slider through all events with the rounds and
// the falls marked on it.
import type { Timeline } from "./model";
import { sideClass } from "./tokens";
import { el, put, say, svg } from "./dom";

export type Move = "start" | "round-" | "turn-" | "event-" | "play" | "event+" | "turn+" | "round+" | "end";

const icons: Record<string, string> = {
  start: "M3 2v12M13 2L5 8l8 6Z",
  "round-": "M8 2L2 8l6 6ZM14 2L8 8l6 6Z",
  "event-": "M11 2L4 8l7 6Z",
  play: "M4 2l10 6L4 14Z",
  pause: "M4 2h3v12H4ZM9 2h3v12H9Z",
  "event+": "M5 2l7 6l-7 6Z",
  "round+": "M2 2l6 6l-6 6ZM8 2l6 6l-6 6Z",
  end: "M13 2v12M3 2l8 6l-8 6Z",
};

const buttons: [Move, string][] = [
  ["start", "To the start (Home)"],
  ["round-", "One round back (Page up)"],
  ["event-", "One event back (←)"],
  ["play", "Play (space)"],
  ["event+", "One event on (→)"],
  ["round+", "One round on (Page down)"],
  ["end", "To the end (End)"],
];

const picture = (name: string) => svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: icons[name]! }));

export class Controls {
  readonly root = el("div", { class: "controls", role: "group", "aria-label": "Playback" });
  readonly slider: HTMLInputElement;
  private where = el("span", { class: "where" });
  private ticks = svg("svg", { class: "ticks", preserveAspectRatio: "none", "aria-hidden": "true" });
  private playButton?: HTMLButtonElement;
  private speed: HTMLSelectElement;

  constructor(private timeline: Timeline, move: (m: Move) => void, scrub: (n: number) => void) {
    this.slider = el("input", { type: "range", min: 0, max: timeline.length, step: 1, value: 0, "aria-label": "Event", title: keysHelp });
    this.slider.addEventListener("input", () => scrub(this.slider.valueAsNumber));
    const bar = el("div", { class: "buttons" });
    for (const [m, label] of buttons) {
      const b = el("button", { type: "button", class: m, "aria-label": label, title: label, onclick: () => move(m) }, picture(m));
      if (m === "play") this.playButton = b;
      bar.append(b);
    }
    this.speed = el("select", { "aria-label": "Speed" }, ...[0.5, 1, 2, 4, 8].map((s) => el("option", { value: s, selected: s === 1 }, `${s}×`)));
    this.root.append(bar, this.where, this.speed, el("div", { class: "track" }, this.ticks, this.slider));
    this.mark();
  }

  get pace(): number {
    return Number(this.speed.value);
  }

  /** mark draws the rounds, and who falls when. */
  private mark(): void {
    const { doc, length } = this.timeline;
    const max = Math.max(1, length);
    put(this.ticks, "viewBox", `0 0 1000 12`);
    let d = "";
    for (const i of this.timeline.rounds) d += `M${(((i + 1) / max) * 1000).toFixed(1)} 7v5`;
    this.ticks.append(svg("path", { class: "round-tick", d }));
    doc.events.forEach((e, i) => {
      for (const c of e.change?.creatures ?? []) {
        if (c.down === undefined || !doc.creatures[c.who]) continue;
        const x = ((i + 1) / max) * 1000;
        this.ticks.append(svg("path", { class: `fall ${sideClass(doc.creatures[c.who]!.side)}`, d: c.down ? `M${x} 0v12` : `M${x} 0v4` }));
      }
    });
  }

  show(n: number, text: string, spoken: string): void {
    if (this.slider.valueAsNumber !== n) this.slider.value = String(n);
    this.slider.style.setProperty("--done", `${(n / Math.max(1, this.timeline.length)) * 100}%`);
    put(this.slider, "aria-valuetext", spoken);
    say(this.where, text);
  }

  playing(on: boolean): void {
    const b = this.playButton!;
    b.replaceChildren(picture(on ? "pause" : "play"));
    const label = on ? "Pause (space)" : "Play (space)";
    put(b, "aria-label", label);
    put(b, "title", label);
  }
}

/** keysHelp says what the keys do. */
const keysHelp = "← and → go by events, with Shift by turns; Page up and Page down by rounds; Home and End; the space bar plays";

/** keyMove is the move that a key means; none for other keys. */
export function keyMove(e: KeyboardEvent): Move | undefined {
  if (e.altKey || e.ctrlKey || e.metaKey) return undefined;
  switch (e.key) {
    case "ArrowLeft":
      return e.shiftKey ? "turn-" : "event-";
    case "ArrowRight":
      return e.shiftKey ? "turn+" : "event+";
    case "PageUp":
      return "round-";
    case "PageDown":
      return "round+";
    case "Home":
      return "start";
    case "End":
      return "end";
    case " ":
    case "k":
      return "play";
  }
  return undefined;
}
