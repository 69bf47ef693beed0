package story

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// This file compiles the clauses of scenes into operations and checks them.

// File is one of the files of an adventure; the main file comes first.
type File struct {
	Path   string
	Parsed *ast.File
	Text   []byte
	Broken bool // it or a file that it includes could not be read completely: a missing declaration may be there
}

// Paths lists the paths of the scenes of an adventure, in source order.
func Paths(files []File) []string {
	paths := []string{}
	var walk func(within string, list []ast.Clause)
	walk = func(within string, list []ast.Clause) {
		for _, cl := range list {
			if s, ok := cl.(*ast.Scene); ok {
				paths = append(paths, within+s.Name.Name)
				if s.Body != nil {
					walk(within+s.Name.Name+".", s.Body.Clauses)
				}
			}
		}
	}
	for _, f := range files {
		walk("", f.Parsed.Body)
	}
	return paths
}

// Build compiles the scenes of an adventure into a story and reports all errors in them.
func Build(files []File, checked *check.Checked) (*Story, diag.List) {
	b := &builder{story: &Story{Spots: map[*ast.Member]Spot{}}, checked: checked, scenes: map[string]int32{}, endings: map[string]int32{}, placed: map[string]diag.Related{}, foes: map[string]diag.Related{}}
	b.names = checked.NewScript(files[0].Path)
	for _, f := range files {
		b.enterFile(f)
		b.prologue(f.Parsed.Body)
	}
	b.story.Names = b.names.Clone()
	b.files = files
	b.broken = slices.ContainsFunc(files, func(f File) bool { return f.Broken })
	var pending []pendingScene
	for _, f := range files {
		pending = append(pending, b.declare(f, "", f.Parsed.Body)...)
	}
	if len(b.story.Scenes) == 0 {
		if b.broken {
			return b.story, b.list
		}
		b.enterFile(files[0])
		b.fail(files[0].Parsed.Span, "no-scene", "this adventure has no scene", `start the story: scene NAME { "What there is to see." }`)
		b.list[len(b.list)-1].Span.End = b.list[len(b.list)-1].Span.Start
		return b.story, b.list
	}
	b.faulty = make([]bool, len(b.story.Scenes))
	b.emit(Op{Kind: Go})
	for _, t := range pending {
		b.compileScene(t)
	}
	b.explainAbsent()
	if b.broken { // where the story leads is not known
		return b.story, b.list
	}
	if reached := b.flow(); !b.list.HasErrors() {
		b.warnUseless(reached)
	}
	return b.story, b.list
}

// pendingScene is a scene that is still to be compiled.
type pendingScene struct {
	file  File
	id    int32
	scene *ast.Scene
}

type builder struct {
	story   *Story
	checked *check.Checked
	file    File
	names   *check.Script
	scenes  map[string]int32 // by path
	endings map[string]int32
	placed  map[string]diag.Related // creatures known by name, and where they were first placed
	foes    map[string]diag.Related // those of fights, which are gone afterward
	list    diag.List

	scene       int32   // the current scene, or -1
	broken      bool    // not all of the story could be read
	faulty      []bool  // by scene: it has errors
	offers      []int32 // the enclosing offers, the innermost last
	battle      int32   // the fight whose setup or aftermath is being compiled, or -1
	hiddenNames int     // number of generated names
	files       []File
	lets        []bound // names bound by the author with `let`
}

// bound is a name and where it was bound.
type bound struct {
	v    *ir.Var
	file string
	span ast.Span
}

func (b *builder) enterFile(f File) {
	b.file = f
	b.names = b.names.WithFile(f.Path)
	b.scene, b.battle = -1, -1
}

func (b *builder) fail(span ast.Span, code, message, hint string) {
	b.list = append(b.list, diag.Diagnostic{File: b.file.Path, Span: span, Severity: diag.Error, Code: code, Message: message, Hint: hint})
}

