// Package rules embeds the rulebooks, which are written in the language. It provides their text and knows nothing of
// its meaning.
package rules

import "embed"

// FS has one folder per ruleset: d20, classic, srd35 and so on.
//
//go:embed all:adventuring all:classic all:d20 all:modern all:modern-bestiary all:monsters all:opportunity all:special-attacks all:srd35 all:srd35-bestiary all:srd35-people all:srd35-spells all:starfinder all:starfinder-bestiary all:third all:third-bestiary all:true20 all:true20-bestiary
var FS embed.FS
