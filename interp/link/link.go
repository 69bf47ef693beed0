package link

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/format"
)

// This file orders rulesets, adds their declarations, and decides which of their changes take effect.

// Link links rulesets, given parents first, and then the declarations of a script (nil for none) and of the files next
// to it.
func Link(rulesets []*load.Ruleset, script *ast.File, parts ...*ast.File) (*Set, diag.List) {
	return LinkBetween(nil, rulesets, script, parts...)
}

// LinkBetween is Link, which calls a function between one declaration and another, so that something else can be done, or
// it be broken off by a panic. It can be nil.
func LinkBetween(between func(), rulesets []*load.Ruleset, script *ast.File, parts ...*ast.File) (*Set, diag.List) {
	l := newLinker()
	l.between = between
	rulesets = l.dropExcluded(rulesets)
	l.addAll(rulesets, script)
	if script != nil {
		name := ScriptName
		l.parents[name] = map[string]bool{}
		for _, r := range rulesets {
			l.parents[name][r.Name] = true
		}
		l.addRuleset(name, scriptDepth, append([]*ast.File{script}, parts...), true)
	}
	l.warnIdlePrefers()
	return l.set, l.diags
}

// addAll adds rulesets, given parents first, and reports what of them cannot be combined. script is for messages.
func (l *linker) addAll(rulesets []*load.Ruleset, script *ast.File) {
	for _, r := range rulesets {
		l.recordAncestors(r)
		l.recordPreferences(r)
	}
	if len(rulesets) > 0 {
		l.set.Name = rulesets[len(rulesets)-1].Name
	}
	// The order of siblings in the argument must not matter.
	slices.SortStableFunc(rulesets, func(a, b *load.Ruleset) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Name, b.Name))
	})
	for _, r := range rulesets {
		l.collectChanges(r)
	}
	for _, r := range rulesets {
		l.set.Rulesets = append(l.set.Rulesets, r.Name)
		l.recordHeader(r)
		l.addRuleset(r.Name, r.Depth, r.Files, false)
	}
	if !l.reportIncompatible(rulesets, script) {
		l.reportConflicts()
	}
}

// dropExcluded returns the rulesets without the excluded ones, whose declarations count as removed, for messages about
// references to them.
func (l *linker) dropExcluded(rulesets []*load.Ruleset) []*load.Ruleset {
	var in []*load.Ruleset
	for _, r := range rulesets {
		for _, f := range r.Files {
			for _, cl := range f.Body {
				if id := NameOf(cl); id != "" {
					if o := (&Origin{File: f.Path, Span: cl.Extent(), Ruleset: r.Name, Verb: "without"}); r.Excluded {
						l.set.Removed[id] = o
					} else if l.declaredAt[id] == nil {
						l.declaredAt[id] = o
					}
				}
			}
		}
		if l.excluded[r.Name] = r.Excluded; !r.Excluded {
			in = append(in, r)
		}
	}
	return in
}

// ScriptName is used as the name of the ruleset where a script declares or changes something.
const ScriptName = "this script"

// scriptDepth is deeper than any chain of rulesets: the declarations of a script take precedence.
const scriptDepth = 1 << 10

func newLinker() *linker {
	return &linker{
		set: &Set{
			Headers: map[string]*ast.Header{}, Origins: map[ast.Clause]*Origin{}, Values: map[ast.Expr]*Origin{}, Replaced: map[ast.Expr]ast.Expr{}, Cells: map[string]*Origin{},
			AddedCites: map[string][]Citation{}, Removed: map[string]*Origin{}, Unbound: map[string]*Origin{},
		},
		byName:         map[string][]*Def{},
		changes:        map[string][]*siblingChange{},
		firstChange:    map[string]*siblingChange{},
		applied:        map[*ast.Change]bool{},
		resolving:      map[*ast.Change]bool{},
		parents:        map[string]map[string]bool{},
		copied:         map[*Def]bool{},
		declaredAt:     map[string]*Origin{},
		excluded:       map[string]bool{},
		alsoDeclaredBy: map[*Def][]string{},
	}
}

// collectChanges collects the changes of a ruleset, before any is applied.
func (l *linker) collectChanges(r *load.Ruleset) {
	for _, f := range r.Files {
		for _, cl := range f.Body {
			if n, ok := cl.(*ast.Change); ok && len(n.Path.Parts) > 0 {
				first := n.Path.Parts[0].Name.Name
				l.changes[first] = append(l.changes[first], &siblingChange{r.Name, n, f.Path, pathOf(n)})
			}
		}
	}
}

