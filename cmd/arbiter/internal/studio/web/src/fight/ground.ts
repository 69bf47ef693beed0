// The ground of a map, drawn once: squares with their textures, the borders of walls, the contours of heights.
//
// How a square looks follows from what it does (it blocks, hides, gives cover, costs more, lies higher). A word of its
// name only chooses the picture: water that is called shallow-water has waves, and an unknown word has hatching.
import type { Ground, Replay } from "./model";
import { svg } from "./dom";

/** side is the side of a square, in units of the drawing. */
export const side = 20;

export interface GroundMap {
  x0: number;
  y0: number;
  width: number;
  height: number;
  at(x: number, y: number): Ground | undefined;
  used: Ground[];
}

/** groundMap reads a map. Of open ground, only the part is used that somebody stands on at some time. */
export function groundMap(doc: Replay, index: number): GroundMap {
  const map = doc.maps[index]!;
  const bySign = new Map(doc.ground.map((g) => [g.sign, g]));
  const rows = map.rows.map((r) => [...doc.rows[r]!]);
  let [x0, y0, x1, y1] = [0, 0, Math.max(0, ...rows.map((r) => r.length)) - 1, rows.length - 1];
  if (!map.drawn) [x0, y0, x1, y1] = extent(doc, x1, y1);
  const at = (x: number, y: number) => bySign.get(rows[y]?.[x] ?? "");
  const used = new Set<Ground>();
  for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) if (at(x, y)?.names.length) used.add(at(x, y)!);
  return { x0, y0, width: x1 - x0 + 1, height: y1 - y0 + 1, at, used: [...used] };
}

function extent(doc: Replay, xMax: number, yMax: number): [number, number, number, number] {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  const widths = new Map<number, number>();
  const see = (who: number, at: number[] | undefined, width: number | undefined) => {
    if (width) widths.set(who, width);
    if (!at || at.length < 2) return;
    const w = widths.get(who) ?? 1;
    x0 = Math.min(x0, at[0]! - 2);
    y0 = Math.min(y0, at[1]! - 2);
    x1 = Math.max(x1, at[0]! + w + 1);
    y1 = Math.max(y1, at[1]! + w + 1);
  };
  doc.start.creatures.forEach((c, i) => see(i, c.at, c.width));
  for (const e of doc.events) for (const c of e.change?.creatures ?? []) see(c.who, c.at, c.width);
  if (x0 > x1) return [0, 0, Math.min(19, xMax), Math.min(14, yMax)];
  return [Math.max(0, x0), Math.max(0, y0), Math.min(xMax, x1), Math.min(yMax, y1)];
}

/** The pictures of ground. */
export type Look = "wall" | "low" | "bars" | "pit" | "tree" | "water" | "deep" | "stones" | "plants" | "mud" | "mist" | "dark" | "light" | "ledge" | "rough" | "other" | "plain";

const words: [RegExp, Look][] = [
  [/tree|trunk|palm|oak|pine/, "tree"],
  [/deep.*(water|river|lake|sea)|(water|river|lake|sea).*deep/, "deep"],
  [/water|river|stream|ford|brook|lake|pond|marsh|swamp/, "water"],
  [/rubble|scree|debris|stones|gravel|boulder/, "stones"],
  [/undergrowth|bush|bramble|hedge|grass|thicket|brush|fern|reed/, "plants"],
  [/mud|snow|sand|ice|slime/, "mud"],
  [/fog|mist|smoke|cloud|dust|steam/, "mist"],
  [/dark|shadow|dim/, "dark"],
  [/light/, "light"],
];

/** look chooses the picture of a kind of ground. */
export function look(g: Ground): Look {
  if (g.names.length === 0) return "plain";
  const is = new Set(g.is ?? []);
  if (is.has("blocked")) {
    if (is.has("gives-cover")) return "bars";
    return is.has("stops-sight") || is.has("stops-effects") ? "wall" : "pit";
  }
  for (const [word, picture] of words) if (g.names.some((n) => word.test(n))) return picture;
  if (is.has("gives-cover")) return "low";
  if (is.has("stops-sight") || is.has("conceals")) return "mist";
  if (g.height) return "ledge";
  return g.price > 1 ? "rough" : "other";
}

/** A repeatable number from 0 to 1 for a square, so that each drawing of a map is the same. */
function noise(x: number, y: number, n: number): number {
  let h = (x * 374761393 + y * 668265263 + n * 2246822519) >>> 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177) >>> 0;
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

const f = (n: number) => (Math.round(n * 10) / 10).toString();

/** strokes and fills of the texture of one square, as paths. */
interface Texture {
  fill: string;
  line: string;
}

