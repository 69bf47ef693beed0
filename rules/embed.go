// Package rules embeds the rulebooks, which are written in the language. It provides their text and knows nothing of
// its meaning.
package rules

import "embed"

// FS has one folder per ruleset: d20, classic, srd35 and so on.
//
//go:embed all:adventuring all:classic all:d20 all:modern all:monsters all:opportunity all:special-attacks all:srd35 all:srd35-bestiary all:srd35-spells all:starfinder all:third all:true20
var FS embed.FS
