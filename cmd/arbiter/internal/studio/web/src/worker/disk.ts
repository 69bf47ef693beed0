// A disk in memory, for a program that was compiled from Go: the functions of Node's `fs` that Go's standard library
// calls, over files that last as long as the worker. What is written is told, so that it can be kept.

type Done = (err: Error | null, value?: unknown) => void;

interface Entry {
  inode: number;
  changed: number; // ms
  bytes: Uint8Array; // of a file; its first `size` bytes count
  size: number;
  names: Map<string, Entry> | null; // of a folder
}

interface OpenFile {
  path: string;
  entry: Entry;
  at: number;
  appends: boolean;
  written: boolean;
}

const flags = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };

const isFile = 0o100644;
const isFolder = 0o040755;

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Disk is the disk; every path on it is absolute. */
export class Disk {
  readonly constants = flags;
  private lastInode = 0;
  private lastNumber = 2; // those below are the standard streams
  private root = this.entry(true);
  private opened = new Map<number, OpenFile>();

  /** changed is called with each file that has another text than before, or null if it is gone. */
  constructor(
    private changed: (path: string, bytes: Uint8Array | null) => void,
    private print: (text: string) => void,
  ) {}

  /** addFolder makes a folder and those that lead to it. */
  addFolder(path: string): Map<string, Entry> {
    let names = this.root.names!;
    for (const name of split(path)) {
      let next = names.get(name);
      if (!next) names.set(name, (next = this.entry(true)));
      names = next.names!;
    }
    return names;
  }

  /** put writes a file and the folders that lead to it, untold. */
  put(path: string, bytes: Uint8Array): void {
    const file = this.entry(false);
    file.bytes = bytes;
    file.size = bytes.length;
    const end = path.lastIndexOf("/");
    this.addFolder(path.slice(0, end)).set(path.slice(end + 1), file);
  }

  private entry(folder: boolean): Entry {
    return { inode: ++this.lastInode, changed: Date.now(), bytes: new Uint8Array(0), size: 0, names: folder ? new Map() : null };
  }

  private find(path: string): Entry {
    let at = this.root;
    for (const name of split(path)) {
      if (!at.names) throw failure("ENOTDIR");
      const next = at.names.get(name);
      if (!next) throw failure("ENOENT");
      at = next;
    }
    return at;
  }

  private folderOf(path: string): [Map<string, Entry>, string] {
    const parts = split(path);
    const name = parts.pop();
    if (name === undefined) throw failure("EPERM");
    const folder = this.find("/" + parts.join("/"));
    if (!folder.names) throw failure("ENOTDIR");
    return [folder.names, name];
  }

  private file(number: number): OpenFile {
    const file = this.opened.get(number);
    if (!file) throw failure("EBADF");
    return file;
  }

  private resize(entry: Entry, size: number): void {
    if (size > entry.bytes.length) {
      const more = new Uint8Array(Math.max(size, 2 * entry.bytes.length));
      more.set(entry.bytes.subarray(0, entry.size));
      entry.bytes = more;
    } else if (size < entry.size) entry.bytes.fill(0, size, entry.size);
    entry.size = size;
    entry.changed = Date.now();
  }

  private tell(path: string, entry: Entry | null): void {
    if (!entry?.names) this.changed("/" + split(path).join("/"), entry && entry.bytes.slice(0, entry.size));
  }

  // --- what Go calls ---

  writeSync(_number: number, bytes: Uint8Array): number {
    this.print(new TextDecoder().decode(bytes));
    return bytes.length;
  }

  write = calling((number: number, bytes: Uint8Array, from: number, length: number, position: number | null) => {
    if (number <= 2) return this.writeSync(number, bytes.subarray(from, from + length));
    const file = this.file(number);
    if (file.entry.names) throw failure("EISDIR");
    const at = file.appends ? file.entry.size : (position ?? file.at);
    if (at + length > file.entry.size) this.resize(file.entry, at + length);
    file.entry.bytes.set(bytes.subarray(from, from + length), at);
    file.entry.changed = Date.now();
    file.written = true;
    if (position === null) file.at = at + length;
    return length;
  });

  read = calling((number: number, into: Uint8Array, from: number, length: number, position: number | null) => {
    const file = this.file(number);
    if (file.entry.names) throw failure("EISDIR");
    const at = position ?? file.at;
    const n = Math.max(0, Math.min(length, file.entry.size - at));
    into.set(file.entry.bytes.subarray(at, at + n), from);
    if (position === null) file.at = at + n;
    return n;
  });