function blob(cx: number, cy: number, r: number, x: number, y: number, seed: number, corners: number): string {
  let d = "";
  for (let i = 0; i < corners; i++) {
    const a = (i / corners) * 2 * Math.PI + noise(x, y, seed) * 6;
    const k = r * (0.75 + 0.4 * noise(x, y, seed + i + 1));
    d += `${i ? "L" : "M"}${f(cx + Math.cos(a) * k)} ${f(cy + Math.sin(a) * k)}`;
  }
  return d + "Z";
}

function texture(picture: Look, x: number, y: number, same: (dx: number, dy: number) => boolean): Texture {
  const [px, py] = [x * side, y * side];
  const n = (i: number) => noise(x, y, i);
  let [fill, line] = ["", ""];
  switch (picture) {
    case "wall": // courses of stone
      line += `M${px} ${py + 10}h${side}M${px + (y % 2 ? 5 : 13)} ${py}v10M${px + (y % 2 ? 14 : 6)} ${py + 10}v10`;
      break;
    case "low": {
      // A wall that goes on to its neighbours.
      const [l, r, u, d] = [same(-1, 0), same(1, 0), same(0, -1), same(0, 1)];
      const across = l || r || (!u && !d);
      if (across) fill += `M${px + (l ? 0 : 2)} ${py + 6.5}H${px + side - (r ? 0 : 2)}v7H${px + (l ? 0 : 2)}Z`;
      if (u || d) fill += `M${px + 6.5} ${py + (u ? 0 : across ? 6.5 : 2)}h7V${py + side - (d ? 0 : across ? 6.5 : 2)}h-7Z`;
      if (across) line += `M${px + 5 + n(1) * 2} ${py + 6.5}v7M${px + 13 + n(2) * 2} ${py + 6.5}v7`;
      if (u || d) line += `M${px + 6.5} ${py + 4 + n(3)}h7M${px + 6.5} ${py + 15 + n(4)}h7`;
      break;
    }
    case "bars":
      for (let i = 0; i < 4; i++) line += `M${px + 2.5 + i * 5} ${py + 2}v16`;
      line += `M${px + 1} ${py + 5}h18M${px + 1} ${py + 15}h18`;
      break;
    case "pit":
      line += `M${px + 3} ${py + 3}l14 14M${px + 17} ${py + 3}l-14 14`;
      break;
    case "tree":
      fill += blob(px + 10, py + 10, 8.6, x, y, 3, 11);
      line += `M${px + 10} ${py + 10}m-2.2 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0M${px + 5.5} ${py + 6.5}q2 -2.4 4.4 -1.6M${px + 12.6} ${py + 14.4}q2.6 -.6 2.8 -3.2`;
      break;
    case "water":
    case "deep":
      for (let i = 0; i < (picture === "deep" ? 3 : 2); i++) {
        const [wx, wy] = [px + 1 + n(i) * 6, py + 5 + i * (picture === "deep" ? 5.5 : 8) + n(i + 5) * 3];
        line += `M${f(wx)} ${f(wy)}q2.2 -2.4 4.4 0t4.4 0t3 -.6`;
      }
      break;
    case "stones":
      for (let i = 0; i < 5; i++) fill += blob(px + 3 + n(i) * 14, py + 3 + n(i + 9) * 14, 1.4 + n(i + 20) * 1.5, x, y, 31 * i, 6);
      break;
    case "plants":
      for (let i = 0; i < 5; i++) {
        const [wx, wy] = [px + 3 + n(i) * 14, py + 6 + n(i + 7) * 12];
        line += `M${f(wx)} ${f(wy)}l-1.8 -3.4M${f(wx)} ${f(wy)}v-4.4M${f(wx)} ${f(wy)}l1.9 -3.2`;
      }
      break;
    case "mud":
      for (let i = 0; i < 6; i++) fill += blob(px + 2 + n(i) * 16, py + 2 + n(i + 9) * 16, 0.7 + n(i + 3) * 0.7, x, y, 7 * i, 5);
      break;
    case "mist":
      for (let i = 0; i < 3; i++) line += `M${f(px + n(i) * 8)} ${f(py + 4 + i * 6)}h${f(7 + n(i + 4) * 6)}`;
      break;
    case "rough":
      line += `M${px} ${py + 10}l10 -10M${px + 10} ${py + side}l10 -10`;
      break;
    case "other":
      fill += `M${px + 9} ${py + 9}h2v2h-2Z`;
      break;
  }
  return { fill, line };
}

