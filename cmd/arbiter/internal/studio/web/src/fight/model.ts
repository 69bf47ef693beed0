// The replay document, as spec/json.md describes it, and the state of the fight at each of its events.

export interface Replay {
  kind: "replay";
  version: number;
  title: string;
  ruleset: string;
  seed: number;
  outcome: string;
  ended: string;
  rounds: number;
  cut?: { round: number; why: string };
  sides: string[];
  creatures: Creature[];
  resources: { name: string; sort: "pool" | "turn" | "reaction" | "count"; decides?: boolean; rule?: number }[];
  effects: { name: string; word: string; rule?: number }[];
  ground: Ground[];
  rows: string[];
  maps: { drawn: boolean; rows: number[] }[];
  rules: Rule[];
  numbers: Explained[];
  start: State;
  events: FightEvent[];
  frames: { event: number; state: State }[];
}

export interface Creature {
  name: string;
  side: number;
  sign: string;
  template?: string;
}

export interface Ground {
  sign: string;
  names: string[];
  is?: string[];
  price: number;
  height?: number;
}

export interface Rule {
  path?: string;
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  text: string;
  doc?: string;
  cites?: string[];
}

export interface Explained {
  title: string;
  notes?: string[];
  terms: Term[];
  of?: number[];
}

export interface Term {
  label: string;
  value: string;
  type?: string;
  why?: string;
  decided?: boolean;
  rule?: number;
  expr?: string;
  of?: number[];
}

export interface Die {
  face: number;
  sides: number;
  value: number;
  marks?: string[];
  by?: number;
  instead?: number;
}

export interface CoverLine {
  from: [number, number];
  to: [number, number];
  blocked?: boolean;
}

export interface FightEvent {
  id: number;
  cause: number;
  kind: string;
  round: number;
  who: number;
  name?: string;
  targets?: number[];
  square?: [number, number, number];
  depth?: number;
  text: string;
  roll?: string;
  success?: boolean;
  dice?: Die[];
  was?: number;
  is?: number;
  number?: number;
  rule?: number;
  lines?: CoverLine[];
  areas?: Span[][];
  change?: Change;
}

export interface Amount {
  of: number;
  value: number;
  low?: number;
  high?: number;
}

export interface Active {
  id: number;
  of: number;
  with?: string;
  from?: number;
  lasts?: string;
}

/** Span is a part of a row of squares: y, the first x, the last x. */
export type Span = [number, number, number];

export interface CreatureState {
  here: boolean;
  down?: boolean;
  at: number[];
  width: number;
  amounts: Amount[];
  effects: Active[];
  reach?: Span[];
  threatens?: Span[];
}

export interface State {
  round: number;
  fighting: boolean;
  turn: number;
  map: number;
  order: { who: number; keys: number[] }[];
  creatures: CreatureState[];
}

export interface CreatureChange {
  who: number;
  here?: boolean;
  down?: boolean;
  at?: number[];
  width?: number;
  amounts?: Amount[];
  gained?: Active[];
  lost?: number[];
  reach?: Span[];
  threatens?: Span[];
}

export interface Change {
  round?: number;
  fighting?: boolean;
  turn?: number;
  map?: number;
  order?: State["order"];
  creatures?: CreatureChange[];
}

/** apply returns the state after a change. What has not changed is shared, so that views can compare by identity. */
export function apply(s: State, c: Change | undefined): State {
  if (!c) return s;
  const next: State = { ...s };
  if (c.round !== undefined) next.round = c.round;
  if (c.fighting !== undefined) next.fighting = c.fighting;
  if (c.turn !== undefined) next.turn = c.turn;
  if (c.map !== undefined) next.map = c.map;
  if (c.order) next.order = c.order;
  if (c.creatures) {
    next.creatures = s.creatures.slice();
    for (const x of c.creatures) next.creatures[x.who] = applyTo(next.creatures[x.who], x);
  }
  return next;
}

const nobody: CreatureState = { here: false, at: [], width: 1, amounts: [], effects: [] };

function applyTo(s: CreatureState = nobody, c: CreatureChange): CreatureState {
  const next: CreatureState = { ...s };
  if (c.here !== undefined) next.here = c.here;
  if (c.down !== undefined) next.down = c.down;
  if (c.at) next.at = c.at;
  if (c.width !== undefined) next.width = c.width;
  if (c.reach) next.reach = c.reach;
  if (c.threatens) next.threatens = c.threatens;
  if (c.amounts) {
    next.amounts = next.amounts.slice();
    for (const a of c.amounts) {
      const i = next.amounts.findIndex((b) => b.of >= a.of);
      if (i < 0) next.amounts.push(a);
      else next.amounts.splice(i, next.amounts[i]!.of === a.of ? 1 : 0, a);
    }
  }
  if (c.gained || c.lost) next.effects = [...s.effects, ...(c.gained ?? [])].filter((e) => !c.lost?.includes(e.id));
  return next;
}

