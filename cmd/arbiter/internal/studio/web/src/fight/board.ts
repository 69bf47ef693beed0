// The map of a fight: ground, creatures, and on request what they can reach, what they threaten, the lines of a roll and
// the way of a movement. It can be moved and enlarged.
import { drawGround, groundMap, side, type GroundMap } from "./ground";
import type { CoverLine, FightEvent, Replay, Span, State, Timeline } from "./model";
import { Tokens } from "./tokens";
import { el, put, svg } from "./dom";

/** Layers that can be shown or not. */
export const layers = ["reach", "threat", "lines", "area", "path"] as const;
export type Layer = (typeof layers)[number];

/** largest is the side of a square on the screen, unless it is enlarged. */
const largest = 52;

export interface Picked {
  who: number; // -1 for the ground
  square: [number, number];
}

export class Board {
  readonly root = el("div", { class: "board" });
  private below = svg("svg", { class: "ground-layer", "aria-hidden": "true" });
  private above = svg("svg", { class: "creature-layer", role: "img" });
  private overlay = svg("g", { class: "overlay" });
  private trail = svg("g", { class: "marks" }); // below the creatures
  private marks = svg("g", { class: "marks" });
  private drop = svg("rect", { class: "drop", width: side, height: side, rx: 3 });
  /** moves says which creatures can be dragged, and whether one could go to a square; null: none can. */
  moves: { can: (who: number) => boolean; fits: (square: [number, number]) => boolean; go: (who: number, square: [number, number]) => void } | null = null;
  private tokens: Tokens;
  private grounds = new Map<number, GroundMap>();
  private shownMap = -2;
  private map?: GroundMap;
  private view = { x: 0, y: 0, w: 1, h: 1 };
  private zoom = 1;
  private shown = new Set<Layer>();
  private overlayKey = "";
  private marksKey = "";
  private fitted = true; // and nobody has asked for the whole map
  private resumed?: { view: { x: number; y: number; w: number; h: number }; zoom: number };
  private dragging = false;
  selected = -1;