// failDuplicate reports a duplicate and where the first one is in the same file.
func (b *builder) failDuplicate(span, first ast.Span, message, hint string) {
	b.fail(span, "declared-twice", message, hint)
	b.list[len(b.list)-1].Related = []diag.Related{{File: b.file.Path, Span: first, Message: "first given here"}}
}

func (b *builder) here() int32 { return int32(len(b.story.Code)) }

func (b *builder) emit(o Op) int32 {
	if o.File == "" {
		o.File = b.file.Path
	}
	b.story.Code = append(b.story.Code, o)
	return b.here() - 1
}

// prologue compiles what is outside of scenes: who is there, and what happens before the first scene.
func (b *builder) prologue(list []ast.Clause) {
	for _, cl := range list {
		switch n := cl.(type) {
		case *ast.Side:
			b.side(n, -1)
			b.story.Party = append(b.story.Party, n)
		case *ast.Divert, *ast.Choices, *ast.Finish, *ast.Alternation, *ast.Battle, *ast.Aftermath, *ast.BreakOff, *ast.Map, *ast.Follows:
			b.failOutsideScene(cl)
		case *ast.Expect, *ast.Scripted, *ast.Test, *ast.Given:
			b.failTestOnly(cl)
		case *ast.Directive:
			if n.Word.Name != "seed" {
				b.failOutsideScene(cl)
			}
		default:
			if ast.IsStatement(cl) {
				b.failOutsideScene(cl)
			}
		}
	}
}

func (b *builder) failOutsideScene(cl ast.Clause) {
	b.fail(cl.Extent(), "misplaced", "this is not allowed outside a scene", "put it into the first scene")
}

// side declares the members of a side; battle is -1 for the party.
func (b *builder) side(n *ast.Side, battle int32) {
	var refs []int64
	b.list = append(b.list, b.names.SideTactics(n)...)
	for m := range ast.Members(n) {
		if first, have := b.placed[m.Name.Name]; have {
			b.fail(m.Name.Span, "declared-twice", m.Name.Name+" already exists", "choose another name")
			b.list[len(b.list)-1].Related = []diag.Related{first}
			continue
		}
		_, diags := b.names.Member(m)
		b.list = append(b.list, diags...)
		switch {
		case m.At != nil && battle < 0:
			b.fail(m.At.Extent(), "misplaced", "the party has no squares until there is a fight with a map", "place them in the fight: place "+m.Name.Name+" at SQUARE")
		case m.At != nil:
			b.story.Spots[m] = b.spot(m.At, m.Near)
		}
		ref := int64(len(b.placed))
		b.placed[m.Name.Name] = diag.Related{File: b.file.Path, Span: m.Name.Span, Message: "first placed here"}
		if battle >= 0 {
			b.foes[m.Name.Name] = diag.Related{File: b.file.Path, Span: m.Name.Span, Message: "placed here"}
		}
		b.names.BindCreature(m.Name.Name, ref)
		refs = append(refs, ref)
	}
	b.names.BindSide(n.Name.Name, refs)
}

// explainAbsent says of an unknown name that belongs to a creature of some fight why it is unknown here.
func (b *builder) explainAbsent() {
	for i := range b.list {
		d := &b.list[i]
		who, unknown := strings.CutPrefix(d.Message, "there is nothing here named ")
		if at, isFoe := b.foes[who]; isFoe && unknown {
			d.Hint = who + " exists only in its fight: speak of it there, in `won { }`, `lost { }` or `otherwise { }`, and keep what is needed later"
			d.Related = append(d.Related, at)
		}
	}
}

