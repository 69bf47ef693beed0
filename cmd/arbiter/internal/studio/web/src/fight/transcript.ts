// The transcript beside the map: round by round, turn by turn, with the current event in view. Of a long fight, only
// the rounds near what is looked at are written out.
import type { FightEvent, Replay } from "./model";
import { icon, sideClass } from "./tokens";
import { arrows, el, put } from "./dom";

/** A chapter is a round, or what happens outside of fights. */
interface Chapter {
  from: number; // the first event, as an index
  to: number; // and the one after the last
  section: HTMLElement;
  rows: Map<number, HTMLElement>; // by the number of events after it; empty while it is not written out
  guess: number; // its height
}

const rowHeight = 22;
const mostChapters = 14; // written out at a time

export class Transcript {
  readonly root = el("div", { class: "transcript", role: "listbox", "aria-label": "Transcript", tabindex: "0" });
  private chapters: Chapter[] = [];
  private recent: Chapter[] = [];
  private current?: HTMLElement;
  private watch: IntersectionObserver;
  private later?: ReturnType<typeof setTimeout>;

  constructor(private doc: Replay, private go: (n: number) => void) {
    this.watch = new IntersectionObserver(
      (list) => {
        for (const x of list) if (x.isIntersecting) this.write(this.chapters[Number((x.target as HTMLElement).dataset.chapter)]!);
      },
      { root: this.root, rootMargin: "300px" },
    );
    this.divide();
    this.root.addEventListener("click", (e) => {
      const row = (e.target as Element).closest<HTMLElement>("[data-n]");
      if (row) this.go(Number(row.dataset.n));
    });
  }

  private divide(): void {
    let from = 0;
    const end = (to: number) => {
      if (to <= from) return;
      const section = el("section", { "data-chapter": this.chapters.length, role: "group" });
      const rows = this.doc.events.slice(from, to).filter((e) => e.text || e.kind === "turn").length;
      const c: Chapter = { from, to, section, rows: new Map(), guess: rows * rowHeight };
      section.style.height = `${c.guess}px`;
      this.chapters.push(c);
      this.root.append(section);
      this.watch.observe(section);
      from = to;
    };
    this.doc.events.forEach((e, i) => {
      if (e.kind === "round" || e.kind === "scene" || i - from > 600) end(i);
    });
    end(this.doc.events.length);
  }

  /** show marks the event that has just happened, and brings it into view. While a slider is dragged fast, a round that
   * is not written out comes only when it rests: the map goes ahead. */
  show(n: number, smooth: boolean, fast = false): void {
    const c = this.chapters.find((x) => n > x.from && n <= x.to);
    clearTimeout(this.later);
    if (fast && c && c.rows.size === 0) {
      this.later = setTimeout(() => this.show(n, false), 90);
      return;
    }
    if (this.current) {
      this.current.classList.remove("current");
      put(this.current, "aria-selected", "false");
    }
    this.current = undefined;
    if (!c) {
      this.root.scrollTop = 0;
      this.root.removeAttribute("aria-activedescendant");
      return;
    }
    this.write(c);
    let row: HTMLElement | undefined;
    for (let i = n; i > c.from && !row; i--) row = c.rows.get(i);
    if (!row) return;
    this.current = row;
    row.classList.add("current");
    put(row, "aria-selected", "true");
    put(this.root, "aria-activedescendant", row.id);
    const top = row.offsetTop;
    const { scrollTop, clientHeight } = this.root;
    if (top < scrollTop + 40 || top + row.offsetHeight > scrollTop + clientHeight - 40) {
      this.root.scrollTo({ top: top - clientHeight * 0.4, behavior: smooth ? "smooth" : "auto" });
    }
  }

