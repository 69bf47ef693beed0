package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/view"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/format"
	"arbiter/lang/parse"
	"arbiter/lang/words"
	"arbiter/stdlib/modifier"
)

// This file explains numbers: a stat in a situation, or a past roll with everything that went into it.

// Explanation explains a number or a roll, or shows everything about a combatant.
type Explanation struct {
	Title   string        `json:"title"` // Alia.armor-class = 18
	Notes   []string      `json:"notes,omitempty"`
	Parts   []Explained   `json:"parts"`
	Changes []Change      `json:"changes,omitempty"` // of a resource, oldest first
	More    []Explanation `json:"more,omitempty"`    // for a check: its bonus and its target number; for dice: what is added
	Sheet   *view.Sheet   `json:"sheet,omitempty"`   // of a combatant

	inTitle bool // the title says what the parts say
}

// Explained is one term or modifier.
type Explained struct {
	Value   string   `json:"value"`
	Name    string   `json:"name"`
	Type    string   `json:"type,omitempty"` // bonus type
	Term    bool     `json:"term,omitempty"` // of the number itself, which others may replace
	Counted bool     `json:"counted"`
	Why     string   `json:"why,omitempty"`     // why it does not count
	Decided bool     `json:"decided,omitempty"` // without it the check would have had the other result
	Where   string   `json:"where"`             // file:line
	Cites   []string `json:"cites,omitempty"`
	Doc     string   `json:"doc,omitempty"`

	// How the value was computed, as far down as was asked for.
	Expr string        `json:"expr,omitempty"` // its expression
	Of   []Explanation `json:"of,omitempty"`   // the stats that it reads

	pos  ir.Pos // the place that Where names
	path string // of the part of the rules there
}

// Explain plays a script and then explains what, an expression that reads a stat, the address of a roll, or a name.
func Explain(s *build.Script, o Options, what string, depth Depth) (*Explanation, diag.List, error) {
	o.Out, o.Unchecked = nil, true
	p := newPlayer(s, o)
	p.run(s.File.Body)
	p.narrator.writeEvents()
	x, diags, err := p.explainWhat(what, depth)
	if x != nil {
		x.Sheet = p.sheet(what)
	}
	return x, append(p.result.Failures, diags...), err
}

// explainWhat explains an expression, or a roll by its address.
func (p *player) explainWhat(what string, depth Depth) (*Explanation, diag.List, error) {
	if label, _, ok := strings.Cut(what, "#"); ok && label != "" {
		x, err := p.explainThrow(what, depth)
		return x, nil, err
	}
	e, diags := parse.Expression(Question, what)
	if len(diags) > 0 {
		return nil, diags, nil
	}
	script := p.script
	p.script = &build.Script{Path: Question, File: script.File, Head: script.Head, Rules: script.Rules}
	p.names = p.names.WithFile(Question)
	x, diags := p.explainExpr(e, depth)
	p.script = script
	return x, diags, nil
}

// Question is the file name that diagnostics use for the expression given to Explain, which is in no script.
const Question = "expression"

// explain runs the `explain` statement.
func (p *player) explain(n *ast.Directive) {
	x, diags := p.explainExpr(n.Value, UsualDepth)
	if len(diags) > 0 {
		p.result.Failures = append(p.result.Failures, diags...)
		return
	}
	p.narrator.writeEvents()
	for _, line := range strings.Split(strings.TrimRight(x.Text(), "\n"), "\n") {
		p.narrator.line(0, line)
	}
}

func (p *player) explainExpr(e ast.Expr, depth Depth) (*Explanation, diag.List) {
	x, vars, diags := p.names.Expr(e, ir.Type{})
	if len(diags) > 0 {
		return nil, diags
	}
	title := strings.TrimSpace(p.source(e))
	if x.Op != ir.OpStat {
		text, err := p.format(x, vars)
		if err != nil {
			return nil, diag.List{{File: p.script.Path, Span: e.Extent(), Severity: diag.Error, Code: "failed", Message: message(err)}}
		}
		out := &Explanation{Title: title + " = " + text, Parts: []Explained{}}
		p.describe(out, x)
		return out, nil
	}
	var args []int64
	for _, a := range x.Args {
		v, ok := p.eval(e.Extent(), a, vars)
		if !ok {
			return nil, diag.List{p.result.Failures[len(p.result.Failures)-1]}
		}
		args = append(args, v)
	}
	why, err := p.m.Explain(int32(args[0]), int32(x.Stat.Index), args[1:]...)
	if err != nil {
		return nil, diag.List{{File: p.script.Path, Span: e.Extent(), Severity: diag.Error, Code: "failed", Message: message(err)}}
	}
	out := p.explanation(why, depth)
	out.Title = fmt.Sprintf("%s = %s", title, p.amount(why.Total, x.Type))
	if assumed := p.assumed(x, args); assumed != "" {
		out.Notes = append(out.Notes, assumed)
	}
	out.Notes = append(out.Notes, missingParameters(x.Stat, why.Situation)...)
	return out, nil
}