type linker struct {
	between           func() // see LinkBetween
	set               *Set
	byName            map[string][]*Def           // by name; several when a kind and a thing share one
	changes           map[string][]*siblingChange // of all rulesets, by the definition they change
	firstChange       map[string]*siblingChange   // first change by ruleset and path, except `extend`
	applied           map[*ast.Change]bool        // changes that have been applied
	resolving         map[*ast.Change]bool        // changes that settle a conflict of others
	parents           map[string]map[string]bool  // all ancestors
	prefers           []*preference
	excluded          map[string]bool   // excluded rulesets
	additionConflicts diag.List         // conflicts between additions of siblings
	alsoDeclaredBy    map[*Def][]string // other rulesets that declare it too
	diags             diag.List
	copied            map[*Def]bool      // definitions whose trees are private copies
	declaredAt        map[string]*Origin // where each name is declared by any ruleset, before linking
}

// siblingChange is a change with its ruleset and file.
type siblingChange struct {
	ruleset string
	node    *ast.Change
	file    string
	path    string
}

// preference is one `prefers` of the ruleset `by`: wins takes precedence over its siblings.
type preference struct {
	by, wins string
	file     string
	span     ast.Span
	used     bool // it has settled a conflict
}

// recordHeader records the header that describes a ruleset.
func (l *linker) recordHeader(r *load.Ruleset) {
	for _, f := range r.Files {
		if h := load.HeaderOf(f); h != nil && (l.set.Headers[r.Name] == nil || h.Doc != nil) {
			l.set.Headers[r.Name] = h
		}
	}
}

// recordPreferences records the `prefers` in the headers of a ruleset.
func (l *linker) recordPreferences(r *load.Ruleset) {
	for _, f := range r.Files {
		if h := load.HeaderOf(f); h != nil {
			for _, id := range h.Prefers {
				l.prefers = append(l.prefers, &preference{by: r.Name, wins: id.Name, file: f.Path, span: id.Span})
			}
		}
	}
}

// warnIdlePrefers warns about each `prefers` that settled no conflict, unless it names an excluded ruleset.
func (l *linker) warnIdlePrefers() {
	for _, p := range l.prefers {
		switch {
		case p.used || l.excluded[p.wins]:
		case !l.parents[p.by][p.wins]:
			l.warn(p.file, p.span, "idle-prefers", p.by+" prefers "+p.wins+", which it does not extend", "write `extends ..., "+p.wins+"`, or remove it")
		default:
			l.warn(p.file, p.span, "idle-prefers", "there is no conflict that needs "+p.wins+" to be preferred", "remove it: `prefers` is for what two rulesets change differently")
		}
	}
}

// recordAncestors records the ancestors of a ruleset; those of its parents must be recorded already.
func (l *linker) recordAncestors(r *load.Ruleset) {
	a := map[string]bool{}
	for _, p := range r.Extends {
		a[p] = true
		for q := range l.parents[p] {
			a[q] = true
		}
	}
	l.parents[r.Name] = a
}

func (l *linker) report(file string, span ast.Span, code, message, hint string, related ...diag.Related) {
	l.diags = append(l.diags, diag.Diagnostic{File: file, Span: span, Severity: diag.Error, Code: code, Message: message, Hint: hint, Related: related})
}

// warn reports a mistake that leaves the rules usable.
func (l *linker) warn(file string, span ast.Span, code, message, hint string, related ...diag.Related) {
	l.diags = append(l.diags, diag.Diagnostic{File: file, Span: span, Severity: diag.Warning, Code: code, Message: message, Hint: hint, Related: related})
}

// addRuleset adds the declarations of a ruleset, then applies its changes.
func (l *linker) addRuleset(name string, depth int, files []*ast.File, script bool) {
	for _, f := range files {
		for _, cl := range f.Body {
			if l.between != nil {
				l.between()
			}
			switch n := cl.(type) {
			case *ast.Header, *ast.Change, *ast.Bad, *ast.Documentation:
			case *ast.Use:
				if n.Hooks { // the registrations of its file are in a file of their own
					if script {
						l.report(f.Path, n.Span, "misplaced", "hooks are used by a ruleset", "put `use hooks` into a file of rules, and play with that: `with NAME`, or --with FILE")
					}
					continue
				}
				l.declare(name, depth, f, cl)
			default:
				if ScriptOnly(cl) {
					if !script {
						l.report(f.Path, cl.Extent(), "misplaced", "this is not allowed at the top level of a ruleset",
							"statements belong in a `procedure`, an `action` or a `rule`; scripts in an .encounter or .tests file")
					}
					continue
				}
				l.declare(name, depth, f, cl)
			}
		}
	}
	// Changes that replace all costs or needs of an action go first; they would remove what the same ruleset adds to
	// them.
	for _, first := range []bool{true, false} {
		for _, f := range files {
			for _, cl := range f.Body {
				if n, ok := cl.(*ast.Change); ok && first == replacesAll(n) {
					l.apply(name, f.Path, n)
				}
			}
		}
	}
}

