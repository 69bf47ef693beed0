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
  keep: string; // the name under which the browser keeps what is changed; empty: it is not kept
}

export type Order = { begin: Beginning } | { door: string; port: MessagePort };

export type Report = { ready: true } | { failed: string };
