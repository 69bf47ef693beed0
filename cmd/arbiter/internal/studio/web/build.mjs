// Bundles the pages into ../dist, which is committed and embedded by Go. The bytes depend on the sources and on the lock
// file alone, so that two machines write the same.
//
//	npm ci && npm run build     types checked, then bundled
//	npm run watch               bundled again after each change, without checking types
import { copyFile } from "node:fs/promises";
import { context } from "esbuild";

const options = {
  entryPoints: { studio: "src/studio.tsx", replay: "src/replay.ts", worker: "src/worker/worker.ts" },
  outdir: "../dist",
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome123", "firefox121", "safari17.5"],
  charset: "utf8",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "info",
};

const bundle = await context(options);
await copyFile("src/studio.html", "../dist/studio.html");
if (process.argv.includes("--watch")) {
  await bundle.watch();
} else {
  await bundle.rebuild();
  await bundle.dispose();
}
