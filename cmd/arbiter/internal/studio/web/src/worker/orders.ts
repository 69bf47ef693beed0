// What a page and the worker that runs its program say to each other, apart from what goes through the ports.

/** Config is what the program begins with: that of the Go package playground. */
export interface Config {
  folder: string;
  cache: string;
  file: string;
  [more: string]: unknown;
}

/** Beginning is everything that the worker needs. */
export interface Beginning {
  config: Config;
  files: Record<string, string | Uint8Array>; // by path in the folder
  runtime: string; // address of the script that runs programs of Go; empty: it is a part of the worker
  program: string | ArrayBuffer; // address of the program, or itself; packed by gzip
  trees: Record<string, Kept>; // by built-in ruleset
  keep: string; // the name under which the browser keeps what is changed; empty: it is not kept
}

/** Kept says where the trees of a ruleset are, which the program would otherwise parse. */
export interface Kept {
  file: string; // its address; packed by gzip
  with?: string[]; // the rulesets whose trees are needed then, too
}

export type Order = { begin: Beginning } | { door: string; port: MessagePort };

export type Report = { ready: true } | { failed: string };
