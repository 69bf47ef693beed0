// What is known about the event that has just happened: its dice, its numbers with all their terms, and for each term
// the rule behind it; or all about one creature.
import { conditions, pools, share, type Die, type Explained, type FightEvent, type Replay, type Rule, type State } from "./model";
import { icon } from "./tokens";
import { mood } from "./transcript";
import { arrows, el, svg } from "./dom";

export type OnRule = (rule: Rule) => void;

/** dieShape is the outline of a die by its number of sides. */
function dieShape(sides: number): string {
  switch (sides) {
    case 4:
      return "M0 -13L13 10H-13Z";
    case 6:
      return "M-11 -11H11V11H-11Z";
    case 8:
      return "M0 -14L13 0L0 14L-13 0Z";
    case 10:
    case 100:
      return "M0 -14L13 -3L8 11L0 14L-8 11L-13 -3Z";
    case 12:
      return "M0 -14L13 -4.5L8 11H-8L-13 -4.5Z";
    case 20:
      return "M0 -14.5L12.5 -7.2V7.2L0 14.5L-12.5 7.2V-7.2Z";
  }
  return "M0 -13A13 13 0 1 0 .01 -13Z";
}

export class Details {
  readonly root = el("div", { class: "details", tabindex: "0", role: "region", "aria-label": "The current event" });
  private shown = "";

  constructor(private doc: Replay, private onRule: OnRule | undefined) {}

  /** event shows what has just happened. */
  event(n: number, e: FightEvent | undefined, s: State): void {
    if (e?.kind === "turn" && e.who >= 0) return this.creature(e.who, s);
    const key = `event ${n}`;
    if (key === this.shown) return;
    this.shown = key;
    this.root.setAttribute("aria-label", "The current event");
    this.root.scrollTop = 0;
    if (!e) {
      this.root.replaceChildren(el("p", { class: "quiet" }, "Before the first event. Press → or play."));
      return;
    }
    const who = this.doc.creatures[e.who];
    const title = arrows(e.text) || (e.kind === "turn" && who ? `${who.name}'s turn` : e.kind);
    const parts: (Node | null)[] = [el("h2", { class: mood(e) }, who ? icon(who) : null, el("span", null, title))];
    if (e.dice?.length) parts.push(this.dice(e.dice));
    if (e.was !== undefined && e.is !== undefined) parts.push(this.amount(e));
    if (e.number !== undefined) parts.push(this.number(this.doc.numbers[e.number]!, true, e.text));
    if (e.rule !== undefined) parts.push(this.rule(this.doc.rules[e.rule]!, e.kind === "act" ? "The rule" : "Done by"));
    this.root.replaceChildren(...parts.filter((p) => p !== null));
  }

  private dice(list: Die[]): HTMLElement {
    return el("ul", { class: "dice", "aria-label": "Dice" }, ...list.map((d) => this.die(d)));
  }

  private die(d: Die): HTMLElement {
    const marks = d.marks ?? [];
    const out = d.by !== undefined || marks.includes("dropped") || marks.includes("rerolled");
    const extreme = d.sides >= 20 && !out ? (d.face === d.sides ? " top" : d.face === 1 ? " bottom" : "") : "";
    const words = [`d${d.sides} shows ${d.face}`, ...marks];
    const by = d.by !== undefined ? this.doc.rules[d.by] : undefined;
    if (by) words.push(`${d.instead} instead, by ${by.path ?? by.file}`);
    return el(
      "li",
      { class: `die${out ? " out" : ""}${extreme}`, title: words.join(", ") },
      svg("svg", { viewBox: "-16 -16 32 32", "aria-hidden": "true" }, svg("path", { d: dieShape(d.sides) }), svg("text", { y: 4.6 }, String(d.face))),
      el("span", { class: "hidden" }, words.join(", ")),
      el("small", { "aria-hidden": "true" }, `d${d.sides}${marks.length ? ` ${marks.join(" ")}` : ""}${by ? ` → ${d.instead}` : ""}`),
    );
  }

