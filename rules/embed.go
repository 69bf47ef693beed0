// Package rules holds the rulebooks, written in the language, as they are embedded in the command.
// It hands out text and knows nothing of what the text means.
package rules

import "embed"

// FS has one folder a ruleset: d20, srd35 and so on.
//
//go:embed all:d20 all:opportunity all:srd35 all:starfinder all:true20
var FS embed.FS