// declare registers the scenes in a list of clauses, including nested ones.
func (b *builder) declare(f File, path string, list []ast.Clause) (pending []pendingScene) {
	for i, cl := range list {
		if _, isText := cl.(*ast.Documentation); isText && path == "" && !describesFile(list[:i]) {
			b.list = append(b.list, diag.Diagnostic{File: f.Path, Span: cl.Extent(), Severity: diag.Error, Code: "misplaced", Message: "this text is never told",
				Hint: "put it into a scene"})
		}
		n, ok := cl.(*ast.Scene)
		if !ok {
			continue
		}
		name := path + n.Name.Name
		if old, have := b.scenes[name]; have {
			o := b.story.Scenes[old]
			b.list = append(b.list, diag.Diagnostic{File: f.Path, Span: n.Name.Span, Severity: diag.Error, Code: "declared-twice", Message: "the scene " + name + " is declared twice",
				Hint: "give one of them another name", Related: []diag.Related{{File: o.File, Span: o.Span, Message: "first declared here"}}})
			continue
		}
		s := Scene{Path: name, File: f.Path, Span: n.Name.Span, Whole: n.Span, Entry: -1, Count: -1}
		if n.Doc != nil {
			s.Title = n.Doc.Value
		}
		if g := b.checked.VisitCounter(name); g != nil {
			s.Count = int32(g.Var.Index)
		}
		id := int32(len(b.story.Scenes))
		b.scenes[name] = id
		b.story.Scenes = append(b.story.Scenes, s)
		pending = append(pending, pendingScene{f, id, n})
		if n.Body != nil {
			pending = append(pending, b.declare(f, name+".", n.Body.Clauses)...)
		}
	}
	return pending
}

// describesFile reports whether a text after these clauses describes the file: nothing but its header precedes it.
func describesFile(before []ast.Clause) bool {
	for _, cl := range before {
		if _, isHeader := cl.(*ast.Header); !isHeader {
			return false
		}
	}
	return true
}

// compileScene compiles one scene.
func (b *builder) compileScene(t pendingScene) {
	names := b.names
	b.enterFile(t.file)
	b.names = b.names.Clone().WithLabel(b.story.Scenes[t.id].Path)
	b.scene = t.id
	b.story.Scenes[t.id].Entry = b.here()
	before := len(b.list)
	if t.scene.Body != nil {
		for _, cl := range t.scene.Body.Clauses {
			if _, inner := cl.(*ast.Scene); !inner {
				b.clause(cl)
			}
		}
		end := t.scene.Body.End
		b.emit(Op{Kind: End, A: t.id, Span: ast.Span{Start: ast.Pos{Line: end.Line, Column: end.Column - 1, Offset: end.Offset - 1}, End: end}})
	}
	if b.list[before:].HasErrors() {
		b.faulty[t.id] = true
	}
	b.names = names
}

// block compiles clauses with a scope of their own.
func (b *builder) block(x *ast.Block) {
	if x == nil {
		return
	}
	names := b.names
	b.names = names.Clone()
	for _, cl := range x.Clauses {
		b.clause(cl)
	}
	b.names = names
}

// find resolves the name of a scene: first within the current scene, then among its siblings, then outward.
func (b *builder) find(p *ast.Path) int32 {
	var parts []string
	for _, x := range p.Parts {
		parts = append(parts, x.Name.Name)
	}
	want := strings.Join(parts, ".")
	for within := b.story.Scenes[b.scene].Path; ; {
		if id, ok := b.scenes[within+"."+want]; ok {
			return id
		}
		i := strings.LastIndexByte(within, '.')
		if i < 0 {
			break
		}
		within = within[:i]
	}
	if id, ok := b.scenes[want]; ok {
		return id
	}
	hint := "declare it: scene " + want + " { ... }"
	if len(b.list) <= check.MaxHintedMistakes {
		if n := words.Nearest(want, slices.Sorted(maps.Keys(b.scenes))); n != "" {
			hint = "did you mean `" + n + "`?"
		}
	}
	if !b.broken {
		b.fail(p.Span, "unknown-scene", "there is no scene "+want, hint)
	}
	return -1
}

