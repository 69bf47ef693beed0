// A fight without a map: a card for each creature, side by side, with what it has left and suffers.
import { meter } from "./details";
import { conditions, hurt, share, type Replay, type State, type Timeline } from "./model";
import { icon, sideClass } from "./tokens";
import { arrows, el, put, say } from "./dom";

interface Card {
  root: HTMLButtonElement;
  amount: HTMLElement;
  fill: HTMLElement;
  conditions: HTMLElement;
}

export class Cards {
  readonly root = el("div", { class: "cards" });
  private columns: HTMLElement[];
  private caption = el("p", { class: "caption" });
  private cards = new Map<number, Card>();

  constructor(private doc: Replay, private timeline: Timeline, private select: (who: number) => void) {
    this.columns = doc.sides.map((name) => el("div", { class: "column" }, el("h2", null, name)));
    this.root.append(el("div", { class: "columns" }, ...this.columns), this.caption);
  }

  show(n: number, s: State, selected: number): void {
    const act = this.timeline.act(n);
    const acting = act >= 0 ? this.doc.events[act]! : undefined;
    s.creatures.forEach((x, who) => {
      const c = this.card(who);
      put(c.root, "hidden", x.here ? null : "");
      const pool = hurt(this.doc, x);
      const left = pool ? share(pool) : 1;
      if (c.fill.parentElement) c.fill.parentElement.hidden = !pool; // what nobody may know looks like nothing
      say(c.amount, pool ? `${pool.value} of ${pool.high} ${this.doc.resources[pool.of]!.name}` : "");
      c.fill.style.width = `${(left * 100).toFixed(1)}%`;
      put(c.fill, "class", left > 0.5 ? "well" : left > 0.25 ? "hurt" : "bad");
      const list = conditions(this.doc, x).map((k) => k.text);
      if (c.conditions.dataset.shown !== list.join()) {
        c.conditions.dataset.shown = list.join();
        c.conditions.replaceChildren(...list.map((t) => el("span", null, t)));
      }
      c.root.classList.toggle("down", !!x.down);
      c.root.classList.toggle("turn", s.turn === who);
      c.root.classList.toggle("aimed", !!acting?.targets?.includes(who) && acting.who !== who);
      put(c.root, "aria-pressed", String(who === selected));
    });
    say(this.caption, arrows(this.timeline.event(n)?.text ?? ""));
  }

  private card(who: number): Card {
    const have = this.cards.get(who);
    if (have) return have;
    const c = this.doc.creatures[who]!;
    const bar = meter(1);
    const parts = { amount: el("span", { class: "left" }), fill: bar.firstElementChild as HTMLElement, conditions: el("span", { class: "chips" }) };
    const root = el("button", { type: "button", class: `card ${sideClass(c.side)}`, "aria-pressed": "false", onclick: () => this.select(who) }, icon(c), el("b", null, c.name), bar, parts.amount, parts.conditions);
    const card = { root, ...parts };
    this.cards.set(who, card);
    this.columns[c.side]?.append(root);
    return card;
  }
}
