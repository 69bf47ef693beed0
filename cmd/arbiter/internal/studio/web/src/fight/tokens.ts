// Creatures as they stand on the map: a shape and a letter for each side, the bar of what they have to lose, badges for
// their conditions.
import { side } from "./ground";
import { conditions, hurt, share, type Creature, type Replay, type State } from "./model";
import { put, say, svg } from "./dom";

/** outline is the shape of a side around the middle of a token: the first is round, the next square, and so on. */
export function outline(sideIndex: number, r: number): string {
  const polygon = (n: number, turn: number, k = 1) => {
    let d = "";
    for (let i = 0; i < n; i++) {
      const a = turn + (i / n) * 2 * Math.PI;
      d += `${i ? "L" : "M"}${(Math.cos(a) * r * k).toFixed(2)} ${(Math.sin(a) * r * k).toFixed(2)}`;
    }
    return d + "Z";
  };
  switch (sideIndex % 5) {
    case 0:
      return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    case 1: {
      const [h, c] = [r * 0.9, r * 0.28];
      return `M${-h + c} ${-h}H${h - c}Q${h} ${-h} ${h} ${-h + c}V${h - c}Q${h} ${h} ${h - c} ${h}H${-h + c}Q${-h} ${h} ${-h} ${h - c}V${-h + c}Q${-h} ${-h} ${-h + c} ${-h}Z`;
    }
    case 2:
      return polygon(6, 0, 1.06);
    case 3:
      return polygon(4, 0, 1.16);
  }
  return polygon(5, -Math.PI / 2, 1.08);
}

/** sideClass gives a side its colour. */
export const sideClass = (sideIndex: number): string => `side${sideIndex % 5}`;

/** icon is the sign of a creature beside a text. */
export function icon(c: Creature): SVGSVGElement {
  return svg(
    "svg",
    { class: `icon ${sideClass(c.side)}`, viewBox: "-10 -10 20 20", "aria-hidden": "true" },
    svg("path", { class: "shape", d: outline(c.side, 8.6) }),
    svg("text", { class: "letter", y: 3.9 }, c.sign),
  );
}

/** short is a badge's text: the initials of the words, or the first two letters. */
export function short(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const text = words.length > 1 ? words[0]![0]! + words[1]![0]! : (words[0] ?? "?").slice(0, 2);
  return text[0]!.toUpperCase() + text.slice(1).toLowerCase();
}

/** Token is one creature on the map. */
class Token {
  readonly g: SVGGElement;
  private shape = svg("path", { class: "shape" });
  private letter = svg("text", { class: "letter" });
  private ring = svg("path", { class: "ring" });
  private cross = svg("path", { class: "cross" });
  private back = svg("rect", { class: "bar-back", height: 2.6, rx: 1.3 });
  private bar = svg("rect", { class: "bar", height: 2.6, rx: 1.3 });
  private badges = svg("g", { class: "badges" });
  private above = svg("text", { class: "above" });
  private name = svg("text", { class: "name" });
  private shownBadges = "";
  private width = 0;

  constructor(private doc: Replay, readonly who: number) {
    const c = doc.creatures[who]!;
    this.g = svg("g", { class: `token ${sideClass(c.side)}`, "data-who": who });
    say(this.letter, c.sign);
    say(this.name, c.name);
    this.g.append(this.ring, this.shape, this.cross, this.letter, this.back, this.bar, this.badges, this.above, this.name);
  }

  update(s: State, dx: number, dy: number): void {
    const x = s.creatures[this.who]!;
    const w = x.width * side;
    if (w !== this.width) this.resize(w);
    const z = x.at[2] ?? 0;
    this.g.style.transform = `translate(${x.at[0]! * side + w / 2 + dx}px, ${x.at[1]! * side + w / 2 + dy}px)`;
    this.g.classList.toggle("down", !!x.down);
    this.g.classList.toggle("turn", s.turn === this.who);
    const pool = hurt(this.doc, x);
    const left = pool ? share(pool) : 0;
    put(this.back, "display", pool ? null : "none");
    put(this.bar, "display", pool ? null : "none");
    put(this.bar, "width", (left * (w - 6)).toFixed(1));
    put(this.bar, "class", `bar ${left > 0.5 ? "well" : left > 0.25 ? "hurt" : "bad"}`);
    say(this.above, z > 0 ? `↑${z * 5}` : "");
    this.showBadges(s, w);
  }