  constructor(private doc: Replay, private timeline: Timeline, private pick: (p: Picked) => void) {
    this.tokens = new Tokens(doc);
    this.above.append(
      svg("defs", null,
        svg("pattern", { id: "fight-hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("path", { class: "hatch", d: "M0 0v5" })),
        svg("marker", { id: "fight-arrow", viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto-start-reverse" }, svg("path", { class: "arrow-head", d: "M0 0L10 5L0 10L2.4 5Z" }))),
      this.overlay, this.trail, this.tokens.g, this.marks);
    this.root.append(this.below, this.above);
    this.listen();
    new ResizeObserver(() => this.frame()).observe(this.root);
  }

  /** show shows the state after n events. */
  show(n: number, state: State): void {
    if (state.map !== this.shownMap) this.showMap(state.map);
    this.tokens.update(state);
    this.showOverlay(state);
    this.showMarks(n, state);
    const e = this.timeline.event(n);
    this.follow(e && e.who >= 0 ? e.who : state.turn, state);
  }

  /** resume shows the same part of the map as another board did. */
  resume(o: Board): void {
    if (o.zoom === 1 && o.fitted) return;
    this.resumed = { view: o.view, zoom: o.zoom };
  }

  /** describe tells the map to those who do not see it. */
  describe(text: string): void {
    put(this.above, "aria-label", text);
  }

  toggle(layer: Layer, on: boolean): void {
    if (on) this.shown.add(layer);
    else this.shown.delete(layer);
    this.overlayKey = this.marksKey = "";
  }

  isShown = (layer: Layer): boolean => this.shown.has(layer);

  get ground(): GroundMap | undefined {
    return this.map;
  }

  private showMap(index: number): void {
    this.shownMap = index;
    this.root.classList.toggle("none", index < 0);
    this.overlayKey = this.marksKey = "";
    if (index < 0) {
      this.map = undefined;
      this.below.replaceChildren();
      return;
    }
    this.map = this.grounds.get(index) ?? groundMap(this.doc, index);
    this.grounds.set(index, this.map);
    this.below.replaceChildren(drawGround(this.map), this.rulers(this.map));
    this.fit();
    if (!this.resumed) return;
    this.view = this.resumed.view;
    this.zoom = this.resumed.zoom;
    this.fitted = false;
    this.resumed = undefined;
    this.frame();
  }

  /** rulers number the squares at the upper and the left border. */
  private rulers(m: GroundMap): SVGGElement {
    const g = svg("g", { class: "rulers" });
    const every = 5;
    for (let x = m.x0; x < m.x0 + m.width; x++) if (x % every === 0) g.append(svg("text", { x: (x + 0.5) * side, y: m.y0 * side - 3 }, String(x)));
    for (let y = m.y0; y < m.y0 + m.height; y++) if (y % every === 0) g.append(svg("text", { class: "left", x: m.x0 * side - 3, y: (y + 0.5) * side + 2.4 }, String(y)));
    return g;
  }

  // --- overlays ------------------------------------------------------------------------------------------

  private showOverlay(s: State): void {
    const who = this.selected >= 0 ? this.selected : s.turn;
    const c = s.creatures[who];
    const spans = (layer: Layer, list: Span[] | undefined) => (this.shown.has(layer) && list?.length ? list : []);
    const reach = spans("reach", c?.reach);
    const threat = spans("threat", c?.threatens);
    const key = `${reach.join()}|${threat.join()}`;
    if (key === this.overlayKey) return;
    this.overlayKey = key;
    this.overlay.replaceChildren();
    if (reach.length) this.overlay.append(svg("path", { class: "reach", d: area(reach) }), svg("path", { class: "reach-edge", d: rim(reach) }));
    if (threat.length) this.overlay.append(svg("path", { class: "threat", d: area(threat) }), svg("path", { class: "threat-edge", d: rim(threat) }));
  }

  private showMarks(n: number, s: State): void {
    const e = this.timeline.event(n);
    const act = this.timeline.act(n);
    const acting = act >= 0 ? this.doc.events[act]! : undefined;
    const path = this.shown.has("path") ? this.pathOf(n, acting) : [];
    const lines = this.shown.has("lines") ? (e?.lines ?? []) : [];
    const areas = this.shown.has("area") ? (acting?.areas ?? []) : [];
    const middle = (who: number) => {
      const x = s.creatures[who];
      return x?.here && x.at.length ? [(x.at[0]! + x.width / 2) * side, (x.at[1]! + x.width / 2) * side, (x.width * side) / 2] : null;
    };
    const aims = acting ? (acting.targets ?? []).filter((t) => t !== acting.who) : [];
    const from = acting && middle(acting.who);
    const key = `${this.shownMap}|${path.join()}|${e?.lines ? n : ""}|${lines.length}|${areas.length}|${acting?.id}|${from}|${aims.map(middle)}|${this.selected}:${middle(this.selected)}`;
    if (key === this.marksKey) return;
    this.marksKey = key;
    this.marks.replaceChildren();
    this.trail.replaceChildren();
    for (const squares of areas) this.trail.append(svg("path", { class: "blast", d: area(squares) }), svg("path", { class: "blast-edge", d: rim(squares) }));
    if (path.length > 1) this.trail.append(svg("polyline", { class: "path", points: path.map((p) => p.join()).join(" ") }), svg("circle", { class: "path-start", cx: path[0]![0], cy: path[0]![1], r: 2.4 }));
    for (const t of aims) {
      const to = middle(t);
      if (!to) continue;
      const d = from ? Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!) : 0;
      if (from && lines.length === 0 && d > from[2]! + to[2]! + 2) {
        const at = (k: number, r: number) => `${(from[k]! + ((to[k]! - from[k]!) * r) / d).toFixed(1)}`;
        const [a, b] = [from[2]! + 1, d - to[2]! - 2];
        this.marks.append(svg("path", { class: "aim", d: `M${at(0, a)} ${at(1, a)}L${at(0, b)} ${at(1, b)}`, "marker-end": "url(#fight-arrow)" }));
      }
      this.marks.append(svg("circle", { class: "target", cx: to[0], cy: to[1], r: to[2]! + 1.4 }));
    }
    if (acting?.square && aims.length === 0) {
      const [x, y] = acting.square;
      this.trail.append(svg("rect", { class: "spot", x: x * side + 2, y: y * side + 2, width: side - 4, height: side - 4, rx: 3 }));
    }
    for (const l of lines) this.marks.append(...coverLine(l));
    const chosen = this.selected >= 0 ? middle(this.selected) : null;
    if (chosen) this.marks.append(svg("circle", { class: "chosen", cx: chosen[0], cy: chosen[1], r: chosen[2]! + 3 }));
  }

  /** pathOf is the way that the creature of an action has gone in it, up to n events. */
  private pathOf(n: number, acting: FightEvent | undefined): [number, number][] {
    if (!acting || acting.who < 0) return [];
    const first = this.timeline.indexOf(acting.id);
    if (n - first > 400) return [];
    const before = this.timeline.state(first).creatures[acting.who];
    this.timeline.state(n);
    if (!before?.at.length) return [];
    const w = before.width / 2;
    const list: [number, number][] = [[(before.at[0]! + w) * side, (before.at[1]! + w) * side]];
    for (let i = first; i < n; i++) {
      for (const c of this.doc.events[i]!.change?.creatures ?? []) if (c.who === acting.who && c.at?.length) list.push([(c.at[0]! + w) * side, (c.at[1]! + w) * side]);
    }
    return list;
  }

  // --- moving and enlarging --------------------------------------------------------------------------------

  /** fit shows the whole map. */
  fit(asked = false): void {
    this.zoom = 1;
    this.fitted = !asked;
    const m = this.map;
    if (!m) return;
    this.view = { x: (m.x0 - 0.8) * side, y: (m.y0 - 0.7) * side, w: (m.width + 1.6) * side, h: (m.height + 1.4) * side };
    this.frame();
  }

  /** follow keeps a creature in view on a map that is enlarged; on a small screen it enlarges one with small squares. */
  private follow(who: number, s: State): void {
    const x = s.creatures[who];
    if (!x?.here || !x.at.length || !this.map || this.dragging) return;
    const p = { x: (x.at[0]! + x.width / 2) * side, y: (x.at[1]! + x.width / 2) * side };
    const scale = Math.min(this.root.clientWidth / this.view.w, this.root.clientHeight / this.view.h);
    if (this.fitted && this.root.clientWidth > 0 && this.root.clientWidth < 600 && scale * side < 17) this.enlarge(24 / (scale * side), p);
    if (this.zoom === 1) return;
    const inX = p.x > this.view.x + this.view.w * 0.12 && p.x < this.view.x + this.view.w * 0.88;
    const inY = p.y > this.view.y + this.view.h * 0.12 && p.y < this.view.y + this.view.h * 0.88;
    if (inX && inY) return;
    this.view = { ...this.view, x: p.x - this.view.w / 2, y: p.y - this.view.h / 2 };
    this.frame();
  }

  /** enlarge zooms around a point, which is the middle unless given. */
  enlarge(by: number, at?: { x: number; y: number }): void {
    const zoom = Math.max(1, Math.min(12, this.zoom * by));
    if (zoom === 1) return this.fit();
    const k = this.zoom / zoom;
    const p = at ?? { x: this.view.x + this.view.w / 2, y: this.view.y + this.view.h / 2 };
    this.view = { x: p.x - (p.x - this.view.x) * k, y: p.y - (p.y - this.view.y) * k, w: this.view.w * k, h: this.view.h * k };
    this.zoom = zoom;
    this.fitted = false;
    this.frame();
  }

  private frame(): void {
    let { x, y, w, h } = this.view;
    const widest = (this.root.clientWidth / w) * side > largest && (this.root.clientHeight / h) * side > largest;
    if (this.zoom === 1 && widest) { // a small map does not fill a large screen
      const [fw, fh] = [(this.root.clientWidth / largest) * side, (this.root.clientHeight / largest) * side];
      [x, y, w, h] = [x - (fw - w) / 2, y - (fh - h) / 2, fw, fh];
    }
    for (const s of [this.below, this.above]) put(s, "viewBox", `${x.toFixed(2)} ${y.toFixed(2)} ${w.toFixed(2)} ${h.toFixed(2)}`);
    const scale = Math.min(this.root.clientWidth / w, this.root.clientHeight / h) || 1;
    this.root.classList.toggle("near", scale * side > 44);
    this.root.classList.toggle("far", scale * side < 13);
  }

  private point(e: { clientX: number; clientY: number }): { x: number; y: number } {
    const m = this.above.getScreenCTM();
    if (!m) return { x: 0, y: 0 };
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(m.inverse());
    return { x: p.x, y: p.y };
  }

  private listen(): void {
    let dragged: { id: number; x: number; y: number; moved: boolean; who: number } | null = null; // who: a creature, or -1 for the map
    const squareAt = (e: PointerEvent): [number, number] => {
      const p = this.point(e);
      return [Math.floor(p.x / side), Math.floor(p.y / side)];
    };
    this.root.addEventListener("wheel", (e) => {
      if (!this.map) return;
      if (this.zoom === 1 && e.deltaY > 0) return; // the page may scroll
      e.preventDefault();
      this.enlarge(Math.exp(-e.deltaY * 0.0016), this.point(e));
    }, { passive: false });
    this.root.addEventListener("pointerdown", (e) => {
      const who = Number((e.target as Element).closest?.("[data-who]")?.getAttribute("data-who") ?? -1);
      dragged = { id: e.pointerId, x: e.clientX, y: e.clientY, moved: false, who: who >= 0 && this.moves?.can(who) ? who : -1 };
      if (dragged.who >= 0) e.preventDefault(); // nothing is selected, and the page does not scroll
    });
    this.root.addEventListener("touchstart", (e) => dragged && dragged.who >= 0 && e.preventDefault(), { passive: false });
    this.root.addEventListener("pointermove", (e) => {
      if (!dragged || dragged.id !== e.pointerId || (this.zoom === 1 && dragged.who < 0)) return;
      const [dx, dy] = [e.clientX - dragged.x, e.clientY - dragged.y];
      if (!dragged.moved && Math.hypot(dx, dy) < 4) return;
      if (!dragged.moved) this.root.setPointerCapture(e.pointerId);
      if (dragged.who >= 0) {
        dragged.moved = this.dragging = true;
        const [x, y] = squareAt(e);
        put(this.drop, "x", String(x * side));
        put(this.drop, "y", String(y * side));
        this.drop.classList.toggle("fits", this.moves?.fits([x, y]) ?? false);
        if (!this.drop.parentNode) this.above.append(this.drop);
        return;
      }
      const m = this.above.getScreenCTM();
      const k = m ? 1 / m.a : 1;
      this.view = { ...this.view, x: this.view.x - dx * k, y: this.view.y - dy * k };
      dragged = { ...dragged, x: e.clientX, y: e.clientY, moved: true };
      this.dragging = true;
      this.frame();
    });
    const end = (e: PointerEvent) => {
      const was = dragged;
      dragged = null;
      this.dragging = false;
      this.drop.remove();
      if (was && was.id === e.pointerId && was.who >= 0 && was.moved && e.type === "pointerup") this.moves?.go(was.who, squareAt(e));
      if (!was || was.id !== e.pointerId || was.moved || e.type === "pointercancel" || !this.map) return;
      const token = (e.target as Element).closest?.("[data-who]");
      this.pick({ who: token ? Number(token.getAttribute("data-who")) : -1, square: squareAt(e) });
    };
    this.root.addEventListener("pointerup", end);
    this.root.addEventListener("pointercancel", end);
  }
}

/** area is the shape of squares. */
const area = (list: Span[]): string => list.map(([y, a, b]) => `M${a * side} ${y * side}h${(b - a + 1) * side}v${side}h${(a - b - 1) * side}Z`).join("");

/** rim is the border of squares. */
function rim(list: Span[]): string {
  const has = new Set<number>();
  for (const [y, a, b] of list) for (let x = a; x <= b; x++) has.add(y * 1000 + x);
  let d = "";
  for (const at of has) {
    const [x, y] = [(at % 1000) * side, Math.floor(at / 1000) * side];
    if (!has.has(at - 1000)) d += `M${x} ${y}h${side}`;
    if (!has.has(at + 1000)) d += `M${x} ${y + side}h${side}`;
    if (!has.has(at - 1)) d += `M${x} ${y}v${side}`;
    if (!has.has(at + 1)) d += `M${x + side} ${y}v${side}`;
  }
  return d;
}

/** coverLine draws a line: one that is blocked is dashed and crossed. */
function coverLine(l: CoverLine): SVGElement[] {
  const [x1, y1, x2, y2] = [l.from[0] * side, l.from[1] * side, l.to[0] * side, l.to[1] * side];
  const list: SVGElement[] = [svg("path", { class: l.blocked ? "cover blocked" : "cover", d: `M${x1} ${y1}L${x2} ${y2}` }), svg("circle", { class: "cover-end", cx: x2, cy: y2, r: 1.4 })];
  if (l.blocked) {
    const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
    list.push(svg("path", { class: "cover-cross", d: `M${mx - 2.4} ${my - 2.4}l4.8 4.8M${mx + 2.4} ${my - 2.4}l-4.8 4.8` }));
  }
  return list;
}
