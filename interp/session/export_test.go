package session

import "arbiter/stdlib/journal"

// Journal is what happened, for tests that compare what was told with it.
func (p *Played) Journal() *journal.Journal { return p.player.m.Journal }

var SquareText = squareText
