// A fight that can be watched: the map, who is in it, the transcript, what each number is made of, and a slider through
// time. It shows a replay document, and computes no rule: everything it shows is in the document.
//
//	const view = mountFight(element, replay, { onRule: (rule) => open(rule.file, rule.line) })
//	view.setReplay(longer)   // the same fight, gone on
import { Board, layers, type Layer, type Picked } from "./board";
import { Cards } from "./cards";
import { Controls, keyMove, type Move } from "./controls";
import { conditionText, Details } from "./details";
import { about, swatch } from "./ground";
import { hurt, Timeline, type Replay, type Rule, type State } from "./model";
import { Order } from "./order";
import { Transcript } from "./transcript";
import { el, put, say } from "./dom";

export type { Replay, Rule } from "./model";

export interface FightOptions {
  /** onRule is called for the place of a rule; without it places are only shown. */
  onRule?: (rule: Rule) => void;
  /** onPick is called for a creature or a square of the map, after the view has selected the creature. */
  onPick?: (at: { creature: string; square: [number, number] }) => void;
  /** moves lets creatures be dragged: which ones, to which squares, and what comes of it. */
  moves?: { can: (creature: string) => boolean; fits: (square: [number, number]) => boolean; go: (creature: string, square: [number, number]) => void };
  /** onSave is called to save the replay as a page; without it there is no button for that. */
  onSave?: (doc: Replay) => void;
  /** page: the keys work wherever the focus is, and the title of the fight is shown. */
  page?: boolean;
}

export interface FightView {
  /** setReplay shows another replay. One who looked at the end of the former sees the end of the new one. */
  setReplay(doc: Replay, at?: number): void;
  /** at is the number of events that have happened; go changes it. */
  readonly at: number;
  go(n: number): void;
  destroy(): void;
}

const layerNames: Record<Layer, [string, string]> = {
  reach: ["Reach", "Where a move of the creature whose turn it is, or of the selected one, can end"],
  threat: ["Threat", "The squares it threatens"],
  lines: ["Lines", "The lines of the roll for cover: dashed ones are blocked by the ground"],
  area: ["Area", "The squares that a spell or another action with an area fills"],
  path: ["Path", "The way it has gone in this action"],
};

/** mountFight shows a fight in an element, whose content it replaces. */
export function mountFight(root: HTMLElement, doc: Replay, options: FightOptions = {}): FightView {
  let view = new View(root, doc, options, 0);
  return {
    setReplay(next, at) {
      const was = view;
      const wasAtEnd = was.at === was.timeline.length;
      const to = at ?? (wasAtEnd ? next.events.length : was.at);
      was.destroy();
      const from = at === undefined && wasAtEnd && continues(was.timeline.doc, next) ? Math.max(was.at, to - mostShown) : to;
      view = new View(root, next, options, from, was);
      view.catchUp(to);
    },
    get at() {
      return view.at;
    },
    go: (n) => view.go(n),
    destroy: () => view.destroy(),
  };
}

/** continues reports whether a replay is another one that has gone on. */
function continues(a: Replay, b: Replay): boolean {
  const last = a.events.length - 1;
  return last >= 0 && last < b.events.length && a.events[last]!.id === b.events[last]!.id && a.events[last]!.text === b.events[last]!.text;
}

/** Of what is new, the last few events are shown one by one. */
const mostShown = 12;
const catchUpPace = 70; // milliseconds for an event

/** The layers that are shown, in all fights of a page. */
const shownLayers = new Set<Layer>(["area", "path"]);

class View {
  at = -1;
  readonly timeline: Timeline;
  private board: Board;
  private cards: Cards;
  private order: Order;
  private transcript: Transcript;
  private details: Details;
  private controls: Controls;
  private live = el("p", { class: "hidden", "aria-live": "polite" });
  private selected = -1;
  private timer?: ReturnType<typeof setTimeout>;
  private waiting = -1; // where to go with the next frame
  private ended = new AbortController();
  private tabs: HTMLButtonElement[] = [];
  private main: HTMLElement;
  private sizes: ResizeObserver;