  private resize(w: number): void {
    this.width = w;
    const [sideIndex, r] = [this.doc.creatures[this.who]!.side, w / 2 - 1.9];
    put(this.shape, "d", outline(sideIndex, r));
    put(this.ring, "d", outline(sideIndex, r + 2.2));
    const k = r * 0.62;
    put(this.cross, "d", `M${-k} ${-k}L${k} ${k}M${k} ${-k}L${-k} ${k}`);
    const size = Math.min(11 + (w - side) * 0.3, 24);
    this.letter.style.fontSize = `${size}px`;
    put(this.letter, "y", (size * 0.35).toFixed(1));
    for (const b of [this.back, this.bar]) {
      put(b, "x", 3 - w / 2);
      put(b, "y", w / 2 - 3.4);
    }
    put(this.back, "width", w - 6);
    put(this.above, "x", -w / 2 + 0.6);
    put(this.above, "y", -w / 2 + 5.4);
    this.placeName(false);
  }

  /** placeName writes the name below the token, or above it. */
  placeName(above: boolean): void {
    put(this.name, "y", (above ? -this.width / 2 - 3.6 : this.width / 2 + 6.6).toFixed(1));
  }

  private showBadges(s: State, w: number): void {
    const list = conditions(this.doc, s.creatures[this.who]!);
    const key = `${w} ${list.map((c) => c.text).join(",")}`;
    if (key === this.shownBadges) return;
    this.shownBadges = key;
    const most = w > side ? 5 : 2;
    const texts = list.slice(0, list.length > most ? most - 1 : most).map((c) => short(this.doc.effects[c.of]!.name));
    if (list.length > texts.length) texts.push(`+${list.length - texts.length}`);
    this.badges.replaceChildren(
      ...texts.flatMap((t, i) => {
        const x = w / 2 - 9.6 * (texts.length - i) + 1.4;
        return [svg("rect", { x, y: -w / 2 - 2, width: 9.2, height: 7.4, rx: 2.2 }), svg("text", { x: x + 4.6, y: -w / 2 + 3.9 }, t)];
      }),
    );
  }
}

/** Tokens are all creatures of a fight. */
export class Tokens {
  readonly g = svg("g", { class: "tokens" });
  private list: Token[] = [];
  private order = "";
  private lastState?: State;

  constructor(private doc: Replay) {}

  update(s: State): void {
    if (this.lastState?.creatures === s.creatures && this.lastState.turn === s.turn) return;
    const shown: number[] = [];
    s.creatures.forEach((x, who) => {
      if (x.here && x.at.length) shown.push(who);
    });
    const rank = (who: number) => (s.creatures[who]!.down ? -1000 : 0) - s.creatures[who]!.width;
    shown.sort((a, b) => rank(a) - rank(b) || a - b); // large ones below small ones, and those who are down below all
    const order = shown.join();
    if (order !== this.order) {
      this.order = order;
      this.g.replaceChildren(...shown.map((who) => (this.list[who] ??= new Token(this.doc, who)).g));
    }
    const crowd = new Map<string, number>();
    for (const who of shown) {
      const x = s.creatures[who]!;
      const key = `${x.at[0]},${x.at[1]},${x.width}`;
      const n = crowd.get(key) ?? 0;
      crowd.set(key, n + 1);
      if (n > 0 || this.lastState?.creatures[who] !== x || this.lastState.turn !== s.turn) this.list[who]!.update(s, n * 3.5, n * -3.5);
    }
    const now = s.turn >= 0 ? s.creatures[s.turn] : undefined;
    if (now) this.list[s.turn]?.placeName(this.touches(s, now, now.width) && !this.touches(s, now, -1));
    this.lastState = s;
  }

  /** touches says whether somebody stands in the row of squares that lies below a creature, or above it. */
  private touches(s: State, x: State["creatures"][number], rows: number): boolean {
    const y = x.at[1]! + rows;
    return s.creatures.some((o) => o !== x && o.here && o.at.length > 0 && o.at[1]! <= y && y < o.at[1]! + o.width && o.at[0]! < x.at[0]! + x.width && x.at[0]! < o.at[0]! + o.width);
  }

  element(who: number): SVGGElement | undefined {
    return this.list[who]?.g;
  }
}
