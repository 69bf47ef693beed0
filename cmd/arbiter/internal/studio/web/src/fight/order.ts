// The list of who is in the fight: in the order of turns while there is one, with what each has left and suffers.
import { conditionText, meter } from "./details";
import { deepPools, share, type Replay, type State } from "./model";
import { icon, sideClass } from "./tokens";
import { el, put, say } from "./dom";

interface Row {
  button: HTMLButtonElement;
  item: HTMLLIElement;
  amount: HTMLElement;
  fills: HTMLElement[];
  conditions: HTMLElement;
  count: HTMLElement;
}

export class Order {
  readonly root = el("ol", { class: "order", "aria-label": "Turn order" });
  private rows = new Map<number, Row>();
  private last?: State;
  private lastSelected = -1;

  constructor(private doc: Replay, private select: (who: number) => void) {}

  show(s: State, selected: number): void {
    if (this.last && this.last.creatures === s.creatures && this.last.order === s.order && this.last.turn === s.turn && selected === this.lastSelected) return;
    const keys = new Map(s.order.map((p) => [p.who, p.keys[0]]));
    const inOrder = s.order.map((p) => p.who);
    const others = s.creatures.map((_, i) => i).filter((i) => s.creatures[i]!.here && !keys.has(i));
    const list = [...inOrder, ...others].filter((i) => s.creatures[i]?.here);
    const items = list.map((who) => this.row(who).item);
    if (items.length !== this.root.children.length || items.some((x, i) => this.root.children[i] !== x)) this.root.replaceChildren(...items);
    for (const who of list) {
      const x = s.creatures[who]!;
      const r = this.row(who);
      if (this.last?.creatures[who] !== x) {
        const list = deepPools(this.doc, x);
        say(r.amount, list.map((a) => `${a.value}/${a.high}`).join("  "));
        put(r.amount, "title", list.map((a) => `${this.doc.resources[a.of]!.name} ${a.value} of ${a.high}`).join(", "));
        r.fills.forEach((fill, i) => {
          const pool = list[i];
          fill.parentElement!.style.display = pool ? "" : "none";
          if (!pool) return;
          const left = share(pool);
          fill.style.width = `${(left * 100).toFixed(1)}%`;
          put(fill, "class", left > 0.5 ? "well" : left > 0.25 ? "hurt" : "bad");
        });
        say(r.conditions, conditionText(this.doc, s, who));
        r.item.classList.toggle("down", !!x.down);
      }
      const key = keys.get(who);
      say(r.count, key === undefined ? "" : String(key));
      r.item.classList.toggle("turn", s.turn === who);
      put(r.button, "aria-current", s.turn === who ? "true" : null);
      put(r.button, "aria-pressed", String(selected === who));
    }
    if (this.last?.turn !== s.turn && s.turn >= 0) this.reveal(s.turn);
    this.last = s;
    this.lastSelected = selected;
  }

  /** reveal brings the one whose turn it is into view, where the list is longer than its place. */
  private reveal(who: number): void {
    const box = this.root.parentElement;
    const item = this.rows.get(who)?.item;
    if (!box || !item || box.scrollHeight <= box.clientHeight) return;
    const top = item.offsetTop - this.root.offsetTop;
    if (top < box.scrollTop || top + item.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 3;
  }

  private row(who: number): Row {
    const have = this.rows.get(who);
    if (have) return have;
    const c = this.doc.creatures[who]!;
    const bars = [meter(1), meter(1)];
    const r = {
      amount: el("span", { class: "left" }),
      fills: bars.map((b) => b.firstElementChild as HTMLElement),
      conditions: el("span", { class: "conditions" }),
      count: el("span", { class: "count", title: "Place in the order" }),
    };
    const button = el("button", { type: "button", "aria-pressed": "false", onclick: () => this.select(who) }, icon(c), el("span", { class: "name" }, c.name), r.amount, el("span", { class: "bars" }, ...bars), r.conditions, r.count);
    const item = el("li", { class: sideClass(c.side) }, button);
    const row = { ...r, button, item };
    this.rows.set(who, row);
    return row;
  }
}