  constructor(private root: HTMLElement, private doc: Replay, private options: FightOptions, at: number, former?: View) {
    this.timeline = new Timeline(doc);
    this.board = new Board(doc, this.timeline, (p) => this.picked(p));
    const { moves } = options;
    const nameOf = (who: number) => doc.creatures[who]?.name ?? "";
    if (moves) this.board.moves = { can: (who) => moves.can(nameOf(who)), fits: moves.fits, go: (who, square) => moves.go(nameOf(who), square) };
    this.cards = new Cards(doc, this.timeline, (who) => this.select(who === this.selected ? -1 : who));
    this.order = new Order(doc, (who) => this.select(who === this.selected ? -1 : who));
    this.transcript = new Transcript(doc, (n) => this.step(n));
    this.details = new Details(doc, options.onRule);
    this.controls = new Controls(this.timeline, (m) => this.move(m), (n) => this.scrub(n));
    for (const l of layers) this.board.toggle(l, shownLayers.has(l));
    const stage = el("div", { class: "stage" }, this.board.root, this.cards.root, this.tools(), this.controls.root);
    const side = el("div", { class: "side" }, this.tabBar(), el("div", { class: "panes" }, this.transcript.root, this.details.root));
    const who = el("div", { class: "who" }, this.order.root, this.legend());
    this.main = el("div", { class: "fight-view", "data-tab": "transcript" }, options.page ? this.heading() : null, stage, side, this.live);
    root.replaceChildren(el("div", { class: "fight-root" }, this.main));
    const panes = side.lastElementChild!;
    this.sizes = new ResizeObserver(() => {
      const wide = root.clientWidth > 1040; // as in fight.css
      if (wide ? who.parentElement !== this.main : who.parentElement !== panes) (wide ? this.main : panes).append(who);
    });
    this.sizes.observe(root);
    const keys: HTMLElement | Document = options.page ? document : root;
    keys.addEventListener("keydown", (e) => this.key(e as KeyboardEvent), { signal: this.ended.signal });
    if (former) {
      this.board.resume(former.board);
      const name = former.doc.creatures[former.selected]?.name;
      this.selected = this.board.selected = name ? doc.creatures.findIndex((c) => c.name === name) : -1;
      this.showTab(former.main.dataset.tab ?? "transcript");
    }
    this.go(at);
  }