  /** write writes a chapter out, and empties one that was not looked at for long. */
  private write(c: Chapter): void {
    this.recent = [c, ...this.recent.filter((x) => x !== c)];
    while (this.recent.length > mostChapters) {
      const old = this.recent.pop()!;
      old.section.style.height = `${old.section.offsetHeight}px`;
      old.section.replaceChildren();
      old.rows.clear();
    }
    if (c.rows.size > 0) return;
    c.section.style.height = "";
    const list = document.createDocumentFragment();
    let turn: HTMLElement | null = null; // a heading that is shown only if something follows it
    for (let i = c.from; i < c.to; i++) {
      const e = this.doc.events[i]!;
      if (e.kind === "turn") {
        turn = this.heading(e, i + 1);
        c.rows.set(i + 1, turn);
        list.append(turn);
        continue;
      }
      if (!e.text) continue;
      turn?.classList.remove("empty");
      turn = e.kind === "round" ? null : turn;
      const last = this.lastOf(i, c.to); // steps of one way are one line
      const row = this.row(e, i, last);
      for (; i <= last; i++) c.rows.set(i + 1, row);
      i--;
      list.append(row);
    }
    c.section.replaceChildren(list);
  }

  private heading(e: FightEvent, n: number): HTMLElement {
    const c = this.doc.creatures[e.who];
    return el("div", { id: `event-${n}`, class: `event empty ${c ? sideClass(c.side) : ""}`, role: "option", "aria-selected": "false", "data-n": n, "data-kind": "turn" }, c && icon(c), el("span", null, c?.name ?? "", el("span", { class: "hidden" }, "’s turn")));
  }

  /** lastOf is the last event of a line: the last step of a way, or of the same change of several creatures. */
  private lastOf(i: number, end: number): number {
    const e = this.doc.events[i]!;
    const joins = (o: FightEvent) =>
      e.kind === "move" ? o.kind === "move" && o.who === e.who && o.cause === e.cause : (e.kind === "gained" || e.kind === "lost") && o.kind === e.kind && o.name === e.name && o.cause === e.cause && tail(this.doc, o) === tail(this.doc, e);
    while (i + 1 < end && joins(this.doc.events[i + 1]!)) i++;
    return i;
  }

  private row(e: FightEvent, first: number, last: number): HTMLElement {
    const n = last + 1;
    let words = text(this.doc, e);
    if (last > first) {
      const list = this.doc.events.slice(first, n);
      words = e.kind === "move" ? [`${this.doc.events[last]!.text}, ${list.length} steps`] : [`${names(list.map((x) => this.doc.creatures[x.who]?.name ?? ""))} ${tail(this.doc, e).replace(/^is /, "are ")}`];
    }
    return el("div", { id: `event-${n}`, class: `event d${Math.min(e.depth ?? 0, 3)} ${mood(e)}`, role: "option", "aria-selected": "false", "data-n": n, "data-kind": e.kind }, ...words);
  }

  destroy(): void {
    this.watch.disconnect();
    clearTimeout(this.later);
  }
}

/** mood is how an event looks: a hit, a miss, a loss. */
export function mood(e: FightEvent): string {
  if (e.kind === "check" && e.success !== undefined) return e.success ? "success" : "failure";
  if (e.kind === "resource" && e.was !== undefined && e.is !== undefined) return e.is < e.was ? "loss" : "gain";
  return "";
}

/** text is the line of an event, with its own creature's name left out where the heading of the turn has it. */
function text(doc: Replay, e: FightEvent): (Node | string)[] {
  if (e.kind === "check" || e.kind === "roll") {
    const at = e.text.indexOf(": ");
    const who = e.who >= 0 ? `${doc.creatures[e.who]?.name} ` : "";
    if (at > 0 && e.text.startsWith(who)) {
      const label = e.text.slice(who.length, at).replace(/#\d+$/, "");
      const last = label.slice(label.lastIndexOf(".") + 1);
      const rest = e.text.slice(at + 2);
      const result = rest.lastIndexOf(", ");
      const split = e.kind === "check" && result > 0;
      return [el("span", { class: "what" }, `${who}${last}`), " ", split ? rest.slice(0, result) : rest, split ? el("b", null, ` ${rest.slice(result + 2)}`) : ""];
    }
  }
  return [arrows(e.text)];
}

/** tail is the line of an event without the name of its creature. */
function tail(doc: Replay, e: FightEvent): string {
  const name = doc.creatures[e.who]?.name;
  return name && e.text.startsWith(`${name} `) ? e.text.slice(name.length + 1) : e.text;
}

/** names joins names as in speech. */
function names(list: string[]): string {
  return list.length < 2 ? list.join("") : `${list.slice(0, -1).join(", ")} and ${list[list.length - 1]}`;
}