  private amount(e: FightEvent): HTMLElement {
    const d = e.is! - e.was!;
    return el("p", { class: "amount" }, el("span", null, e.name ?? ""), " ", String(e.was), " → ", el("b", null, String(e.is)), " ", el("span", { class: d < 0 ? "loss" : "gain" }, `(${d > 0 ? "+" : "−"}${Math.abs(d)})`));
  }

  /** number is a number that opens to its terms. Title is that of the event that it explains; then the numbers that it is
   * made of are open, too. */
  private number(x: Explained, open: boolean, title = ""): HTMLElement {
    const body = el("div", { class: "terms" });
    const head = x.title === title && x.terms.length + (x.of?.length ?? 0) > 0 ? "Why this number" : x.title;
    const button = el("button", { class: "number", type: "button", "aria-expanded": "false" }, el("span", { class: "twist", "aria-hidden": "true" }), el("span", null, head));
    const toggle = (on: boolean) => {
      button.setAttribute("aria-expanded", String(on));
      body.hidden = !on;
      if (on && !body.firstChild) this.terms(x, body, title !== "");
    };
    button.addEventListener("click", () => toggle(button.getAttribute("aria-expanded") !== "true"));
    toggle(open);
    return el("div", { class: "explained" }, button, body);
  }

  private terms(x: Explained, body: HTMLElement, top: boolean): void {
    const list = el("ul");
    const nothing = x.terms.filter((t) => t.value === "+0" && !t.why && x.terms.length > 2);
    for (const t of x.terms) {
      if (nothing.includes(t)) continue;
      const rule = t.rule !== undefined ? this.doc.rules[t.rule] : undefined;
      const more = rule !== undefined || !!t.of?.length;
      const below = el("div", { class: "below", hidden: true });
      const words = [
        el("span", { class: "value" }, t.value),
        el("span", { class: "label" }, t.label, t.type ? el("small", null, ` ${t.type}`) : null),
        t.why ? el("small", { class: "why" }, t.why) : null,
        t.decided ? el("small", { class: "decided", title: "Without it the result would have been another" }, "decides") : null,
      ];
      const row = more ? el("button", { type: "button", class: "term", "aria-expanded": "false" }, ...words) : el("div", { class: "term" }, ...words);
      if (more) {
        row.addEventListener("click", () => {
          const on = row.getAttribute("aria-expanded") !== "true";
          row.setAttribute("aria-expanded", String(on));
          below.hidden = !on;
          if (!on || below.firstChild) return;
          for (const of of t.of ?? []) below.append(this.number(this.doc.numbers[of]!, false));
          if (rule) below.append(this.rule(rule, ""));
        });
      }
      list.append(el("li", { class: t.why ? "lost" : "" }, row, below));
    }
    if (nothing.length) list.append(el("li", null, el("div", { class: "term zero" }, el("span", { class: "value" }, "+0"), el("small", { class: "label" }, nothing.map((t) => t.label).join(", ")))));
    if (x.terms.length) body.append(list);
    for (const of of x.of ?? []) body.append(this.number(this.doc.numbers[of]!, top));
    for (const note of x.notes ?? []) body.append(el("p", { class: "note" }, note));
  }

  /** rule is the text of a rule and where it stands. One with a heading opens to its text. */
  private rule(r: Rule, heading: string): HTMLElement {
    const place = `${r.file}:${r.line}`;
    const name = [heading ? `${heading}: ` : "", r.path ? el("b", null, r.path) : null];
    const where = this.onRule ? el("button", { type: "button", class: "place", title: "Go to the rule", onclick: () => this.onRule!(r) }, place) : el("span", { class: "place" }, place);
    const text = [r.doc ? el("p", null, r.doc) : null, r.text ? el("pre", { tabindex: "0", "aria-label": "Text of the rule" }, r.text) : null, r.cites?.length ? el("p", { class: "cites" }, r.cites.join(", ")) : null];
    if (!heading) return el("figure", { class: "rule" }, el("figcaption", null, ...name, " ", where), ...text);
    return el("details", { class: "rule" }, el("summary", null, ...name), where, ...text);
  }