// guarded emits the operations of f, guarded by the conditions of a tail.
func (b *builder) guarded(t ast.Tail, f func()) {
	var tests []int32
	var undo []func()
	for _, g := range []struct {
		cond  ast.Expr
		holds bool
	}{{t.When, true}, {t.Unless, false}} {
		if g.cond == nil {
			continue
		}
		cond := g.cond
		if !g.holds {
			cond = &ast.Unary{Span: cond.Extent(), Op: ast.Ident{Span: cond.Extent(), Name: "not"}, X: &ast.Paren{Span: cond.Extent(), X: cond}}
		}
		v := b.value(cond, check.YesNo)
		tests = append(tests, b.emit(Op{Kind: Test, A: v, B: -1, Span: g.cond.Extent()}))
		undo = append(undo, b.assume(v, true))
	}
	f()
	for _, u := range undo {
		u()
	}
	for _, at := range tests {
		b.story.Code[at].B = b.here()
	}
}

func (b *builder) assume(v int32, holds bool) func() {
	if v < 0 || b.story.Values[v].X == nil {
		return func() {}
	}
	return b.names.Assume(b.story.Values[v].X, holds)
}

// clause emits the operations of a clause of a scene.
func (b *builder) clause(cl ast.Clause) {
	switch n := cl.(type) {
	case nil, *ast.Bad:
	case *ast.Documentation:
		if n.Doc != nil {
			b.emit(Op{Kind: Tell, A: b.text(n.Doc), Span: n.Span})
		}
	case *ast.Simple:
		switch n.Word.Name {
		case "more":
			b.guarded(n.Tail, func() { b.emit(Op{Kind: Tell, A: b.text(n.Text), B: 1, Span: n.Span}) })
		case "stop", "default", "cancel":
			b.fail(n.Span, "misplaced", "`"+n.Word.Name+"` ends no scene", "`go to SCENE`, `back` or `finish` does")
		default:
			b.emitStatements(cl)
		}
	case *ast.Divert:
		b.guarded(n.Tail, func() { b.divert(n) })
	case *ast.Finish:
		b.guarded(n.Tail, func() { b.finish(n) })
	case *ast.Choices:
		b.choices(n)
	case *ast.Alternation:
		b.alternation(n)
	case *ast.Battle:
		b.fight(n)
	case *ast.If:
		if isStoryOnly(n) {
			b.guarded(n.Tail, func() { b.ifElse(n) })
		} else {
			b.emitStatements(cl)
		}
	case *ast.ForEach:
		if isStoryOnly(n) {
			b.guarded(n.Tail, func() { b.forEach(n) })
		} else {
			b.emitStatements(cl)
		}
	case *ast.Repeat:
		if isStoryOnly(n) {
			b.guarded(n.Tail, func() { b.repeat(n) })
		} else {
			b.emitStatements(cl)
		}
	case *ast.Branch:
		if isStoryOnly(n) {
			b.branch(n)
		} else {
			b.emitStatements(cl)
		}
	case *ast.Choose, *ast.May:
		if isStoryOnly(cl) {
			b.fail(cl.Extent(), "misplaced", "a scene cannot be told inside this", "put the players' choices into `choices { }`; an answer that is kept can be told afterwards")
			return
		}
		b.emitStatements(cl)
	case *ast.Directive:
		b.directive(n)
	case *ast.Scene:
		b.fail(n.Span, "misplaced", "a scene belongs at the top level, or in the body of another scene", "move it out of these braces")
	case *ast.Side, *ast.Map, *ast.Follows:
		if b.battle >= 0 {
			b.fail(cl.Extent(), "misplaced", "this belongs directly in the braces of a fight", "for other opponents use another fight: write `if COND { fight { ... } } else { fight { ... } }`")
			return
		}
		b.fail(cl.Extent(), "misplaced", "this belongs in a fight", `write fight "TITLE" { ... } around it`)
	case *ast.Aftermath, *ast.BreakOff:
		b.fail(cl.Extent(), "misplaced", "this belongs to a fight", `put it into the braces of fight "TITLE" { ... }`)
	case *ast.Expect, *ast.Scripted, *ast.Test, *ast.Given:
		b.failTestOnly(cl)
	default:
		if ast.IsStatement(cl) {
			b.emitStatements(cl)
			return
		}
		b.fail(cl.Extent(), "misplaced", "this is not allowed in a scene", "declarations belong outside scenes")
	}
}

