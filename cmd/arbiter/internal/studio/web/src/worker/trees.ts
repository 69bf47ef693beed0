// The trees of the built-in rulesets, which stand beside the program: one that is asked for is fetched, with all that are
// needed then. What cannot be had is left to the program, which has the texts.
import type { Kept } from "./orders";

const patience = 5000; // ms: parsing takes less

async function fetched(address: string): Promise<Uint8Array | null> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(patience) });
    if (!answer.ok || !answer.body) return null;
    return new Uint8Array(await new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  } catch {
    return null;
  }
}

export class Trees {
  private coming = new Map<string, Promise<Uint8Array | null>>();

  constructor(private kept: Record<string, Kept>) {}

  private come(name: string): void {
    const k = Object.hasOwn(this.kept, name) ? this.kept[name] : undefined;
    if (k && !this.coming.has(name)) this.coming.set(name, fetched(k.file));
  }

  /** foresee fetches what a script will need, by the names in its header. */
  foresee(text: string): void {
    const header = /^(?:ruleset|encounter|adventure|tests)\b.*$/m.exec(text)?.[0] ?? "";
    for (const name of header.match(/[\w-]+/g) ?? []) this.want(name);
  }

  private want(name: string): void {
    this.come(name);
    for (const other of (Object.hasOwn(this.kept, name) && this.kept[name]?.with) || []) this.come(other);
  }

  /** give tells the trees of a ruleset once they are there, or null. The program asks once. */
  async give(name: string): Promise<Uint8Array | null> {
    this.want(name);
    const bytes = await (this.coming.get(name) ?? null);
    this.coming.delete(name);
    return bytes;
  }
}
