package debug

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
)

// Breakpoint is where the script is to stop.
type Breakpoint struct {
	ID        int
	File      string // of a line
	Line      int    // where it is; of a line without code, the next that has some
	Name      string // of anything else: strike, strike.confirm, stat armor-class, gain stunned, roll strike.to-hit
	Condition string // in the language, in the scope of the code that runs; "": none
	Hits      string // which hits count: 3, >3, >=3, %3; "": all
	Problem   string // why it can never be hit; "": it can

	what   what
	of     int32 // the number of the stat, effect or function, or of the file
	pcs    map[int32]bool
	label  string
	hits   int
	failed string // why its condition could not be computed
}

// what a breakpoint waits for.
type what uint8

const (
	instructions what = iota
	statComputed
	effectGained
	dieRolled
	functionEntered
	functionReturned
)

// describe names the breakpoint for a person.
func (b *Breakpoint) describe() string {
	text := b.Name
	if text == "" {
		text = fmt.Sprintf("%s:%d", b.File, b.Line)
	}
	if b.failed != "" {
		text += " (its condition: " + b.failed + ")"
	}
	return text
}

func ids(list []*Breakpoint) (ids []int) {
	for _, b := range list {
		ids = append(ids, b.ID)
	}
	return ids
}

// SetLines replaces the breakpoints of a file. Each returned one has an id, its line, and what is wrong with it.
func (d *Debugger) SetLines(path string, list []Breakpoint) (out []*Breakpoint) {
	d.between(func() {
		file, known := d.places.find(path)
		if !known {
			file = d.places.fileNumber(path)
		}
		out = d.set(func(b *Breakpoint) bool { return b.Name == "" && b.of == file }, list, func(b *Breakpoint) {
			b.Name, b.File, b.of = "", path, file
			d.resolveLine(b)
		})
	})
	return out
}

// SetNames replaces the breakpoints that have a name.
func (d *Debugger) SetNames(list []Breakpoint) (out []*Breakpoint) {
	d.between(func() {
		out = d.set(func(b *Breakpoint) bool { return b.Name != "" }, list, func(b *Breakpoint) {
			if err := d.resolve(b); err != nil {
				b.Problem = err.Error()
			}
		})
	})
	return out
}

// between does something between two moments of the script, or at once if it does not run.
func (d *Debugger) between(do func()) {
	if d.While(func(*View) { do() }) != nil {
		do()
	}
}

func (d *Debugger) set(replaced func(*Breakpoint) bool, list []Breakpoint, resolve func(*Breakpoint)) (out []*Breakpoint) {
	for i := range list {
		b := list[i]
		d.nextID++
		b.ID = d.nextID
		resolve(&b)
		if _, err := countOf(b.Hits, 1); err != nil {
			b.Problem = err.Error()
		}
		out = append(out, &b)
	}
	d.points = slices.DeleteFunc(d.points, replaced)
	for _, b := range out {
		if b.Problem == "" {
			d.points = append(d.points, b)
		}
	}
	d.arm()
	return out
}

// resolveLine finds the line of a breakpoint that has something to stop at: the one that it names, or the next one. In
// the script these are statements, too.
func (d *Debugger) resolveLine(b *Breakpoint) {
	pcs, code := d.places.codeAt(b.of, int32(b.Line))
	statement := 0
	if b.of == d.places.fileNumber(d.script.Path) {
		statement = d.statementAt(b.Line)
	}
	switch {
	case statement > 0 && (code == 0 || statement < int(code)):
		b.Line = statement
	case code > 0:
		b.Line, b.pcs = int(code), pcs
	default:
		b.Problem = "no code of these rules is in this line, or below it"
	}
}

// statementAt returns the line of the statement of the script that is in a line, or of the next one; 0 if there is none.
func (d *Debugger) statementAt(line int) (best int) {
	for _, cl := range d.script.File.Body {
		if l := cl.Extent().Start.Line; l >= line && (best == 0 || l < best) {
			best = l
		}
	}
	return best
}

// resolve finds out what a name means.
func (d *Debugger) resolve(b *Breakpoint) error {
	word, name, _ := strings.Cut(strings.TrimSpace(b.Name), " ")
	name = strings.TrimSpace(name)
	if name == "" {
		word, name = "", word
	}
	p, x := d.places.p, d.places
	is := func(words ...string) bool { return word == "" || slices.Contains(words, word) }
	if is("roll") && d.script.Rules.Checked.UnknownLabel(name, true) == "" && strings.Contains(name, ".") || word == "roll" {
		if why := d.script.Rules.Checked.UnknownLabel(name, true); why != "" {
			return errors.New(why)
		}
		b.what, b.label = dieRolled, name
		return nil
	}
	if is("procedure", "action", "step") {
		for i := range p.Procs {
			q := x.rs.Procs[i]
			if p.Procs[i].Name == name {
				ch := &p.Chunks[p.Procs[i].Chunk]
				b.what, b.pcs = instructions, map[int32]bool{}
				for pc := ch.Start; pc < ch.End; pc++ {
					b.pcs[pc] = true
				}
				return nil
			}
			if step, ok := strings.CutPrefix(name, p.Procs[i].Name+"."); ok {
				for _, s := range q.Steps {
					if s.Name == step {
						b.what, b.pcs = instructions, x.codeWithin(p.Procs[i].Chunk, s)
						return nil
					}
				}
			}
		}
	}
	chunks := func(kind program.OwnerKind) bool {
		b.what, b.pcs = instructions, map[int32]bool{}
		for k, o := range x.owners {
			if o.Kind == kind && p.NameOf(o) == name && (kind != program.RuleOwner || p.Rules[o.ID].Chunk == int32(k)) {
				for pc := p.Chunks[k].Start; pc < p.Chunks[k].End; pc++ {
					b.pcs[pc] = true
				}
			}
		}
		return len(b.pcs) > 0
	}
	if is("rule", "reaction") && chunks(program.RuleOwner) || is("define") && chunks(program.DefineOwner) || is("tactics") && chunks(program.TacticsOwner) {
		return nil
	}
	b.pcs = nil
	if is("stat") {
		for i := range p.Stats {
			if p.Stats[i].Name == name {
				b.what, b.of = statComputed, int32(i)
				return nil
			}
		}
	}
	if is("gain", "effect", "condition") {
		for i := range p.Effects {
			if p.Effects[i].Name == name {
				b.what, b.of = effectGained, int32(i)
				return nil
			}
		}
	}
	if is("function", "return") {
		for i := range p.Hooks {
			if fn, _, _ := strings.Cut(p.Hooks[i].Name, " "); fn == name {
				if b.what, b.of = functionEntered, int32(i); word == "return" {
					b.what = functionReturned
				}
				return nil
			}
		}
	}
	return fmt.Errorf("nothing of these rules is called %s: write a procedure, a step (strike.confirm), a rule, `stat NAME`, `gain EFFECT`, `roll LABEL`, or `function NAME` of Starlark, or `return NAME`", strings.TrimSpace(b.Name))
}