// declare adds a declaration.
func (l *linker) declare(ruleset string, depth int, f *ast.File, cl ast.Clause) {
	if cl = l.withoutRivals(ruleset, f.Path, cl); cl == nil {
		return
	}
	id := NameOf(cl)
	d := &Def{Name: id, Node: cl, Depth: depth, Origin: &Origin{File: f.Path, Span: cl.Extent(), Ruleset: ruleset, Verb: "declare"}}
	if l.resolveRival(d) {
		return
	}
	l.set.Defs = append(l.set.Defs, d)
	l.byName[id] = append(l.byName[id], d)
}

// replacesAll reports whether a change replaces all costs or all needs.
func replacesAll(n *ast.Change) bool {
	last := len(n.Path.Parts) - 1
	return n.Word.Name == "override" && last > 0 && (n.Path.Parts[last].Name.Name == "cost" || n.Path.Parts[last].Name.Name == "needs")
}

// ScriptOnly reports whether a clause is for the runner of scripts, not for the linker.
func ScriptOnly(cl ast.Clause) bool {
	switch cl.(type) {
	case *ast.Side, *ast.Map, *ast.Given, *ast.Test, *ast.Scripted, *ast.Expect, *ast.Directive, *ast.Follows,
		*ast.Include, *ast.Scene, *ast.Choices, *ast.Divert, *ast.Finish, *ast.Alternation, *ast.Battle, *ast.Aftermath, *ast.BreakOff:
		return true
	}
	return ast.IsStatement(cl)
}

// NameOf returns the path of a declaration: its name, prefixed by the kind for a property or a procedure of a kind.
func NameOf(cl ast.Clause) string {
	switch cl.(type) {
	case *ast.Term, *ast.Step, *ast.Way: // parts of a declaration
		return ""
	}
	switch h := ast.HeadOf(cl); {
	case h.Name == nil:
		return ""
	case h.Owner != nil:
		return h.Owner.Name + "." + h.Name.Name
	default:
		return h.Name.Name
	}
}

