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

export interface FightEvent {
  id: number;
  cause: number;
  kind: string;
  round: number;
  who?: string;
  name?: string;
  roll?: string;
  text: string;
}

export interface RunDocument {
  ruleset: string;
  title: string;
  seed: number;
  outcome: string;
  ended: string;
  rounds: number;
  events: FightEvent[];
  hash: string;
  diagnostics: Diagnostic[];
}

/** Params are what each question says. */
export interface Params {
  hello: Record<string, never>;
  files: Record<string, never>;
  open: { path: string; library?: boolean };
  save: TextDocument;
  find: { text: string; texts: Record<string, string> };
  run: Fight;
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
  odds: Chances;
  simulate: { fights: number; report: Report };
  compare: { fights: number; same: boolean; report: Comparison | null };
}