  /** creature shows all about one creature. */
  creature(who: number, s: State): void {
    const x = s.creatures[who];
    const c = this.doc.creatures[who];
    if (!x || !c) return;
    const key = `creature ${who} ${JSON.stringify([x.amounts, x.effects, x.at, x.down])}`;
    if (key === this.shown) return;
    this.shown = key;
    this.root.setAttribute("aria-label", `About ${c.name}`);
    const parts: Node[] = [
      el("h2", null, icon(c), el("span", null, c.name)),
      el("p", { class: "quiet" }, [this.doc.sides[c.side], c.template, x.at.length ? `at (${x.at[0]}, ${x.at[1]})${x.at[2] ? `, ${x.at[2]! * 5} ft up` : ""}` : "", x.width > 1 ? `${x.width}×${x.width} squares` : "", x.down ? "out of the fight" : ""].filter(Boolean).join(" · ")),
    ];
    for (const a of pools(this.doc, x)) {
      parts.push(el("p", { class: "pool" }, el("span", null, this.doc.resources[a.of]!.name), meter(share(a)), el("b", null, `${a.value}/${a.high}`)));
    }
    const rest = x.amounts.filter((a) => {
      const r = this.doc.resources[a.of]!;
      return r.sort !== "pool" && (a.value !== 0 || r.sort !== "count") && !(a.high === 0 && a.value === 0);
    });
    if (rest.length) {
      parts.push(el("dl", { class: "counts" }, ...rest.flatMap((a) => [el("dt", null, this.doc.resources[a.of]!.name), el("dd", null, a.high !== undefined ? `${a.value} of ${a.high}` : String(a.value))])));
    }
    const named = new Set<string>();
    const effects = x.effects.filter((e) => {
      const name = `${this.doc.effects[e.of]!.name} ${e.with ?? ""}`;
      return !named.has(name) && !!named.add(name);
    });
    const rank = (word: string) => (word === "condition" ? 0 : word === "effect" ? 1 : 2);
    effects.sort((a, b) => rank(this.doc.effects[a.of]!.word) - rank(this.doc.effects[b.of]!.word));
    for (const e of effects) {
      const d = this.doc.effects[e.of]!;
      const below = el("div", { class: "below", hidden: true });
      const from = e.from !== undefined ? `from ${this.doc.creatures[e.from]?.name}` : "";
      const button = el("button", { type: "button", class: "term effect", "aria-expanded": "false" }, el("span", { class: "label" }, d.name, e.with ? ` ${e.with}` : ""), el("small", { class: "why" }, [d.word === "condition" ? "" : d.word, e.lasts ? `${e.lasts}` : "", from].filter(Boolean).join(", ")));
      button.addEventListener("click", () => {
        const on = button.getAttribute("aria-expanded") !== "true";
        button.setAttribute("aria-expanded", String(on));
        below.hidden = !on;
        if (on && !below.firstChild && d.rule !== undefined) below.append(this.rule(this.doc.rules[d.rule]!, ""));
      });
      parts.push(el("div", { class: "terms" }, button, below));
    }
    this.root.replaceChildren(...parts);
  }
}

/** meter is a bar that is filled in part. */
export function meter(of: number): HTMLElement {
  const fill = el("span", { class: of > 0.5 ? "well" : of > 0.25 ? "hurt" : "bad" });
  fill.style.width = `${(of * 100).toFixed(1)}%`;
  return el("span", { class: "meter", "aria-hidden": "true" }, fill);
}

/** conditionText lists the conditions of a creature. */
export const conditionText = (doc: Replay, s: State, who: number): string => conditions(doc, s.creatures[who]!).map((c) => c.text).join(", ");
