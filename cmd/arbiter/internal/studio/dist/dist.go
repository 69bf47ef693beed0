// Package dist holds the bundled scripts and styles of the studio and of replays, as the sources in ../web give them.
// Everything but this file is written by `npm run build` there, and committed, so that Go alone builds the command.
package dist

import "embed"

// FS has studio.html, studio.js, studio.css, replay.js, replay.css and worker.js.
//
//go:embed studio.html studio.js studio.css replay.js replay.css worker.js
var FS embed.FS
