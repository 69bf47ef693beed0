package session

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/interp/program"
	"arbiter/interp/view"
	"arbiter/lang/ast"
	"arbiter/stdlib/grid"
)

// This file provides what a screen shows on request: all about one combatant, squares of the map, the latest lines.

// Who returns the sheet of a combatant, or nil if no one has this name.
func (l *Live) Who(name string) *view.Sheet { return l.p.sheet(name) }

func (p *player) sheet(name string) *view.Sheet {
	defer p.muteJournal()()
	m, who := p.m, p.memberOf(name)
	if who < 0 {
		return nil
	}
	pr := m.Program()
	x := &view.Sheet{Fighter: p.viewBuilder().fighter(who), Stats: []view.Stat{}, Fields: []view.Field{}}
	if t := m.State().Entities[who].Template; t >= 0 {
		x.Template = pr.Templates[t].Name
	}
	stats := p.statsOf(who)
	for i := range pr.Stats {
		st := &pr.Stats[i]
		if v, err := stats.read(who, int32(i)); err == nil {
			x.Stats = append(x.Stats, view.Stat{Name: st.Name, Value: v, Shown: m.Format(st.Type, v), View: st.ViewOf >= 0, Doc: pr.Parts[st.Part].Doc})
		}
	}
	for i, f := range pr.Kinds[0].Fields {
		if v := m.FieldOf(who, int32(i)); !f.Internal && !holdsThings(pr, f.Type) {
			x.Fields = append(x.Fields, view.Field{Named: view.Named{Name: f.Name, Value: m.Format(f.Type, v)}, Usual: v == f.Default})
		}
	}
	return x
}

// stats reads the stats of combatants, with what a question assumes.
type stats struct {
	p         *player
	questions map[[2]int32]compile.Piece // by combatant and stat: those that assume something
	failed    map[[2]int32]error
}

// statsOf prepares reading the stats of combatants. All that has to be compiled is compiled first: linking it to the
// machine takes time in proportion to the fight.
func (p *player) statsOf(list ...int32) stats {
	s := stats{p, map[[2]int32]compile.Piece{}, map[[2]int32]error{}}
	for _, who := range list {
		for stat := range p.m.Program().Stats {
			x := p.names.Question(p.checked.Stats[stat], int64(who))
			if x == nil {
				continue
			}
			at := [2]int32{who, int32(stat)}
			if piece, err := p.compiler.Expression(x, nil); err != nil {
				s.failed[at] = err
			} else {
				s.questions[at] = piece
			}
		}
	}
	if len(s.questions) > 0 {
		p.m.Relink()
	}
	return s
}

// read returns a stat of a combatant.
func (s stats) read(who, stat int32) (int64, error) {
	at := [2]int32{who, stat}
	if err := s.failed[at]; err != nil {
		return 0, err
	}
	if piece, ok := s.questions[at]; ok {
		return s.p.m.Eval(piece.Chunk, s.p.m.Vars()...)
	}
	return s.p.m.Stat(who, stat)
}

// holdsThings reports whether a type is that of things, or of lists of them: neither of creatures nor of values.
func holdsThings(pr *program.Program, typ int32) bool {
	t := pr.Types[typ]
	if t.Kind == ir.List && t.Of >= 0 {
		t = pr.Types[t.Of]
	}
	return t.Kind == ir.Ref && t.Of != 0
}

// carries lists the fields of a combatant that hold things.
func (k *viewBuilder) carries(who int32) []view.Named {
	pr, list := k.m.Program(), []view.Named{}
	for i, f := range pr.Kinds[0].Fields {
		v := k.m.FieldOf(who, int32(i))
		if f.Internal || !holdsThings(pr, f.Type) || v == program.None || pr.Types[f.Type].Kind == ir.List && len(k.m.ListElements(v)) == 0 {
			continue
		}
		list = append(list, view.Named{Name: f.Name, Value: strings.Trim(k.m.Format(f.Type, v), "[]")})
	}
	return list
}

