import type { Replay } from "./fight/model";

// The documents that the page and the program exchange. spec/json.md says what the fields mean.

export interface FilesDocument {
  files: string[];
  more: boolean;
}

export interface Hello extends FilesDocument {
  version: string;
  folder: string;
  uri: string;
  library: string;
  file: string;
  players?: string; // the address of the page of players
}

export interface TextDocument {
  path: string;
  text: string;
  sum: string;
}

export interface Place {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface Diagnostic extends Place {
  severity: "error" | "warning";
  code: string;
  message: string;
  hint: string;
}

export interface FoundLine {
  path: string;
  line: number;
  column: number;
  text: string;
}

/** Fight says what is played. */
export interface Fight {
  path: string;
  with: string[];
  texts: Record<string, string>;
  seed: number | null;
}

export interface Rate {
  rate: number;
  low: number;
  high: number;
}

export interface Mean {
  mean: number;
  low: number;
  high: number;
  deviation: number;
}

export interface Distribution extends Mean {
  quantiles: { p5: number; p25: number; p50: number; p75: number; p95: number };
  counts: { value: number; times: number }[];
}

export interface Report {
  title: string;
  seed: number;
  fights: number;
  sides: { name: string; wins: Rate }[];
  undecided: Rate;
  rounds: Distribution;
  combatants: {
    name: string;
    side: string;
    falls: Rate;
    took: Distribution;
    dealt: Distribution;
    left: (Distribution & { resource: string })[];
  }[];
  warnings: string[];
}

export interface Estimate {
  value: number;
  low: number;
  high: number;
}

export interface Figure {
  of: string;
  what: string;
  share: boolean;
  before: Estimate;
  after: Estimate;
  change: number;
  low: number;
  high: number;
  different: number;
  p_value: number;
  significant: boolean;
}

export interface Comparison {
  title: string;
  seed: number;
  fights: number;
  before: Report;
  rules: {
    rules: string;
    summary: string[];
    different: Rate;
    flipped: Rate;
    figures: Figure[];
    after: Report;
  }[];
  warnings: string[];
}

export interface Share {
  exact: string;
  value: number;
}

export interface AmountChance {
  who: string;
  name: string;
  now: number;
  mean: Share;
  values: { value: number; share: Share }[];
  paid?: number;
  internal?: boolean;
}

export interface Chances {
  command: string;
  sampled: number;
  steps: number;
  ends: number;
  reactions: string[];
  declined: string[];
  checks: { roll: string; made: Share; success: Share }[];
  amounts: AmountChance[];
  effects: { who: string; name: string; kind: string; gone: boolean; share: Share; derived?: boolean; internal?: boolean }[];
  places: { who: string; to: [number, number, number] | null; share: Share }[];
  falls: { who: string; share: Share }[];
}

export interface RunDocument {
  replay: Replay;
  diagnostics: Diagnostic[];
}

// --- live play -------------------------------------------------------------------------------------------

export interface Amount {
  name: string;
  value: number;
  low: number | null;
  high: number | null;
}

export interface Active {
  name: string;
  with: string;
  from: string;
  lasts: string;
  by: string;
  part: boolean;
  doc: string;
}

export interface Fighter {
  name: string;
  side: string;
  sign: string;
  position: [number, number, number] | null;
  width: number;
  down: boolean;
  turn: Amount[];
  wholeTurn: Amount[];
  reactions: Amount[];
  pools: Amount[];
  counts: Amount[];
  conditions: Active[];
  effects: Active[];
}

export interface View {
  title: string;
  ruleset: string;
  round: number;
  fighting: boolean;
  turn: string;
  sides: { name: string; members: number; standing: number }[];
  order: { who: string; keys: number[]; acted: boolean; waits: boolean }[];
  combatants: Fighter[];
  kept: { name: string; value: string }[];
  story?: StoryPosition;
  undone: string[];
}

export interface StoryPosition {
  scene: string;
  visited: string[];
  title: string;
  told: string[];
  ways: string[];
  finished: boolean;
  ending?: string;
}

/** Stage is what the players of a side see of the fight that is led. */
export interface Stage {
  kind: "stage";
  side: string;
  replay: Replay | null;
  sheets: Fighter[];
  turn: string;
  round: number;
  story?: StoryPosition;
}

/** Scenes is the graph of an adventure, in pixels. */
export interface Scenes {
  kind: "scenes";
  width: number;
  height: number;
  nodes: { name: string; title: string; end: boolean; fight: boolean; x: number; y: number; width: number; height: number }[];
  lines: { path: string; label: string; visit: boolean }[];
}

export interface Possible {
  action: string;
  doc?: string;
  costs: string[];
  word?: string;
  targets?: string[];
  squares?: [number, number, number][];
  values?: string[];
  more?: boolean;
}

export interface Inquiry {
  kind?: undefined;
  command: string;
  legal: boolean;
  why?: string;
  where?: string;
  costs: string[];
  is: string[];
  triggers: string[];
  odds: { roll: string; made: number; success: number }[];
  means: { who: string; name: string; now: number; mean: number }[];
  many?: boolean;
  amounts?: AmountChance[];
}

export interface Question {
  kind: "question";
  who: string;
  label: string;
  sides?: number;
  ways?: string[];
  plans?: { effect: string; when: string; do: string; lasts: string }[];
  default: number | null;
}

export interface Table {
  kind: "table";
  view: View;
  can: Possible[];
  decided: boolean;
  players: string;
  undo: number;
  redo: number;
}

export type PlayDocument =
  | { kind: "seated"; session: string; resumed: boolean; next: string; torn: string }
  | { kind: "refused"; message: string; taken: boolean; diagnostics?: Diagnostic[] }
  | Scenes
  | Table
  | Replay
  | { kind: "waiting"; answer: boolean }
  | { kind: "completions"; text: string; from: number; list: string[] }
  | Question
  | { kind: "reply"; done: boolean; dropped?: boolean; failures?: string[]; unsaved?: string; hash: string }
  | { kind: "message"; text: string };

/** Params are what each question says. */
export interface Params {
  hello: Record<string, never>;
  files: Record<string, never>;
  open: { path: string; library?: boolean };
  save: TextDocument;
  find: { text: string; texts: Record<string, string> };
  run: Fight;
  frame: { title: string };
  odds: Fight & { command: string };
  simulate: Fight & { fights: number };
  compare: Fight & { fights: number; against: "saved" | "without" };
}

/** Answers are what each question is answered with. */
export interface Answers {
  hello: Hello;
  files: FilesDocument;
  open: TextDocument;
  save: { path: string; sum: string };
  find: FoundLine[];
  run: RunDocument;
  frame: { before: string; after: string };
  odds: Chances;
  simulate: { fights: number; report: Report };
  compare: { fights: number; same: boolean; report: Comparison | null };
}
