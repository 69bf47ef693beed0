package board

import (
	"fmt"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/view"
)

// This file lists what combatants carry, and what the game keeps in mind.

// maxPartyInStatus is the largest party of which the status says what everybody carries.
const maxPartyInStatus = 8

// Inventory lists what a combatant carries, by the fields that hold it; without a name, everybody, side by side.
func (b Board) Inventory(v *view.Fight, name string) string {
	p := &page{b: b}
	for i := range v.Sides {
		side := &v.Sides[i]
		for k := range v.Fighters {
			f := &v.Fighters[k]
			if f.Side != side.Name || name != "" && f.Name != name {
				continue
			}
			title := term.Clean(f.Name + " of " + f.Side)
			if len(f.Carries) == 0 {
				p.out.WriteString(b.screen.Cut(title+" carries nothing", b.width) + "\n")
				continue
			}
			p.cells(b.screen.Cut(title, b.width), namedCells(f.Carries))
		}
	}
	if p.out.Len() == 0 {
		return "Nobody has been placed.\n"
	}
	return p.out.String()
}

// Kept lists what the game remembers, and where its story is.
func (b Board) Kept(v *view.Fight) string {
	p := &page{b: b}
	if s := v.Story; s != nil {
		title := s.Scene
		if s.Title != "" {
			title = s.Title + " (" + s.Scene + ")"
		}
		switch {
		case s.Finished && s.Ending != "":
			title += "; it has ended: " + s.Ending
		case s.Finished:
			title += "; it has ended"
		case v.Fighting:
			title += fmt.Sprintf("; a fight, round %d", v.Round)
		}
		p.list("Scene", title)
	}
	p.cells("Kept", namedCells(v.Kept))
	if p.out.Len() == 0 {
		return "Nothing is kept in mind: `keep NAME = VALUE` in the script declares what is.\n"
	}
	return p.out.String()
}

// whatPartyHas is the lines of the status on what the first side, the party, carries and what the game keeps.
func (b Board) whatPartyHas(v *view.Fight) string {
	var out strings.Builder
	party := 0
	for i := range v.Fighters {
		if v.Fighters[i].Side == v.Sides[0].Name {
			party++
		}
	}
	for i := range v.Fighters {
		f := &v.Fighters[i]
		if f.Side != v.Sides[0].Name || len(f.Carries) == 0 || party > maxPartyInStatus {
			continue
		}
		var list []string
		for _, n := range f.Carries {
			list = append(list, n.Value)
		}
		out.WriteString(b.wrapAfter(term.Clean(f.Name)+" carries", " "+term.Clean(strings.Join(list, ", "))))
	}
	if len(v.Kept) > 0 {
		var list []string
		for _, n := range v.Kept {
			list = append(list, n.Name+" "+n.Value)
		}
		out.WriteString(b.wrapAfter("kept", " "+term.Clean(strings.Join(list, ", "))))
	}
	return out.String()
}