/** drawGround draws the ground of a map. */
export function drawGround(map: GroundMap): SVGGElement {
  const g = svg("g", { class: "ground" });
  const { x0, y0, width, height } = map;
  g.append(svg("rect", { class: "paper", x: x0 * side, y: y0 * side, width: width * side, height: height * side }));
  const regions = new Map<Ground, string>();
  const textures = new Map<Ground, Texture>();
  const edges = new Map<Ground, string>();
  for (let y = y0; y < y0 + height; y++) {
    for (let x = x0; x < x0 + width; ) {
      const c = map.at(x, y);
      let end = x + 1;
      while (end < x0 + width && map.at(end, y) === c) end++;
      if (c && c.names.length) regions.set(c, (regions.get(c) ?? "") + `M${x * side} ${y * side}h${(end - x) * side}v${side}h${(x - end) * side}Z`);
      x = end;
    }
  }
  for (const c of map.used) {
    const picture = look(c);
    const t: Texture = { fill: "", line: "" };
    let edge = "";
    for (let y = y0; y < y0 + height; y++) {
      for (let x = x0; x < x0 + width; x++) {
        if (map.at(x, y) !== c) continue;
        const same = (dx: number, dy: number) => map.at(x + dx, y + dy) === c;
        const one = texture(picture, x, y, same);
        t.fill += one.fill;
        t.line += one.line;
        edge += border(map, c, x, y);
      }
    }
    textures.set(c, t);
    edges.set(c, edge);
  }
  const layer = (c: Ground) => `g-${look(c)}`;
  for (const [c, d] of regions) g.append(svg("path", { class: `area ${layer(c)}`, d }));
  for (const [c, t] of textures) {
    if (t.fill) g.append(svg("path", { class: `fill ${layer(c)}`, d: t.fill }));
    if (t.line) g.append(svg("path", { class: `line ${layer(c)}`, d: t.line }));
  }
  g.append(grid(map));
  for (const [c, d] of edges) if (d) g.append(svg("path", { class: `edge ${layer(c)}${c.height ? " raised" : ""}`, d }));
  g.append(...heights(map));
  return g;
}

/** border is the part of the border of a region that runs along a square. */
function border(map: GroundMap, c: Ground, x: number, y: number): string {
  const [px, py] = [x * side, y * side];
  const ends = (dx: number, dy: number) => {
    const o = map.at(x + dx, y + dy);
    if (c.height) return (o?.height ?? 0) < c.height;
    return o !== undefined && o !== c && look(o) !== look(c);
  };
  let d = "";
  if (ends(0, -1)) d += `M${px} ${py}h${side}`;
  if (ends(0, 1)) d += `M${px} ${py + side}h${side}`;
  if (ends(-1, 0)) d += `M${px} ${py}v${side}`;
  if (ends(1, 0)) d += `M${px + side} ${py}v${side}`;
  return d;
}

function grid({ x0, y0, width, height }: GroundMap): SVGPathElement {
  let d = "";
  for (let x = x0 + 1; x < x0 + width; x++) d += `M${x * side} ${y0 * side}v${height * side}`;
  for (let y = y0 + 1; y < y0 + height; y++) d += `M${x0 * side} ${y * side}h${width * side}`;
  return svg("path", { class: "grid", d });
}

/** heights writes how high raised ground is, once for each connected part. */
function heights(map: GroundMap): SVGTextElement[] {
  const list: SVGTextElement[] = [];
  const seen = new Set<number>();
  for (let y = map.y0; y < map.y0 + map.height; y++) {
    for (let x = map.x0; x < map.x0 + map.width; x++) {
      const h = map.at(x, y)?.height;
      if (!h || seen.has(y * 1000 + x)) continue;
      const stack = [[x, y] as const];
      while (stack.length) {
        const [cx, cy] = stack.pop()!;
        if (seen.has(cy * 1000 + cx) || map.at(cx, cy)?.height !== h) continue;
        seen.add(cy * 1000 + cx);
        stack.push([cx + 1, cy], [cx - 1, cy], [cx, cy + 1], [cx, cy - 1]);
      }
      list.push(svg("text", { class: "height", x: x * side + 2, y: y * side + 6.5 }, `+${h * 5}`));
    }
  }
  return list;
}

/** about describes a kind of ground in words, for the legend. */
export function about(g: Ground): string {
  const list: string[] = [];
  const is = new Set(g.is ?? []);
  if (is.has("blocked")) list.push("blocks the way");
  if (is.has("stops-sight")) list.push("stops sight");
  if (is.has("stops-effects")) list.push("stops effects");
  if (is.has("gives-cover")) list.push("cover");
  if (is.has("conceals")) list.push("hides");
  if (g.price > 1 && !is.has("blocked")) list.push(`step ×${g.price}`);
  if (g.height) list.push(`${g.height * 5} ft high`);
  return list.join(", ");
}

/** swatch is a small picture of a kind of ground, for the legend. */
export function swatch(g: Ground): SVGSVGElement {
  const one: GroundMap = { x0: 0, y0: 0, width: 1, height: 1, at: (x, y) => (x === 0 && y === 0 ? g : undefined), used: [g] };
  return svg("svg", { class: "swatch", viewBox: `0 0 ${side} ${side}`, "aria-hidden": "true" }, drawGround(one));
}