  open = calling((path: string, how: number) => {
    let entry: Entry;
    try {
      entry = this.find(path);
      if (how & flags.O_CREAT && how & flags.O_EXCL) throw failure("EEXIST");
    } catch (e) {
      if ((e as { code?: string }).code !== "ENOENT" || !(how & flags.O_CREAT)) throw e;
      const [names, name] = this.folderOf(path);
      names.set(name, (entry = this.entry(false)));
    }
    const writes = (how & 3) !== flags.O_RDONLY;
    if (entry.names && writes) throw failure("EISDIR");
    if (!entry.names && how & flags.O_DIRECTORY) throw failure("ENOTDIR");
    const file = { path, entry, at: 0, appends: (how & flags.O_APPEND) !== 0, written: false };
    if (how & flags.O_TRUNC && writes) {
      this.resize(entry, 0);
      file.written = true;
    }
    this.opened.set(++this.lastNumber, file);
    return this.lastNumber;
  });

  private settle(file: OpenFile): void {
    if (file.written) this.tell(file.path, file.entry);
    file.written = false;
  }

  close = calling((number: number) => {
    this.settle(this.file(number));
    this.opened.delete(number);
  });

  fsync = calling((number: number) => this.settle(this.file(number)));

  private status(entry: Entry) {
    const kind = entry.names ? isFolder : isFile;
    return {
      dev: 1,
      ino: entry.inode,
      mode: kind,
      nlink: 1,
      uid: 0,
      gid: 0,
      rdev: 0,
      size: entry.size,
      blksize: 4096,
      blocks: Math.ceil(entry.size / 512),
      atimeMs: entry.changed,
      mtimeMs: entry.changed,
      ctimeMs: entry.changed,
      isDirectory: () => entry.names !== null,
    };
  }

  stat = calling((path: string) => this.status(this.find(path)));
  lstat = this.stat;
  fstat = calling((number: number) => {
    if (number <= 2) return { ...this.status(this.root), isDirectory: () => false };
    return this.status(this.file(number).entry);
  });

  readdir = calling((path: string) => {
    const folder = this.find(path);
    if (!folder.names) throw failure("ENOTDIR");
    return [...folder.names.keys()];
  });

  mkdir = calling((path: string) => {
    const [names, name] = this.folderOf(path);
    if (names.has(name)) throw failure("EEXIST");
    names.set(name, this.entry(true));
  });

  unlink = calling((path: string) => {
    const [names, name] = this.folderOf(path);
    const entry = names.get(name);
    if (!entry) throw failure("ENOENT");
    if (entry.names) throw failure("EISDIR");
    names.delete(name);
    this.tell(path, null);
  });

  rmdir = calling((path: string) => {
    const [names, name] = this.folderOf(path);
    const entry = names.get(name);
    if (!entry) throw failure("ENOENT");
    if (!entry.names) throw failure("ENOTDIR");
    if (entry.names.size > 0) throw failure("ENOTEMPTY");
    names.delete(name);
  });

  rename = calling((from: string, to: string) => {
    const [names, name] = this.folderOf(from);
    const [newNames, newName] = this.folderOf(to);
    const entry = names.get(name);
    if (!entry) throw failure("ENOENT");
    names.delete(name);
    newNames.set(newName, entry);
    this.tell(from, null);
    this.tell(to, entry);
  });

  truncate = calling((path: string, size: number) => {
    const entry = this.find(path);
    this.resize(entry, size);
    this.tell(path, entry);
  });

  ftruncate = calling((number: number, size: number) => {
    const file = this.file(number);
    this.resize(file.entry, size);
    file.written = true;
  });

  // Nobody else uses this disk, and there are no other names for what is on it.
  private granted = calling(() => undefined);
  private refused = calling(() => {
    throw failure("EPERM");
  });
  chmod = this.granted;
  fchmod = this.granted;
  chown = this.granted;
  fchown = this.granted;
  lchown = this.granted;
  utimes = this.granted;
  link = this.refused;
  symlink = this.refused;
  readlink = calling(() => {
    throw failure("EINVAL");
  });
}

/** split returns the names of an absolute path. */
function split(path: string): string[] {
  const parts: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") parts.pop();
    else if (name !== "" && name !== ".") parts.push(name);
  }
  return parts;
}

/** calling makes a function of Node's form, whose last argument is told the outcome, of one that returns or throws. Go
    goes on only when the call has returned. */
function calling<A extends unknown[]>(run: (...args: A) => unknown) {
  return (...args: [...A, Done] | unknown[]) => {
    const done = args.pop() as Done;
    let value: unknown;
    try {
      value = run(...(args as A));
    } catch (e) {
      done(e as Error);
      return;
    }
    done(null, value);
  };
}

/** resolve makes a path absolute. */
export const resolve = (...parts: string[]) => {
  let from = "";
  for (const p of parts) from = p.startsWith("/") ? p : `${from}/${p}`;
  return "/" + split(from).join("/");
};