// assumed says what a question for a stat assumed, given the values of its arguments; "" if nothing.
func (p *player) assumed(x *ir.Expr, args []int64) string {
	text := ""
	for i, v := range situationOf(x.Stat) {
		if x.Int>>i&1 == 1 && i+1 < len(args) && args[i+1] != ir.None {
			text += fmt.Sprintf(" %s %s", v.Label, p.m.Format(p.compiler.TypeOf(v.Type), args[i+1]))
		}
	}
	if text == "" {
		return ""
	}
	return "asked" + text
}

// situationOf returns the parts of the situation of a stat or a view.
func situationOf(st *ir.Stat) []*ir.Var {
	for st.ViewOf != nil {
		st = st.ViewOf
	}
	return st.Params
}

// missingParameters lists the parameters of a stat that were not given although terms depend on them; such terms add
// nothing.
func missingParameters(st *ir.Stat, situation []int64) []string {
	for st.ViewOf != nil {
		st = st.ViewOf
	}
	var notes []string
	told := map[*ir.Term]bool{}
	for i, v := range st.Params {
		if i >= len(situation) || situation[i] != ir.None || v.Type.Kind != ir.Ref {
			continue
		}
		var without []string
		for _, t := range st.Terms {
			if needs := slices.Contains(t.Value.Needs, v) || t.Guard != nil && slices.Contains(t.Guard.Needs, v); needs && !told[t] {
				told[t] = true
				without = append(without, t.Name)
			}
		}
		if more := len(without) - maxMissing; more > 1 {
			without = append(without[:maxMissing], fmt.Sprintf("%d more", more))
		}
		if len(without) > 0 {
			notes = append(notes, fmt.Sprintf("asked without `%s`, so without %s", strings.TrimSpace(v.Label+" "+v.Name), strings.Join(without, ", ")))
		}
	}
	return notes
}

// maxMissing is how many terms fit into a line of missingParameters.
const maxMissing = 6

// amount formats a value according to its type.
func (p *player) amount(v int64, t ir.Type) string {
	switch t.Kind {
	case ir.Quantity:
		return words.Quantity(t.Name, v)
	case ir.YesNo:
		if v == 0 {
			return "no"
		}
		return "yes"
	}
	return fmt.Sprint(v)
}

// source returns an expression as written, whether in the script or on the command line.
func (p *player) source(e ast.Expr) string {
	if t := p.text(e); t != "it" && e.Extent().Start.Line > 0 {
		return formatted(e, t)
	}
	return formatted(e, "it")
}

// describe describes an expression that is not a stat: a resource with its bounds, or a field.
func (p *player) describe(out *Explanation, x *ir.Expr) {
	switch x.Op {
	case ir.OpResource:
		part := x.Resource.Part
		out.Parts = append(out.Parts, Explained{Value: "", Name: "resource", Counted: true, Where: p.at(part.Pos), Cites: part.Cites, Doc: part.Doc})
		if who, ok := p.eval(x.Pos.Span, x.Args[0], nil); ok {
			if low, high, err := p.m.Bounds(int32(who), int32(x.Resource.Index)); err == nil {
				out.Notes = append(out.Notes, "between "+bound(low)+" and "+bound(high))
			}
			out.Changes = p.changesOf(who, x.Resource.Name)
		}
	case ir.OpField:
		out.Notes = append(out.Notes, "a field of "+x.Kind.Name)
	}
}

func bound(v int64) string {
	if v <= -1<<62 || v >= 1<<62 {
		return "no bound"
	}
	return fmt.Sprint(v)
}

// Depth is how far down an explanation goes: the number of stats below one another whose terms it also explains.
type Depth int

const (
	// UsualDepth goes down as long as a stat is a single expression of others.
	UsualDepth Depth = -1
	FullDepth  Depth = 100
)

// ParseDepth parses a depth: a number, `all`, or nothing for the usual one.
func ParseDepth(text string) (Depth, error) {
	switch n, err := strconv.Atoi(text); {
	case text == "":
		return UsualDepth, nil
	case text == "all":
		return FullDepth, nil
	case err == nil && n >= 0 && n <= int(FullDepth):
		return Depth(n), nil
	}
	return 0, fmt.Errorf("is %s: it must be `all` or a number from 0 to %d", text, FullDepth)
}