func (b *builder) failTestOnly(cl ast.Clause) {
	b.fail(cl.Extent(), "misplaced", "this belongs in a test", `a file of tests starts with: tests "TITLE" of "FILE.adventure"`)
}

// isStoryOnly reports whether a statement contains anything that exists only in stories.
func isStoryOnly(cl ast.Clause) bool {
	switch n := cl.(type) {
	case *ast.Documentation, *ast.Divert, *ast.Finish, *ast.Choices, *ast.Alternation, *ast.Battle, *ast.Directive, *ast.Scene, *ast.Aftermath, *ast.BreakOff,
		*ast.Side, *ast.Map, *ast.Follows, *ast.Expect, *ast.Scripted:
		return true
	case *ast.Simple:
		return n.Word.Name == "more"
	}
	found := false
	ast.VisitBlocks(cl, func(b *ast.Block) { found = found || slices.ContainsFunc(b.Clauses, isStoryOnly) })
	return found
}

// emitStatements emits statements that the machine runs as they are.
func (b *builder) emitStatements(list ...ast.Clause) { b.emitDo(false, list...) }

// emitHidden emits statements of internal bookkeeping.
func (b *builder) emitHidden(list ...ast.Clause) { b.emitDo(true, list...) }

func (b *builder) emitDo(hidden bool, list ...ast.Clause) {
	if len(list) == 1 {
		if c, ok := list[0].(*ast.Command); ok && c.Who == nil {
			if p, ok := b.checked.Lookup(c.Name.Name).(*ir.Proc); ok && p.Action {
				b.fail(c.Span, "no-self", "who is to do this?", "write `WHO: "+c.Name.Name+" ...`")
				return
			}
		}
	}
	if !hidden && b.reportUnknown(list[0]) {
		return
	}
	id := b.addStatements(hidden, list...)
	b.emit(Op{Kind: Do, A: id, Span: list[0].Extent()})
}

// reportUnknown reports a command that does not exist where a keyword of scenes, or a text, was probably intended.
func (b *builder) reportUnknown(cl ast.Clause) bool {
	c, ok := cl.(*ast.Command)
	if !ok || c.Who != nil || b.checked.Lookup(c.Name.Name) != nil {
		return false
	}
	hint := foreignWords[c.Name.Name]
	if near := words.Nearest(c.Name.Name, words.LeadingWords(words.Story)); near != "" && hint == "" {
		hint = "did you mean `" + near + "`?"
	}
	if first, _ := utf8.DecodeRuneInString(c.Name.Name); hint == "" && unicode.IsUpper(first) {
		hint = "text to be told is in quotes: \"" + c.Name.Name + " ...\""
	}
	if hint != "" {
		b.fail(c.Span, "unknown-command", "there is no statement "+c.Name.Name, hint)
	}
	return hint != ""
}

// foreignWords maps words of other story languages to the hint that says how it is written here.
var foreignWords = map[string]string{
	"go": "write `go to SCENE`", "goto": "write `go to SCENE`", "jump": "write `go to SCENE`", "divert": "write `go to SCENE`",
	"call": "write `visit SCENE`", "detour": "write `visit SCENE`", "return": "write `back`",
	"end": "write `finish`", "exit": "write `finish`", "quit": "write `finish`",
	"break": "write `break off when COND`, in the braces of a fight",
	"rest":  "write `pass 8 hours`; the rules say what that brings", "sleep": "write `pass 8 hours`; the rules say what that brings", "wait": "write `pass 1 hour`",
	"combat": "write `fight { ... }`", "battle": "write `fight { ... }`",
	"say": "write just the text, in quotes", "print": "write just the text, in quotes", "tell": "write just the text, in quotes",
}