// kept lists what the game remembers: the variables that the script or its story declares by `keep`, and those of the
// rules that have changed.
func (p *player) kept() []view.Named {
	list := []view.Named{}
	for _, g := range p.checked.Globals {
		if x, known := p.checked.Lookup(g.Name).(*ir.Global); !known || x != g {
			continue // a counter of the checker's own
		}
		now, first := p.m.State().Globals[g.Var.Index], p.m.Program().Globals[g.Var.Index].Initial
		if now == first && g.Part.From != link.ScriptName {
			continue
		}
		if value, ok := p.tryFormat(&ast.Name{Ident: ast.Ident{Name: g.Name}}); ok {
			list = append(list, view.Named{Name: g.Name, Value: value})
		}
	}
	return list
}

// memberOf returns the index of a combatant by name, or -1.
func (p *player) memberOf(name string) int32 {
	return int32(slices.IndexFunc(p.members, func(m member) bool { return m.name == name }))
}

// --- squares -------------------------------------------------------------------------------------------

// Reach lists the squares where one move of a creature can end, and Threatened those it threatens, according to the
// ruleset, both without its own squares and sorted by rows. They are empty if there is no map, if the creature is not
// on it, or if the ruleset does not define them. An unknown name is an error.
func (l *Live) Reach(name string) ([][3]int, error) { return l.squares(ir.CoreMoveRange, name) }

func (l *Live) Threatened(name string) ([][3]int, error) { return l.squares(ir.CoreThreatened, name) }

func (l *Live) squares(what ir.CoreDefine, name string) ([][3]int, error) {
	defer l.muteJournal()()
	who := l.p.memberOf(name)
	if who < 0 {
		return nil, fmt.Errorf("nobody is named %s", name)
	}
	return l.p.squaresFor(what, who)
}

// squaresFor returns squares that the ruleset names for a combatant.
func (p *player) squaresFor(what ir.CoreDefine, who int32) ([][3]int, error) {
	m := p.m
	define := m.Program().CoreDefines[what]
	if p.field == nil || define < 0 || p.position(who) == nil {
		return nil, nil
	}
	at, side, _ := p.field.Footprint(m, who)
	own := grid.Box{At: at, Side: int16(side)}
	list, err := m.EvalList(m.Program().Defines[define].Chunk, int64(who))
	if err != nil {
		return nil, err
	}
	var out [][3]int
	for _, v := range list {
		s, ok := grid.Unpack(v)
		if !ok || !p.field.Has(s) || own.Holds(s) {
			continue
		}
		if p.field.IsOpenFor(m, int64(who), s) {
			out = append(out, [3]int{int(s.X), int(s.Y), int(s.Z)})
		}
	}
	slices.SortFunc(out, func(a, b [3]int) int { return slices.Compare([]int{a[1], a[0], a[2]}, []int{b[1], b[0], b[2]}) })
	return slices.Compact(out), nil
}

// --- the transcript ------------------------------------------------------------------------------------

// Log returns the latest lines of the transcript, without maps. Headings do not count, and the first line comes after
// the heading of its round.
func (l *Live) Log(lines int) ([]view.Line, error) {
	t := l.p.narrator
	_, from := t.output.Latest()
	all, err := t.lines(from)
	told := 0
	for i := range all {
		if all[i].Round == 0 {
			told++
		}
	}
	if err == nil && from > 0 && told <= lines { // the first may not be whole
		all, err = t.lines(0)
	}
	if err != nil {
		return nil, err
	}
	first := len(all)
	for n := 0; first > 0 && n < lines; first-- {
		if all[first-1].Round == 0 {
			n++
		}
	}
	out := all[first:]
	for i := first - 1; i >= 0 && len(out) > 0 && out[0].Round == 0; i-- {
		if all[i].Round > 0 {
			return append([]view.Line{all[i]}, out...), nil
		}
	}
	return out, nil
}

// lines returns the lines of the transcript from an offset, without maps.
func (t *narrator) lines(from int) ([]view.Line, error) {
	output, err := t.output.Read(from, t.output.Len())
	if err != nil {
		return nil, err
	}
	start := t.output.Len() - len(output) // later than from if more is forgotten
	out := []view.Line{}
	add := func(text []byte, round int) {
		for line := range strings.Lines(string(text)) {
			out = append(out, view.Line{Round: round, Text: strings.TrimRight(line, "\n")})
		}
	}
	at := 0
	for _, x := range t.skipped {
		if x.from < start {
			at = max(0, x.to-start)
			continue
		}
		add(output[at:x.from-start], 0)
		if at = x.to - start; x.round > 0 {
			add(output[x.from-start:at], x.round)
		}
	}
	add(output[at:], 0)
	return out, nil
}