// maxExplained limits the stats of one explanation.
const maxExplained = 400

// explanation puts the lines of the machine into words.
func (p *player) explanation(x *machine.Explanation, depth Depth) *Explanation {
	left := maxExplained
	return p.explanationWithin(x, depth, &left)
}

// explanationWithin is explanation with a limit of how many more stats it may explain.
func (p *player) explanationWithin(x *machine.Explanation, depth Depth, left *int) *Explanation {
	*left--
	out := &Explanation{Title: fmt.Sprintf("%s.%s = %d", p.nameOf(int64(x.Who)), p.m.Program().Stats[x.Stat].Name, x.Total), Parts: []Explained{}}
	shown := 0
	for i := range x.Lines {
		out.Parts = append(out.Parts, p.explained(x, &x.Lines[i]))
		if out.Parts[i].shown() {
			shown++
		}
	}
	switch {
	case depth == 0 || depth == UsualDepth && shown != 1:
		return out
	case depth > 0:
		depth--
	}
	for i := range x.Lines {
		if e := &out.Parts[i]; e.shown() {
			p.explainReads(e, &x.Lines[i], depth, left)
		}
	}
	return out
}

// explainReads explains the stats that the value of a line was computed from.
func (p *player) explainReads(e *Explained, l *machine.Line, depth Depth, left *int) {
	source := p.lineSource(l.Part)
	if source.value != nil && source.value.Op == ir.OpConst {
		return // only its guard reads any
	}
	for _, r := range l.Reads {
		switch {
		case source.guard != nil && liesIn(p.m.PosOf(r.At), source.guard.Pos):
		case *left <= 0:
			e.Of = append(e.Of, Explanation{Title: fmt.Sprintf("%s.%s = %d, and more", p.nameOf(int64(r.Who)), p.m.Program().Stats[r.Stat].Name, r.Total), Parts: []Explained{}})
			return
		default:
			e.Of = append(e.Of, *p.explanationWithin(r.Explanation, depth, left))
		}
	}
	if v := source.value; len(e.Of) > 0 && v != nil && v.Op != ir.OpStat {
		e.Expr = p.writtenAt(v.Pos)
	}
}

// lineSource is where the value of a term or a modifier comes from.
type lineSource struct{ value, guard *ir.Expr }

// lineSource finds the source of a line by its part.
func (p *player) lineSource(part int32) lineSource {
	if p.lineSources == nil {
		p.lineSources = map[int32]lineSource{}
		add := func(at *ir.Part, value, guard *ir.Func) {
			x := lineSource{}
			if value != nil {
				x.value = value.Body
			}
			if guard != nil {
				x.guard = guard.Body
			}
			if at != nil {
				p.lineSources[at.ID] = x
			}
		}
		for _, st := range p.checked.Stats {
			for _, t := range st.Terms {
				add(t.Part, t.Value, t.Guard)
			}
		}
		for _, effect := range p.checked.Effects {
			for _, k := range effect.Modifiers {
				add(k.Part, k.Amount, k.Guard)
			}
			for _, d := range effect.Denials {
				add(d.Part, nil, d.Guard)
			}
		}
	}
	return p.lineSources[part]
}

func liesIn(pos, outer ir.Pos) bool {
	return pos.File == outer.File && outer.Span.Start.Offset <= pos.Span.Start.Offset && pos.Span.End.Offset <= outer.Span.End.Offset
}

// writtenAt returns what is written at a place in the rules or the script, on one line; "" if it is not known.
func (p *player) writtenAt(pos ir.Pos) string {
	if pos.File < 0 || int(pos.File) >= len(p.checked.Files) {
		return ""
	}
	file := p.checked.Files[pos.File]
	if p.texts == nil {
		p.texts = map[string][]byte{}
	}
	src, known := p.texts[file]
	if !known {
		src = p.script.Rules.Text(file)
		p.texts[file] = src
	}
	if pos.Span.End.Offset > len(src) || pos.Span.Start.Offset >= pos.Span.End.Offset {
		return ""
	}
	return strings.Join(strings.Fields(string(src[pos.Span.Start.Offset:pos.Span.End.Offset])), " ")
}

