// A link that carries a script in its fragment, which no server sees.

/** Shared is the script of a link. */
export interface Shared {
  path: string;
  text: string;
}

const key = "#script=";

async function through(bytes: BlobPart, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** linkTo is the address of this page with a script. */
export async function linkTo(script: Shared): Promise<string> {
  const packed = await through(JSON.stringify(script), new CompressionStream("deflate-raw"));
  let text = "";
  for (const b of packed) text += String.fromCharCode(b);
  const base = location.href.split("#")[0];
  return base + key + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const longest = 2_000_000; // characters of a script

/** readShared is the script of this page's address; null if there is none, or if it cannot be read. */
export async function readShared(): Promise<Shared | null> {
  if (!location.hash.startsWith(key)) return null;
  try {
    const text = atob(location.hash.slice(key.length).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(text, (c) => c.charCodeAt(0));
    const script: unknown = JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"))));
    const { path, text: body } = script as Shared;
    if (typeof path !== "string" || typeof body !== "string" || body.length > longest || !/^[^./\\][^\\]*\.(rules|encounter|adventure|tests|star|md)$/.test(path) || path.includes("..")) return null;
    return { path, text: body };
  } catch {
    return null;
  }
}
