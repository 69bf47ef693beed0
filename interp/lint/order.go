package lint

import (
	"fmt"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file has the rules about rules that respond to the same event, and about those that cause it again.

var orderRules = []*Rule{
	{Code: "unsaid-order", Severity: diag.Warning, users: true, check: unsaidOrder,
		Summary: "Two rules of one ruleset run at the same moment for the same creature, and one sets what the other reads or sets.",
		Why:     "They run in the order of their names. Whoever renames one of them changes the rules.",
		How:     "Make one rule of them, let one respond to another step, or set the value in a single place."},
	{Code: "instead-twice", Severity: diag.Warning, users: true, check: insteadTwice,
		Summary: "Two rules of one ruleset replace the same thing, and the first by name has neither a condition nor a `default`.",
		Why:     "The second never runs: the first in the order of their names decides.",
		How:     "Give the first a condition or a `default`, or make one rule of them."},
	{Code: "self-triggering", Severity: diag.Warning, check: selfTriggering,
		Summary: "A rule runs without a condition what it responds to.",
		Why:     "Each run is a new event, to which the rule responds again, until a limit breaks it off.",
		How:     "Give the rule a condition, or `once per turn`."},
	{Code: "free-reaction", Severity: diag.Note, check: freeReaction,
		Summary: "A reaction has no cost, no `once per` and no need.",
		Why:     "It can be taken at each event, as often as there are events; most games count reactions.",
		How:     "Write `cost reaction`, or what your game has; or `once per round`. To say that it is free: `cost none`."},
}

// respondent is a rule with what it sets and reads.
type respondent struct {
	*ast.Rule
	f    *file
	node int32
	sets map[string]bool     // names that it sets, and resources and effects that it gives or takes
	how  map[string][]string // in which way it does so; see change
}

// change is the way in which a value changes a name. Two changes of the same way may come in either order: sums,
// selections from a list, the same constant. "" is any other way.
func change(f *file, target string, value ast.Expr) string {
	switch x := bare(value).(type) {
	case *ast.Binary:
		if (x.Op.Name == "+" || x.Op.Name == "-") && f.source(x.X) == target && !strings.Contains(f.source(x.Y), target) {
			return "sum"
		}
	case *ast.Quantified:
		if x.Word.Name == "each" && x.Of == nil && x.Query.Sort == nil && f.source(bare(x.Query.In)) == target {
			return "selection"
		}
	case *ast.Literal:
		return "constant " + x.Word
	case *ast.Number:
		return "constant " + f.source(x)
	}
	return ""
}

// commute reports whether two rules change a name in the same way.
func commute(a, b *respondent, name string) bool {
	way := a.how[name][0]
	for _, x := range append(a.how[name][1:], b.how[name]...) {
		if x != way {
			return false
		}
	}
	return way != ""
}

// respondents groups the rules of the files of a ruleset, or of one script, that respond to the same event for the same
// creature: by what bears them and their trigger.
func (p *pass) respondents() map[string][]*respondent {
	files := p.project.rules[p.ruleset()]
	if p.ruleset() == "" {
		files = []*file{p.file}
	}
	groups := map[string][]*respondent{}
	for _, f := range files {
		for i, n := range each[ast.Rule](f) {
			if n.Word.Name != "rule" || n.Trigger.Path == nil || n.Body == nil {
				continue
			}
			key := n.Trigger.Word.Name + " " + f.source(n.Trigger)
			if owner, at := around[ast.Effect](f, i); at >= 0 {
				key = owner.Name.Name + ": " + key
			} else if owner, at := around[ast.Procedure](f, i); at >= 0 {
				key = owner.Name.Name + ": " + key
			} else if owner, at := around[ast.Resource](f, i); at >= 0 {
				key = owner.Name.Name + ": " + key
			}
			groups[key] = append(groups[key], newRespondent(f, i, n))
		}
	}
	return groups
}

func newRespondent(f *file, i int32, n *ast.Rule) *respondent {
	r := &respondent{Rule: n, f: f, node: i, sets: map[string]bool{}, how: map[string][]string{}}
	for _, s := range inside[ast.Set](f, i) {
		target := f.source(s.Target)
		if bound(f, i, target) {
			continue
		}
		r.sets[target] = true
		r.how[target] = append(r.how[target], change(f, target, s.Value))
	}
	for _, g := range inside[ast.Gain](f, i) {
		for _, id := range append([]ast.Ident{g.Resource}, g.Effects...) {
			if id.Name != "" {
				r.sets[id.Name] = true
				r.how[id.Name] = append(r.how[id.Name], "sum")
			}
		}
	}
	return r
}

// bound reports whether a rule binds a name itself.
func bound(f *file, i int32, name string) bool {
	for _, l := range inside[ast.Let](f, i) {
		if l.Name.Name == name {
			return true
		}
	}
	for _, q := range inside[ast.Query](f, i) {
		if q.Var.Name == name || strings.HasPrefix(name, q.Var.Name+".") {
			return true
		}
	}
	return false
}

// depends returns what makes the order of two rules matter, "" if nothing does.
func (r *respondent) depends(on *respondent) string {
	for name := range on.sets {
		if r.sets[name] {
			if !commute(r, on, name) {
				return name
			}
			continue
		}
		last := name[strings.LastIndexByte(name, '.')+1:]
		for _, id := range inside[ast.Ident](r.f, r.node) {
			if id.Name == last && !r.f.declares[id] && !r.f.given[id] {
				return name
			}
		}
	}
	return ""
}

// exclusive reports whether the guards of two rules exclude each other by their form.
func exclusive(a, b *respondent) bool {
	if a.When == nil || b.When == nil {
		return false
	}
	for _, x := range operands(a.When, "and") {
		for _, y := range operands(b.When, "and") {
			c, ok := comparisonOf(a.f, x)
			d, also := comparisonOf(b.f, y)
			if ok && also && c.value == d.value {
				low, high, _ := c.bounds()
				low2, high2, _ := d.bounds()
				if max(low, low2) > min(high, high2) {
					return true
				}
			}
			v, ok := bare(x).(*ast.Verdict)
			w, also := bare(y).(*ast.Verdict)
			if ok && also && v.Verb.Name != w.Verb.Name && a.f.source(v.X) == b.f.source(w.X) {
				return true
			}
			if opposedText(a.f.source(bare(x)), b.f.source(bare(y))) {
				return true
			}
		}
	}
	return false
}

// opposedText reports whether one text is the other with a `not` or another value behind a comparison.
func opposedText(a, b string) bool {
	for _, x := range [][2]string{{a, b}, {b, a}} {
		if x[0] == "not "+x[1] || strings.Replace(x[0], " not ", " ", 1) == x[1] && x[0] != x[1] {
			return true
		}
	}
	left, value, ok := strings.Cut(a, " = ")
	left2, value2, also := strings.Cut(b, " = ")
	return ok && also && left == left2 && value != value2
}

func unsaidOrder(p *pass) {
	for _, group := range p.respondents() {
		for i, a := range group {
			for _, b := range group[:i] {
				if exclusive(a, b) || a.Trigger.Word.Name == "instead" {
					continue
				}
				name := a.depends(b)
				if name == "" {
					name = b.depends(a)
				}
				if name == "" {
					continue
				}
				first, second := a, b
				if b.Name.Name < a.Name.Name {
					first, second = b, a
				}
				if second.f != p.file {
					continue
				}
				f := p.report(second.Name.Span, fmt.Sprintf("%s runs after %s only because of their names, and it matters for %s", second.Name.Name, first.Name.Name, name),
					"make one rule of them, or let one respond to another step")
				f.Related = append(f.Related, diag.Related{File: first.f.Parsed.Path, Span: first.Name.Span, Message: "this one runs first"})
			}
		}
	}
}

func insteadTwice(p *pass) {
	for _, group := range p.respondents() {
		for _, a := range group {
			if a.Trigger.Word.Name != "instead" || a.When != nil || a.Unless != nil || a.Once.Name != "" || a.hasDefault() {
				continue
			}
			for _, b := range group {
				if b.Name.Name > a.Name.Name && b.f == p.file {
					f := p.report(b.Name.Span, fmt.Sprintf("this never runs: %s replaces the same, and comes first by its name", a.Name.Name), "give that one a condition or a `default`, or make one rule of them")
					f.Related = append(f.Related, diag.Related{File: a.f.Parsed.Path, Span: a.Name.Span, Message: "this one decides"})
				}
			}
		}
	}
}

func (r *respondent) hasDefault() bool {
	for _, s := range inside[ast.Simple](r.f, r.node) {
		if s.Word.Name == "default" {
			return true
		}
	}
	return false
}

// bySelf reports whether the arguments of a trigger say no more than that the bearer of the rule does it.
func bySelf(args []ast.Arg) bool {
	for _, a := range args {
		if name, ok := a.Value.(*ast.Name); !ok || a.Label.Name != "by" || name.Name != "self" {
			return false
		}
	}
	return true
}

func selfTriggering(p *pass) {
	for _, n := range each[ast.Rule](p.file) {
		if n.When != nil || n.Unless != nil || n.Once.Name != "" || n.Trigger.Path == nil || len(n.Trigger.Path.Parts) != 1 || !bySelf(n.Trigger.Args) ||
			n.Body == nil || n.Word.Name != "rule" || n.Trigger.Word.Name == "instead" {
			continue
		}
		for _, cl := range n.Body.Clauses {
			c, ok := cl.(*ast.Command)
			if l, isLet := cl.(*ast.Let); isLet && l.Command != nil {
				c, ok = l.Command, true
			}
			if ok && c.When == nil && c.Unless == nil && c.Name.Name == n.Trigger.Path.Parts[0].Name.Name {
				p.report(c.Span, "this is what the rule responds to: it will respond again, without end", "give the rule a condition, or `once per turn`").relate(n.Trigger.Span, "what it responds to")
			}
		}
	}
}

func freeReaction(p *pass) {
	for i, n := range each[ast.Rule](p.file) {
		if n.Word.Name != "reaction" || n.Once.Name != "" {
			continue
		}
		limited := false
		for range inside[ast.Cost](p.file, i) {
			limited = true
		}
		for range inside[ast.Needs](p.file, i) {
			limited = true
		}
		if !limited {
			p.report(n.Name.Span, "nothing limits how often this reaction is taken", "write what it costs, or `once per round`; if it is free, `cost none`")
		}
	}
}
