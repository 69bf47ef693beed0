// Package rules holds the rulebooks, written in the language, as they are embedded in the command.
// It hands out text and knows nothing of what the text means.
package rules

import "embed"

// FS has one folder a ruleset: d20, classic, srd35 and so on.
//
//go:embed all:adventuring all:classic all:d20 all:modern all:monsters all:opportunity all:special-attacks all:srd35 all:srd35-bestiary all:srd35-spells all:starfinder all:third all:true20
var FS embed.FS
