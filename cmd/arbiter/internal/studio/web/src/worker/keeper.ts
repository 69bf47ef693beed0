// Keeps what is written on the disk of a worker in the database of the browser, so that a page that is loaded again has
// it. Where the browser keeps nothing, nothing is kept.

const store = "files";

function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((answer, refuse) => {
    request.onsuccess = () => answer(request.result);
    request.onerror = () => refuse(request.error);
  });
}

export class Keeper {
  private constructor(private db: IDBDatabase | null) {}

  /** open opens the database of a name; without one nothing is kept. */
  static async open(name: string): Promise<Keeper> {
    if (name === "") return new Keeper(null);
    try {
      const request = indexedDB.open(`arbiter ${name}`, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(store);
      return new Keeper(await asked(request));
    } catch {
      return new Keeper(null); // a private window, or a page of its own
    }
  }

  /** kept are the files of earlier visits. */
  async kept(): Promise<[string, Uint8Array][]> {
    if (!this.db) return [];
    const files = this.db.transaction(store).objectStore(store);
    const [paths, texts] = await Promise.all([asked(files.getAllKeys()), asked(files.getAll())]);
    return paths.map((p, i) => [String(p), texts[i] as Uint8Array]);
  }

  /** keep keeps a file, or forgets it. */
  keep(path: string, bytes: Uint8Array | null): void {
    const files = this.db?.transaction(store, "readwrite").objectStore(store);
    if (bytes) files?.put(bytes, path);
    else files?.delete(path);
  }
}