/** Between how many events a state is kept in memory. */
const keepEvery = 64;

/** Timeline answers what the state is after the first n events, for any n, quickly. */
export class Timeline {
  private kept = new Map<number, State>();
  private last: { n: number; state: State };
  /** rounds are the events that begin a round; turns those that begin a turn. */
  readonly rounds: number[] = [];
  readonly turns: number[] = [];
  /** ids finds the event of an id. */
  private readonly ids = new Map<number, number>();

  constructor(readonly doc: Replay) {
    this.last = { n: 0, state: doc.start };
    this.kept.set(0, doc.start);
    for (const f of doc.frames) this.kept.set(f.event, f.state);
    doc.events.forEach((e, i) => {
      this.ids.set(e.id, i);
      if (e.kind === "round") this.rounds.push(i);
      if (e.kind === "turn") this.turns.push(i);
    });
  }

  get length(): number {
    return this.doc.events.length;
  }

  /** event is the one that has just happened after n events; none before the first. */
  event(n: number): FightEvent | undefined {
    return this.doc.events[n - 1];
  }

  /** indexOf finds an event by its id; -1 if it is not told. */
  indexOf(id: number): number {
    return this.ids.get(id) ?? -1;
  }

  /** act finds the action in which an event happened: the outermost that is told. */
  act(n: number): number {
    let found = -1;
    for (let e = this.event(n); e; ) {
      const i = this.indexOf(e.id);
      if (e.kind === "act") found = i;
      e = e.cause ? this.doc.events[this.indexOf(e.cause)] : undefined;
    }
    return found;
  }

  state(n: number): State {
    n = Math.max(0, Math.min(n, this.length));
    let from = this.last.n <= n && n - this.last.n < keepEvery ? this.last : null;
    if (!from) {
      let at = n - (n % keepEvery);
      while (!this.kept.has(at)) at = this.below(at);
      from = { n: at, state: this.kept.get(at)! };
    }
    let state = from.state;
    for (let i = from.n; i < n; ) {
      state = apply(state, this.doc.events[i]!.change);
      i++;
      if (i % keepEvery === 0 && !this.kept.has(i)) this.kept.set(i, state);
    }
    this.last = { n, state };
    return state;
  }

  /** below is the nearest smaller number at which a state may be kept. */
  private below(n: number): number {
    let best = n - (n % keepEvery) - (n % keepEvery === 0 ? keepEvery : 0);
    for (const f of this.doc.frames) if (f.event < n && f.event > best) best = f.event;
    return Math.max(best, 0);
  }

  /** next and previous of a sorted list of events, as numbers of events that have happened. */
  after(list: number[], n: number): number {
    for (const i of list) if (i + 1 > n) return i + 1;
    return this.length;
  }
  before(list: number[], n: number): number {
    for (let k = list.length - 1; k >= 0; k--) if (list[k]! + 1 < n) return list[k]! + 1;
    return 0;
  }
}

/** hurt is the pool that decides who falls, with its bounds, as screens show it; none if there is no such pool. */
export function hurt(doc: Replay, s: CreatureState): Amount | undefined {
  const pools = s.amounts.filter((a) => doc.resources[a.of]!.sort === "pool" && a.high !== undefined && a.high > 0);
  return pools.find((a) => doc.resources[a.of]!.decides) ?? pools[0];
}

/** deepPools are the pools that are large enough for bars, the one that decides first; most creatures have one. */
export function deepPools(doc: Replay, s: CreatureState): Amount[] {
  const first = hurt(doc, s);
  return first ? [first, ...pools(doc, s).filter((a) => a !== first && (a.high ?? 0) >= 5)].slice(0, 2) : [];
}

/** pools are the amounts that a creature has to lose. */
export function pools(doc: Replay, s: CreatureState): Amount[] {
  return s.amounts.filter((a) => doc.resources[a.of]!.sort === "pool" && a.high !== undefined && a.high > 0);
}

/** share is how much of a pool is left, from 0 to 1. */
export const share = (a: Amount): number => Math.max(0, Math.min(1, a.value / (a.high ?? 1)));

/** conditions are the names of a creature's conditions, each once. */
export function conditions(doc: Replay, s: CreatureState): { of: number; text: string }[] {
  const seen = new Map<string, { of: number; text: string }>();
  for (const e of s.effects) {
    const d = doc.effects[e.of]!;
    if (d.word !== "condition") continue;
    const text = e.with ? `${d.name} ${e.with}` : d.name;
    if (!seen.has(text)) seen.set(text, { of: e.of, text });
  }
  return [...seen.values()];
}