// addStatements checks statements and brings their names into scope.
func (b *builder) addStatements(hidden bool, list ...ast.Clause) int32 {
	stmts, vars, diags := b.names.Statements(list...)
	b.list = append(b.list, diags...)
	for _, cl := range list {
		name := ""
		switch n := cl.(type) {
		case *ast.Let:
			name = n.Name.Name
		case *ast.Branch:
			if n.As != nil {
				name = n.As.Name
			}
		}
		if i := slices.IndexFunc(vars, func(v *ir.Var) bool { return v.Name == name }); name != "" && i >= 0 {
			b.names.BindVariable(name, vars[i])
			if let, ok := cl.(*ast.Let); ok && !hidden && let.Command == nil {
				b.lets = append(b.lets, bound{vars[i], b.file.Path, let.Name.Span})
			}
		}
	}
	b.story.Statements = append(b.story.Statements, Statements{Stmts: stmts, Vars: vars, Node: list[0], File: b.file.Path, Hidden: hidden})
	return int32(len(b.story.Statements) - 1)
}

// value checks an expression; want is the preferred type, or the zero Type.
func (b *builder) value(e ast.Expr, want ir.Type) int32 {
	x, vars, diags := b.names.Expr(e, want)
	b.list = append(b.list, diags...)
	b.story.Values = append(b.story.Values, Value{X: x, Vars: vars, Node: e, File: b.file.Path})
	return int32(len(b.story.Values) - 1)
}

// hiddenName generates a name that no author can write.
func (b *builder) hiddenName(what string, span ast.Span) ast.Ident {
	b.hiddenNames++
	return ast.Ident{Span: span, Name: fmt.Sprintf(".%s%d", what, b.hiddenNames)}
}

func name(id ast.Ident) ast.Expr { return &ast.Name{Ident: id} }

func number(n int64, span ast.Span) ast.Expr { return &ast.Number{Span: span, Value: n} }

// binary joins two expressions, in whichever order they are in the source.
func binary(op string, x, y ast.Expr) ast.Expr {
	span, other := x.Extent(), y.Extent()
	if other.Start.Offset < span.Start.Offset {
		span.Start = other.Start
	}
	if other.End.Offset > span.End.Offset {
		span.End = other.End
	}
	return &ast.Binary{Span: span, Op: ast.Ident{Span: span, Name: op}, X: x, Y: y}
}

// directive emits the few directives of scripts that are allowed in a scene.
func (b *builder) directive(n *ast.Directive) {
	b.guarded(n.Tail, func() {
		switch n.Word.Name {
		case "pass":
			b.emit(Op{Kind: PassTime, A: b.value(n.Value, check.Seconds), Span: n.Span})
		case "place":
			if b.battle < 0 {
				b.fail(n.Span, "misplaced", "there is no map outside a fight", `put it into the braces of fight "TITLE" { ... }`)
				return
			}
			if len(n.At) == 0 {
				b.fail(n.Span, "misplaced", "nobody has left", "give a square: place NAME at SQUARE")
				return
			}
			b.placeCreature(n)
		default:
			b.fail(n.Span, "misplaced", "`"+n.Word.Name+"` is not allowed in a scene", "a fight in a scene is `fight { ... }`; the rest is for tests and encounters")
		}
	})
}

// Battles calls each for the fights of scenes, in source order.
func Battles(list []ast.Clause, each func(*ast.Battle)) {
	for _, cl := range list {
		ast.VisitBlocks(cl, func(body *ast.Block) { Battles(body.Clauses, each) })
		if b, ok := cl.(*ast.Battle); ok && b.Body != nil {
			each(b)
		}
	}
}
