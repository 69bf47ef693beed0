package rulebook

import (
	"cmp"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/link"
)

// This file traces the history of a part: where it was declared, what it replaced, and what that replaced.

// Stage is a place where something was declared or changed, and its source.
type Stage struct {
	Place
	Text string `json:"text"` // source; empty if the file cannot be read
}

// History is what happened to a part before it became what it is, the latest first.
type History struct {
	Extended []Stage `json:"extended"` // what was added to it
	Replaced []Stage `json:"replaced"` // what it replaced
	Removed  *Stage  `json:"removed"`  // where it was removed; nil if it was not
}

// HistoryOf follows a chain of origins back from the current one.
func (b *Book) HistoryOf(o *link.Origin) History {
	h := History{Extended: []Stage{}, Replaced: []Stage{}}
	for ; o.Was != nil || o.For != nil; o = cmp.Or(o.For, o.Was) {
		if o.For != nil {
			h.Replaced = append(h.Replaced, b.newStage(declaration(o.For)))
			continue
		}
		if o.Verb == "extend" {
			h.Extended = append(h.Extended, b.newStage(o))
			continue
		}
		if was := declaration(o.Was); was != nil {
			h.Replaced = append(h.Replaced, b.newStage(was))
		}
	}
	return h
}

// declaration is the original declaration of something that was extended.
func declaration(o *link.Origin) *link.Origin {
	for o.Verb == "extend" && o.Was != nil {
		o = o.Was
	}
	return o
}

func (b *Book) newStage(o *link.Origin) Stage {
	s := Stage{Place: placeOf(o)}
	src := string(b.Source(o.File))
	if from, to := o.Span.Start.Offset, o.Span.End.Offset; 0 <= from && from < to && to <= len(src) {
		margin := from - 1 - strings.LastIndexByte(src[:from], '\n')
		lines := strings.Split(src[from:to], "\n")
		for i, line := range lines[1:] {
			lines[i+1] = strings.TrimPrefix(line, strings.Repeat(" ", min(margin, len(line)-len(strings.TrimLeft(line, " ")))))
		}
		s.Text = strings.Join(lines, "\n")
	}
	return s
}

// newPart is a part as the checker reports it, with the history of its piece.
func (b *Book) newPart(pieces []*link.Piece, part *ir.Part) Part {
	p := Part{Path: part.Path, Cites: unique(part.Cites), Place: placeAt(b.Rules, part.Pos), History: History{Extended: []Stage{}, Replaced: []Stage{}}}
	p.Place.Ruleset = part.From
	var o *link.Origin
	for _, x := range pieces {
		if x.Path == part.Path && (o == nil || placeOf(declaration(x.Origin)) == p.Place) {
			o = x.Origin
		}
	}
	if o != nil {
		p.History = b.HistoryOf(o)
	}
	return p
}

// removalHistory is the history of a removed part.
func (b *Book) removalHistory(o *link.Origin) History {
	h, by := b.HistoryOf(o.Was), b.newStage(o)
	h.Removed = &by
	return h
}

// removedParts lists the parts of a definition that were removed and not added again.
func (b *Book) removedParts(d *link.Def, pieces []*link.Piece) (parts []Part) {
	for path, o := range b.Rules.Set().Removed {
		if !strings.HasPrefix(path, d.Name+".") || o.Was == nil || slices.ContainsFunc(pieces, func(p *link.Piece) bool { return p.Path == path }) {
			continue
		}
		parts = append(parts, Part{Path: path, Cites: []string{}, Place: placeOf(declaration(o.Was)), History: b.removalHistory(o)})
	}
	slices.SortFunc(parts, func(x, y Part) int { return strings.Compare(x.Path, y.Path) })
	return parts
}