  /** catchUp shows what is new, event by event. */
  catchUp(to: number): void {
    if (this.at >= to) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return this.go(to);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.go(this.at + 1, true);
      this.catchUp(to);
    }, catchUpPace);
  }

  destroy(): void {
    this.pause();
    this.ended.abort();
    this.sizes.disconnect();
    this.transcript.destroy();
  }

  // --- parts -----------------------------------------------------------------------------------------------

  private heading(): HTMLElement {
    const { doc } = this;
    const facts = [doc.ruleset, `seed ${doc.seed}`, outcomeText(doc)].filter(Boolean).join(" · ");
    const cut = doc.cut ? el("p", { class: "cut" }, `This replay ends in round ${doc.cut.round}, before the fight does: ${doc.cut.why}.`) : null;
    return el("header", null, el("h1", null, doc.title || "A fight"), el("p", null, facts), cut);
  }

  private tools(): HTMLElement {
    const bar = el("div", { class: "tools", role: "toolbar", "aria-label": "Map" });
    for (const l of layers) {
      const [name, title] = layerNames[l];
      const b = el("button", { type: "button", title, "aria-pressed": String(shownLayers.has(l)) }, name);
      b.addEventListener("click", () => {
        const on = !shownLayers.has(l);
        if (on) shownLayers.add(l);
        else shownLayers.delete(l);
        put(b, "aria-pressed", String(on));
        this.board.toggle(l, on);
        this.refresh();
      });
      bar.append(b);
    }
    const zoom = (label: string, text: string, act: () => void, kind = "zoom") => el("button", { type: "button", class: kind, "aria-label": label, title: label, onclick: act }, text);
    const zooms = el("span", { class: "zooms" }, zoom("Smaller", "−", () => this.board.enlarge(1 / 1.4), "zoom less"), zoom("The whole map", "⤢", () => this.board.fit(true)), zoom("Larger", "+", () => this.board.enlarge(1.4)));
    const save = this.options.onSave;
    if (save) bar.append(el("button", { type: "button", class: "save", title: "Save this fight as a page to watch, which needs no studio", onclick: () => save(this.doc) }, "Save page"));
    bar.append(zooms);
    return bar;
  }

  private tabBar(): HTMLElement {
    const bar = el("div", { class: "tabs", role: "toolbar", "aria-label": "What is shown" });
    for (const [id, name] of [["transcript", "Transcript"], ["details", "Numbers"], ["who", "Fighters"]] as const) {
      const b = el("button", { type: "button", "aria-pressed": String(id === "transcript"), onclick: () => this.showTab(id) }, name);
      b.dataset.tab = id;
      this.tabs.push(b);
      bar.append(b);
    }
    return bar;
  }

  private showTab(id: string): void {
    put(this.main, "data-tab", id);
    for (const b of this.tabs) put(b, "aria-pressed", String(b.dataset.tab === id));
    if (id === "transcript") this.transcript.show(this.at, false);
  }

  private legend(): HTMLElement {
    const used = new Map<string, HTMLElement>();
    for (const g of this.doc.ground) {
      if (g.names.length === 0) continue;
      used.set(g.sign, el("li", null, swatch(g), el("span", null, g.names.join(", ")), el("small", null, about(g))));
    }
    if (used.size === 0) return el("div");
    return el("details", { class: "legend", open: true }, el("summary", null, "Ground"), el("ul", null, ...used.values()));
  }

  // --- time ------------------------------------------------------------------------------------------------

  /** go shows the state after n events. */
  go(n: number, smooth = false, fast = false): void {
    n = Math.max(0, Math.min(n, this.timeline.length));
    if (n === this.at) return;
    this.at = n;
    this.main.classList.toggle("smooth", smooth);
    this.refresh(smooth, fast);
  }

  private refresh(smooth = false, fast = false): void {
    const n = this.at;
    const s = this.timeline.state(n);
    const e = this.timeline.event(n);
    this.main.classList.toggle("mapless", s.map < 0);
    if (s.map < 0) this.cards.show(n, s, this.selected);
    else this.board.show(n, s);
    this.order.show(s, this.selected);
    this.transcript.show(n, smooth, fast);
    if (this.selected >= 0) this.details.creature(this.selected, s);
    else this.details.event(n, e, s);
    const whose = this.doc.creatures[s.turn]?.name;
    const when = [s.round ? `Round ${s.round}` : "", whose ? `${whose}’s turn` : ""].filter(Boolean).join(" · ");
    const text = `${when || (n === 0 ? "Start" : "")}`;
    this.controls.show(n, `${text}${text ? " · " : ""}${n} / ${this.timeline.length}`, `${n} of ${this.timeline.length}${when ? `, ${when}` : ""}${e?.text ? `: ${e.text}` : ""}`);
    if (n === this.timeline.length || n === 0 || smooth) this.board.describe(this.mapInWords(s));
  }

  /** mapInWords tells who stands where. */
  private mapInWords(s: State): string {
    if (s.map < 0) return "There is no map.";
    const list = s.creatures.flatMap((x, i) => {
      if (!x.here || !x.at.length) return [];
      const pool = hurt(this.doc, x);
      const words = [`${this.doc.creatures[i]!.name} at column ${x.at[0]}, row ${x.at[1]}`, pool ? `${pool.value} of ${pool.high} ${this.doc.resources[pool.of]!.name}` : "", conditionText(this.doc, s, i)];
      return [words.filter(Boolean).join(", ")];
    });
    return `Map. ${list.join("; ")}.`;
  }

  /** step goes there as one who looks at each event. */
  private step(n: number): void {
    if (this.selected >= 0) this.select(-1);
    this.go(n, Math.abs(n - this.at) < 3);
    say(this.live, this.timeline.event(this.at)?.text ?? "");
  }

  /** scrub goes there with the next frame: of several positions of a slider, the last counts. */
  private scrub(n: number): void {
    if (this.waiting < 0) requestAnimationFrame(() => {
      const to = this.waiting;
      this.waiting = -1;
      this.pause();
      this.go(to, false, true);
    });
    this.waiting = n;
  }

  private move(m: Move): void {
    const t = this.timeline;
    if (m !== "play") this.pause();
    switch (m) {
      case "start":
        return this.step(0);
      case "end":
        return this.step(t.length);
      case "event-":
        return this.step(this.at - 1);
      case "event+":
        return this.step(this.at + 1);
      case "turn-":
        return this.step(t.before(t.turns, this.at));
      case "turn+":
        return this.step(t.after(t.turns, this.at));
      case "round-":
        return this.step(t.before(t.rounds, this.at));
      case "round+":
        return this.step(t.after(t.rounds, this.at));
      case "play":
        return this.timer ? this.pause() : this.play();
    }
  }

  private play(): void {
    if (this.at === this.timeline.length) this.go(0);
    this.controls.playing(true);
    const next = () => {
      this.go(this.at + 1, true);
      if (this.at === this.timeline.length) return this.pause();
      const e = this.timeline.event(this.at);
      const pause = !e?.text ? 250 : e.kind === "move" ? 130 : e.kind === "round" ? 700 : 550;
      this.timer = setTimeout(next, pause / this.controls.pace);
    };
    this.timer = setTimeout(next, 200);
  }

  private pause(): void {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.controls.playing(false);
  }

  private key(e: KeyboardEvent): void {
    const at = e.target as HTMLElement;
    const m = keyMove(e);
    if (!m) {
      if (e.key === "Escape" && this.selected >= 0) this.select(-1);
      return;
    }
    if (/^(SELECT|TEXTAREA)$/.test(at.tagName) || at.isContentEditable || (at.tagName === "INPUT" && (at as HTMLInputElement).type !== "range")) return;
    if (m === "play" && /^(BUTTON|SUMMARY|A)$/.test(at.tagName)) return; // the space bar presses it
    e.preventDefault();
    this.move(m);
  }

  // --- selecting -------------------------------------------------------------------------------------------

  private picked(p: Picked): void {
    if (p.who >= 0) this.select(p.who === this.selected ? -1 : p.who);
    else if (this.selected >= 0) this.select(-1);
    this.options.onPick?.({ creature: this.doc.creatures[p.who]?.name ?? "", square: p.square });
  }

  private select(who: number): void {
    this.selected = this.board.selected = who;
    this.refresh();
    if (who >= 0 && this.root.clientWidth <= 700) this.showTab("details");
  }
}

/** outcomeText says how a fight ended. */
export function outcomeText(doc: Replay): string {
  const after = doc.rounds === 0 ? "" : doc.rounds === 1 ? " after 1 round" : ` after ${doc.rounds} rounds`;
  switch (doc.outcome) {
    case "":
      return "";
    case "undecided":
      return doc.ended ? `undecided: ${doc.ended}` : `undecided${after}`;
    case "nobody":
      return `nobody is left${after}`;
  }
  return `won by ${doc.outcome}${after}`;
}