// arm notes which instructions have breakpoints.
func (d *Debugger) arm() {
	x := d.places
	x.armed = make([]bool, len(x.lines))
	for _, b := range d.points {
		for pc := range b.pcs {
			x.armed[pc] = true
		}
	}
}

// hit returns the breakpoints that are hit at an instruction, or at a statement (pc -1): those whose code begins here, or
// whose line does.
func (r *run) hit(s spot, pc int32) (hits []*Breakpoint) {
	d := r.d
	if len(d.points) == 0 {
		return nil
	}
	if pc < 0 {
		var list []*Breakpoint
		for _, b := range d.points {
			if b.what == instructions && b.Name == "" && b.of == s.file && b.Line == int(s.line) {
				list = append(list, b)
			}
		}
		clear(r.inPoint)
		return r.holding(list)
	}
	if s.line < 1 || !d.places.armed[pc] && len(r.inPoint) == 0 {
		return nil
	}
	var list []*Breakpoint
	for _, b := range d.points {
		if b.what != instructions {
			continue
		}
		in := b.pcs[pc]
		at := r.inPoint[b]
		switch {
		case in && at != s.code: // another activation, or from outside
			r.inPoint[b] = s.code
			list = append(list, b)
		case !in && at == s.code && s.depth > 0:
			delete(r.inPoint, b)
		}
	}
	return r.holding(list)
}

// holding returns those breakpoints whose conditions hold, and counts them. A condition that cannot be computed stops,
// and says why.
func (r *run) holding(list []*Breakpoint) (hits []*Breakpoint) {
	for _, b := range list {
		b.failed = ""
		if b.Condition != "" {
			v, err := (&View{r}).evaluate(b.Condition, 0)
			if err == nil && v.Type.Kind != ir.YesNo {
				err = errors.New("it is no yes or no")
			}
			if err != nil {
				b.failed = err.Error()
			} else if v.Value == 0 {
				continue
			}
		}
		b.hits++
		if ok, err := countOf(b.Hits, b.hits); ok && err == nil {
			hits = append(hits, b)
		}
	}
	return hits
}

// countOf says whether the nth hit counts.
func countOf(form string, n int) (bool, error) {
	form = strings.ReplaceAll(form, " ", "")
	if form == "" {
		return true, nil
	}
	digits := strings.TrimLeft(form, "=><%")
	sign := form[:len(form)-len(digits)]
	want, err := strconv.Atoi(digits)
	if err != nil || want < 1 {
		return false, fmt.Errorf("%s is no count: write 3 for the third hit, >3, >=3, or %%3 for every third", form)
	}
	switch sign {
	case "", "=", "==":
		return n == want, nil
	case ">":
		return n > want, nil
	case ">=":
		return n >= want, nil
	case "<":
		return n < want, nil
	case "<=":
		return n <= want, nil
	case "%":
		return n%want == 0, nil
	}
	return false, fmt.Errorf("%s is no count", form)
}

// evaluated returns the breakpoints for an evaluation that begins, or ends.
func (d *Debugger) evaluated(e *machine.Evaluation, p *program.Program, ends bool) (list []*Breakpoint) {
	for _, b := range d.points {
		switch {
		case e.Kind == machine.StatEvaluation && b.what == statComputed && b.of == e.ID && !ends,
			e.Kind == machine.HookEvaluation && (b.what == functionEntered && !ends || b.what == functionReturned && ends) && p.Sites[e.ID].Hook == b.of:
			list = append(list, b)
		}
	}
	return list
}

// gaining returns the breakpoints for an effect that is gained.
func (d *Debugger) gaining(effect int32) (list []*Breakpoint) {
	for _, b := range d.points {
		if b.what == effectGained && b.of == effect {
			list = append(list, b)
		}
	}
	return list
}

// rolled returns the breakpoints for a die that is about to fall.
func (d *Debugger) rolled(label string) (list []*Breakpoint) {
	for _, b := range d.points {
		if b.what == dieRolled && b.label == label {
			list = append(list, b)
		}
	}
	return list
}
