package langserver

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"arbiter/lang/ast"
	"arbiter/stdlib/dice"
)

// This file shows figures inside the lines of a text: the average of dice, the chances of a command's checks, and beside
// the name of a stat its value for the combatants of the encounter that uses it.

// inlayHint is a figure after something.
type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	PaddingLeft bool     `json:"paddingLeft"`
}

// Limits of what is shown.
const (
	maxHints          = 500 // in one answer
	maxHintStats      = 60
	maxHintCreatures  = 4
	maxHintCommands   = 40
	maxHintDiceLength = 40 // bytes of notation
)

// hints lists the hints in a range.
func (s *server) hints(p *documentParams) any {
	s.mu.Lock()
	d, _ := s.documentAt(p)
	if d == nil || p.Range == nil {
		s.mu.Unlock()
		return []inlayHint{}
	}
	from, to := d.offset(p.Range.Start), d.offset(p.Range.End)
	list := d.diceHints(from, to)
	stats := s.statsIn(d, from, to)
	of := s.encounterOf(d)
	s.mu.Unlock()
	commands := d.commandsIn(from, to)
	if of == nil || len(stats) == 0 && len(commands) == 0 {
		return sorted(list)
	}
	version := of.version
	return s.withFigures(of.uri, version, sorted(list), func(ctx context.Context, f *figures) any {
		all := f.members()
		names := all[:min(len(all), maxHintCreatures)]
		var questions []string
		for _, x := range stats {
			for _, who := range names {
				questions = append(questions, who+"."+x.name)
			}
		}
		f.learn(questions)
		for _, x := range stats {
			if label := f.valuesOf(x.name, names, len(all) > len(names)); label != "" {
				list = append(list, inlayHint{x.at, label, true})
			}
		}
		if of == d {
			for _, c := range commands {
				if ctx.Err() != nil {
					return nil
				}
				if label := f.odds(c.offset).short; label != "" {
					list = append(list, inlayHint{c.at, label, true})
				}
			}
		}
		return sorted(list)
	})
}

func sorted(list []inlayHint) []inlayHint {
	slices.SortStableFunc(list, func(a, b inlayHint) int {
		if a.Position.Line != b.Position.Line {
			return a.Position.Line - b.Position.Line
		}
		return a.Position.Character - b.Position.Character
	})
	return list[:min(len(list), maxHints)]
}

// valuesOf tells the values of a stat: `Alia 18, Bron 14`.
func (f *figures) valuesOf(stat string, names []string, more bool) string {
	var list []string
	for _, who := range names {
		if v := f.values[who+"."+stat]; v != "" {
			list = append(list, who+" "+v)
		}
	}
	if len(list) > 0 && more {
		list = append(list, "...")
	}
	return strings.Join(list, ", ")
}

// diceHints shows the average of dice between two offsets. Of a single die without more it is not worth a hint.
func (d *document) diceHints(from, to int) []inlayHint {
	list := []inlayHint{}
	ast.Contains(d.file, func(node any) bool {
		n, ok := node.(*ast.Dice)
		if !ok || n.End.Offset < from || n.Start.Offset > to || len(n.Notation) > maxHintDiceLength || len(list) == maxHints {
			return false
		}
		x, err := dice.Parse(n.Notation)
		if err != nil {
			return false
		}
		if count, _, _, plain := x.Plain(); plain && count == 1 {
			return false
		}
		if o, err := x.Odds(); err == nil && !x.Compares() {
			mean, _ := o.Mean().Float64()
			list = append(list, inlayHint{d.position(n.End), "average " + strconv.FormatFloat(mean, 'g', 4, 64), true})
		}
		return false
	})
	return list
}

// hintedStat is the name of a stat, and where its values are shown.
type hintedStat struct {
	name string
	at   position
}

// statsIn lists the stats that are declared or changed between two offsets.
func (s *server) statsIn(d *document, from, to int) (list []hintedStat) {
	m := s.resolverOf(d)
	if m == nil {
		return nil
	}
	add := func(id ast.Ident) {
		if id.Start.Offset >= from && id.End.Offset <= to && len(list) < maxHintStats {
			list = append(list, hintedStat{id.Name, d.position(id.End)})
		}
	}
	isStat := func(name string) bool { return m.Kind(name) == "stat" || m.Kind(name+"~stat") == "stat" }
	ast.Contains(d.file, func(node any) bool {
		switch n := node.(type) {
		case *ast.Stat:
			add(n.Name)
		case *ast.View:
			add(n.Name)
		case *ast.Change:
			if len(n.Path.Parts) > 0 && isStat(n.Path.Parts[0].Name.Name) {
				last := n.Path.Parts[len(n.Path.Parts)-1].Name
				add(ast.Ident{Span: ast.Span{Start: n.Path.Parts[0].Name.Start, End: last.End}, Name: n.Path.Parts[0].Name.Name})
			}
		case *ast.Modifier:
			for _, id := range n.Stats {
				if isStat(id.Name) {
					add(id)
				}
			}
		}
		return false
	})
	return list
}

// hintedCommand is a command, and where its chances are shown.
type hintedCommand struct {
	offset int
	at     position
}

// commandsIn lists the commands between two offsets.
func (d *document) commandsIn(from, to int) (list []hintedCommand) {
	for _, c := range commandsOf(d.file) {
		if c.End.Offset >= from && c.Start.Offset <= to && len(list) < maxHintCommands {
			list = append(list, hintedCommand{c.Start.Offset, d.positionAt(commandEnd(c))})
		}
	}
	return list
}

// encounterOf is the open encounter whose combatants a document's stats are shown for: itself, or one that uses it. Of
// tests, it is the document itself, which has commands alone.
func (s *server) encounterOf(d *document) *document {
	if kind := kindOf(d.file); kind == "encounter" || kind == "tests" {
		return d
	}
	for _, uri := range slices.Sorted(maps.Keys(s.docs)) {
		x := s.docs[uri]
		if m := x.resolver; kindOf(x.file) == "encounter" && m != nil && slices.Contains(m.book.Rules.Checked.Files, d.path) {
			return x
		}
	}
	return nil
}