// PathText returns a path as it is written.
func PathText(p *ast.Path) string {
	var b strings.Builder
	for i, part := range p.Parts {
		if part.Keys != nil {
			b.WriteByte('[')
			for k, e := range part.Keys {
				if k > 0 {
					b.WriteString(", ")
				}
				b.WriteString(keyText(e))
			}
			b.WriteByte(']')
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(part.Name.Name)
	}
	return b.String()
}

// keyText returns a key as it is written, "?" for an expression that cannot be one.
func keyText(e ast.Expr) string {
	switch n := e.(type) {
	case *ast.Name:
		return n.Name
	case *ast.Number:
		if n.Unit.Name != "" {
			return fmt.Sprintf("%d %s", n.Value, n.Unit.Name)
		}
		return fmt.Sprint(n.Value)
	case *ast.Unary:
		return n.Op.Name + keyText(n.X)
	case *ast.Paren:
		return keyText(n.X)
	case *ast.Literal:
		return n.Word
	}
	return "?"
}

// apply applies one change, unless it conflicts with another ruleset's change.
func (l *linker) apply(ruleset, file string, n *ast.Change) {
	path := pathOf(n)
	if len(n.Path.Parts) == 0 {
		return // reported when it was parsed
	}
	if n.Word.Name != "extend" {
		if first := l.firstChange[ruleset+" "+path]; first != nil {
			l.report(file, n.Span, "declared-twice", path+" is changed twice by this ruleset", "remove one of them", diag.Related{File: first.file, Span: first.node.Span, Message: "first changed here"})
			return
		}
		l.firstChange[ruleset+" "+path] = &siblingChange{ruleset, n, file, path}
	}
	e := &editor{linker: l, n: n, path: path, origin: &Origin{File: file, Span: n.Span, Ruleset: ruleset, Verb: n.Word.Name}}
	if onlyCites(n) {
		l.addCites(e)
		return
	}
	for _, c := range l.changes[n.Path.Parts[0].Name.Name] {
		if c.ruleset == ruleset || l.parents[ruleset][c.ruleset] || l.parents[c.ruleset][ruleset] || !conflicts(c, n, path) {
			continue
		}
		switch l.winner(c.ruleset, ruleset, c.path, path) {
		case ruleset:
			continue
		case "":
		default:
			return
		}
		if l.applied[c.node] { // reported once, at the second of the two
			l.report(file, n.Span, "conflict", fmt.Sprintf("%s and %s both change %s, but differently", c.ruleset, ruleset, path),
				fmt.Sprintf("make a ruleset that extends both and `prefers %s` or `prefers %s`, or overrides %s itself", c.ruleset, ruleset, PathText(&n.Path)),
				diag.Related{File: c.file, Span: c.node.Span, Message: "the other change"})
			return
		}
	}
	l.applied[n] = true
	before := len(l.diags)
	var was []*Piece
	if n.Word.Name == "override" && ruleset != ScriptName && !l.resolving[n] {
		was = l.pieces(e)
	}
	l.edit(e)
	if n.Word.Name == "remove" || l.diags[before:].HasErrors() {
		return
	}
	l.addCites(e)
	if was != nil {
		l.warnIdleOverride(e, was)
		l.warnLeftOut(e, was)
	}
}

// pieces returns the current parts of the definition that a change is about.
func (l *linker) pieces(e *editor) []*Piece {
	if d, _ := l.findTarget(e.n); d != nil {
		return l.set.Pieces(d)
	}
	return nil
}

// warnIdleOverride warns about an override that changes nothing. A script may repeat what its rules say, since it can
// be run with others.
func (l *linker) warnIdleOverride(e *editor, was []*Piece) {
	old, now := entry{pieces: was, origin: e.origin}, entry{pieces: l.pieces(e), origin: e.origin}
	if len(now.diff(&old, l.set)) > 0 {
		return
	}
	from := was[0].Origin
	for _, p := range was {
		if e.isFromSibling(p.Origin) {
			return // a sibling may have made the same change, and each must work without the other
		}
		if p.Path == e.path {
			from = p.Origin
		}
	}
	l.warn(e.origin.File, e.n.Path.Span, "idle-override", "this override changes nothing: "+e.path+" already says the same", "remove it; to cite for a part write: extend "+PathText(&e.n.Path)+" cite IDS",
		diag.Related{File: from.File, Span: from.Span, Message: "it is here"})
}

// warnLeftOut warns about an override of a whole thing that reads like a change of some of its fields: the others are
// lost.
func (l *linker) warnLeftOut(e *editor, was []*Piece) {
	d, rest := l.findTarget(e.n)
	if d == nil || len(rest) > 0 {
		return
	}
	if _, isThing := d.Node.(*ast.Template); !isThing {
		return
	}
	kept := map[string]bool{}
	for _, p := range l.pieces(e) {
		kept[p.Path] = true
	}
	var lost []string
	for _, p := range was {
		if name, _ := strings.CutPrefix(p.Path, d.Name+"."); p.Path != d.Name && !kept[p.Path] && !slices.Contains(lost, name) {
			lost = append(lost, name)
		}
	}
	if len(lost) == 0 {
		return
	}
	hint := "change a single field with `override " + d.Name + ".FIELD = EXPR`; for another thing of this name `remove` it and declare it again"
	if p, ok := firstClause(e.n.Body).(*ast.Property); ok && len(p.Values) == 1 {
		hint = strings.Replace(hint, "FIELD = EXPR", p.Name.Name+" = "+format.Expr(p.Values[0]), 1)
	}
	l.warn(e.origin.File, e.n.Path.Span, "leaves-out", "this replaces all of "+d.Name+" and leaves out "+strings.Join(lost, ", "), hint,
		diag.Related{File: d.Origin.Root().File, Span: d.Origin.Root().Span, Message: "it is here"})
}

// firstClause is the first clause of a body, nil if it has none.
func firstClause(b *ast.Block) ast.Clause {
	if b == nil || len(b.Clauses) == 0 {
		return nil
	}
	return b.Clauses[0]
}

// conflicts reports whether two changes of siblings are incompatible: they replace the same part differently, or one
// replaces something of which the other changes a part.
func conflicts(c *siblingChange, n *ast.Change, path string) bool {
	if onlyCites(c.node) {
		return false
	}
	if c.path == path {
		return (c.node.Word.Name != "extend" || n.Word.Name != "extend") && !sameChange(c.node, n)
	}
	return c.node.Word.Name != "extend" && isInside(path, c.path) || n.Word.Name != "extend" && isInside(c.path, path)
}

// isInside reports whether a path is inside another.
func isInside(path, whole string) bool {
	rest, ok := strings.CutPrefix(path, whole)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '[')
}

// winner returns the ruleset that wins a conflict between a and b, according to the rulesets that extend both: the
// preferred one, or such a ruleset itself if it changes one of the paths. "" if none decides.
func (l *linker) winner(a, b string, paths ...string) string {
	for _, p := range l.prefers {
		has := l.parents[p.by]
		if (p.wins == a || p.wins == b) && has[a] && has[b] {
			p.used = true
			return p.wins
		}
	}
	for _, path := range paths {
		first, _, _ := strings.Cut(path, ".")
		first, _, _ = strings.Cut(strings.TrimPrefix(first, "bonus "), "[")
		for _, c := range l.changes[first] {
			if has := l.parents[c.ruleset]; c.path == path && c.node.Word.Name != "extend" && has[a] && has[b] {
				l.resolving[c.node] = true
				return c.ruleset
			}
		}
	}
	return ""
}