func (p *player) explained(x *machine.Explanation, l *machine.Line) Explained {
	e := Explained{Name: l.Name, Counted: l.Counted || l.Kind == machine.DenialLine && l.Holds, Value: fmt.Sprintf("%+d", l.Value)}
	switch {
	case l.Kind == machine.DenialLine:
		e.Value = "denies"
	case l.Op == modifier.Times:
		e.Value = fmt.Sprintf("x %d", l.Value)
		if l.Den > 1 {
			e.Value += fmt.Sprintf("/%d", l.Den)
		}
	case l.Op == modifier.Becomes:
		e.Value = fmt.Sprintf("= %d", l.Value)
	case l.Op == modifier.Floor:
		e.Value = fmt.Sprintf(">= %d", l.Value)
	case l.Op == modifier.Ceiling:
		e.Value = fmt.Sprintf("<= %d", l.Value)
	}
	e.Term = l.Kind == machine.TermLine
	if l.Bonus >= 0 && int(l.Bonus) < len(p.m.Program().Bonuses) {
		e.Type = p.m.Program().Bonuses[l.Bonus]
	}
	if from := p.includedBy(l); from != "" {
		e.Name += " (" + from + ")"
	}
	if l.Kind == machine.ModifierLine && l.Bearer != x.Who {
		e.Name += " (" + p.nameOf(int64(l.Bearer)) + ")"
	}
	if l.Part >= 0 && int(l.Part) < len(p.checked.Parts) {
		part := p.checked.Parts[l.Part]
		e.Where, e.Cites, e.Doc = p.at(part.Pos), part.Cites, part.Doc
		e.pos, e.path = part.Pos, part.Path
		if l.Where.File >= 0 {
			e.Where, e.pos = p.at(l.Where), l.Where
		}
	}
	switch {
	case !l.Holds:
		e.Why = "does not hold"
	case e.Counted:
	case l.DeniedBy >= 0 && int(l.DeniedBy) < len(p.checked.Parts):
		owner, _, _ := strings.Cut(p.checked.Parts[l.DeniedBy].Path, ".")
		for i := range x.Lines {
			if d := &x.Lines[i]; d.Kind == machine.DenialLine && d.Holds && d.Part == l.DeniedBy {
				if from := p.includedBy(d); from != "" {
					owner = from
				}
				break
			}
		}
		e.Why = fmt.Sprintf("%s: %s", l.Reason, owner)
	case l.OverriddenBy >= 0:
		e.Why = fmt.Sprintf("%s by %s", l.Reason, x.Lines[l.OverriddenBy].Name)
	default:
		e.Why = l.Reason.String()
	}
	return e
}

// includedBy returns the name of the effect that includes the one that a line comes from.
func (p *player) includedBy(l *machine.Line) string {
	if l.IncludedBy < 0 {
		return ""
	}
	return p.m.Program().Effects[l.IncludedBy].Name
}

func (p *player) at(pos ir.Pos) string {
	file, line, _ := p.script.Rules.Where(pos)
	return fmt.Sprintf("%s:%d", file, line)
}

// Text returns the explanation as lines of at most about 100 columns.
func (x *Explanation) Text() string {
	var b strings.Builder
	x.write(&b, "")
	return b.String()
}

func (x *Explanation) write(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%s%s\n", indent, x.Title)
	for _, n := range x.Notes {
		fmt.Fprintf(b, "%s  %s\n", indent, n)
	}
	values, names, types, whys := 0, 0, 0, 0
	parts := x.Parts
	if x.inTitle {
		parts = nil
	}
	for _, e := range parts {
		if !e.shown() {
			continue
		}
		values, names, types, whys = max(values, len(e.Value)), max(names, len(e.Name)), max(types, len(e.Type)), max(whys, len(e.Why))
	}
	for _, e := range parts {
		if !e.shown() {
			continue
		}
		mark := " "
		if e.Decided {
			mark = "*"
		}
		line := fmt.Sprintf("%s %s %*s  %-*s  %-*s  %-*s  %s", indent, mark, values, e.Value, names, e.Name, types, e.Type, whys, e.Why, e.Where)
		if len(e.Cites) > 0 {
			line += "  " + strings.Join(e.Cites, ", ")
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
		below := indent + strings.Repeat(" ", 5+values)
		if e.Expr != "" {
			fmt.Fprintf(b, "%s= %s\n", below, e.Expr)
		}
		for i := range e.Of {
			e.Of[i].write(b, below)
		}
	}
	writeChanges(b, indent, x.Changes)
	for i := range x.More {
		x.More[i].write(b, indent+"  ")
	}
}

// shown reports whether a line is shown: modifiers whose guard does not hold are left out.
func (e *Explained) shown() bool { return e.Why != "does not hold" }

// formatted returns the expression as the formatter writes it, if possible.
func formatted(e ast.Expr, fallback string) string {
	if t := format.Expr(e); t != "" {
		return t
	}
	return fallback
}
