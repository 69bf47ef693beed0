// Package check turns linked syntax trees into a checked ruleset: names resolved, expressions typed, syntactic sugar
// removed.
//
// It works in passes over the definitions of a link.Set. The first declares all names. The second resolves the types of
// kinds, enums and parameters. The third folds constants (options, templates, tables). Bodies come last and are checked
// on demand: the type of a stat or a define, or the record of a procedure, is inferred from its body when it is first
// needed, so the order of declarations does not matter. Needing what is being checked is a cycle, reported with its
// members. An unresolved name or wrong expression is reported once and becomes ir.Invalid, which is accepted
// everywhere, so one mistake causes one diagnostic.
//
// The package must never know how a program runs, or name a rule.
package check

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// maxParts limits the members of an enum, the fields of a kind, the terms of a stat and the steps of a procedure, which
// are searched linearly.
const maxParts = 1000

// Options are the options of a check. The zero value checks without a catalogue.
type Options struct {
	Scripted      bool                 // there is a script, which may run procedures that no rule runs
	Creatures     map[string]int64     // that tactics may name: their values in the machine
	Scenes        []string             // of an adventure, by path: `visits` counts how often each was entered
	KnownCitation func(id string) bool // is this an id of the catalogue? nil: every id is
	// Hook returns the path and the contents of a function in the Starlark file that use names, or what is wrong. use is
	// in the file user. nil: there is no Starlark.
	Hook func(user string, use *ast.Use, function string) (path string, said ir.Mentions, wrong *diag.Diagnostic)
	// Between is called between one definition and another, so that something else can be done, or the check be broken
	// off by a panic. nil: it is not.
	Between func()
}

// Checked is a checked ruleset, against which scripts can be checked.
type Checked struct {
	*ir.Ruleset
	c *checker
}

// Check checks the types and names of a linked set. The ruleset is complete only if no diagnostic is an error.
func Check(set *link.Set, opts Options) (*Checked, diag.List) {
	c := newChecker(set, opts)
	c.declare()
	c.resolveTypes()
	c.declareScenes()
	c.foldConstants()
	c.checkBodies()
	if c.ofScript != nil {
		c.rulesOfScriptLast()
		c.ofScript = nil
	}
	c.checkCycles()
	c.warnIdleTriggers()
	if c.diags.HasErrors() { // the code with the errors may use what seems unused
		c.diags = slices.DeleteFunc(c.diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Warning })
	}
	c.diags.Sort()
	for _, d := range c.rs.Defines {
		if d.Func != nil {
			d.Func.Small = ir.SmallnessOf(d.Func.Body)
		}
	}
	c.opts.Between = nil // that was for this check; scripts are checked later, for others
	return &Checked{c.rs, c}, c.diags
}

// Mistakes checks the bodies of some definitions of a set whose others are known to be right, and returns the errors
// there. It is quick, and does not know all: what a change means for the others, and what only the whole shows, such as
// cycles and all warnings, is for Check.
func Mistakes(set *link.Set, only map[*link.Def]bool, opts Options) diag.List {
	c := newChecker(set, opts)
	c.only = only
	c.declare()
	c.resolveTypes()
	c.declareScenes()
	c.foldConstants()
	c.checkBodies()
	c.diags = slices.DeleteFunc(c.diags, func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
	c.diags.Sort()
	return c.diags
}

type checker struct {
	set          *link.Set
	opts         Options
	only         map[*link.Def]bool // whose bodies are checked; nil: all
	complete     func()             // reads what a snapshot has left for later; nil: everything is there
	rs           *ir.Ruleset
	diags        diag.List
	reported     map[diagKey]bool // diagnostics already reported
	earlierDiags int              // diagnostics of script statements checked earlier
	muted        int              // inside quiet: mistakes are counted, not reported
	mutedErrors  int              // mistakes counted while muted

	// Symbol tables. names is one namespace: stats, views, options, tables, defines, resources, effects, procedures,
	// rules, templates, tactics.
	names       map[string]any
	kinds       map[string]*ir.Kind
	enums       map[string]*ir.Enum
	members     map[string][]*ir.Enum // enums by member
	roles       map[string]ir.Type
	bonuses     map[string]int        // indexes into rs.Bonuses
	byKind      map[string][]*ir.Proc // procedures of kinds, by name
	rolls       map[string]*ir.Roll
	perms       map[string]int                   // indexes into rs.Permissions
	props       map[string]map[string]*ir.Define // by kind, enum or "square", then by name
	scriptNames map[string]*ir.Expr              // creatures that tactics may name

	// Numbers of what is interned.
	files     map[string]int32
	texts     map[string]int64
	notations map[string]uint16

	// Checking on demand.
	defs     map[any]*link.Def              // the definition of an ir object
	computed map[*ir.Template][]*assignment // by field: clauses that read other fields of the thing

	computedDefaults map[*ir.FieldDef]*assignment // defaults that read other fields of the thing
	state            map[any]progress
	typingReplaced   map[any]bool // the type of what a Starlark function replaced is being determined
	stack            []any        // being checked, to find cycles
	circular         map[any]bool // members of reported cycles
	delayed          []func()     // run once the procedures are known

	effectNodes    map[*ir.Effect]*ast.Effect
	wasRead        map[*ir.Var]bool      // variables that some code reads
	visitCounters  map[string]*ir.Global // by path of a scene: how often it was entered
	memoryDeclared map[*ir.Effect]bool   // effects whose memory is declared
	keepNodes      map[*ir.Var]*ast.Keep
	called         map[*ir.Proc]bool   // some code runs it
	labels         map[string]labelUse // of rolls and choices
	calls          map[string][]string // names of procedures, by the label of the code that calls them
	triggers       []usedTrigger       // triggers of rules, plans and durations
	unreachable    map[*ir.Step]bool   // steps that never run
	duplicates     map[namePos]bool    // names of fields and defines that are already taken
	clashes        map[clash]bool      // names that files declare as something else than they are already
	checkProcedure *ir.Proc            // see checkProc
	coreFunctions  map[string]bool     // see declareCoreFunction
	mentioned      *mentioned          // see mentions
	ofScript       map[*ir.Part]bool   // parts that a script declares; nil: there are none
}

// progress is the state of a definition that is checked on demand.
type progress uint8

const (
	fresh progress = iota
	busy
	done
)

func newChecker(set *link.Set, opts Options) *checker {
	return &checker{
		scriptNames: creatureNames(opts.Creatures),
		set:         set, opts: opts, rs: &ir.Ruleset{Name: set.Name, ActPermission: -1},
		reported: map[diagKey]bool{}, duplicates: map[namePos]bool{}, clashes: map[clash]bool{}, circular: map[any]bool{}, files: map[string]int32{}, names: map[string]any{}, kinds: map[string]*ir.Kind{},
		enums: map[string]*ir.Enum{}, roles: map[string]ir.Type{}, bonuses: map[string]int{}, rolls: map[string]*ir.Roll{},
		members: map[string][]*ir.Enum{}, props: map[string]map[string]*ir.Define{}, texts: map[string]int64{}, notations: map[string]uint16{},
		byKind: map[string][]*ir.Proc{}, defs: map[any]*link.Def{}, computed: map[*ir.Template][]*assignment{}, computedDefaults: map[*ir.FieldDef]*assignment{}, state: map[any]progress{}, effectNodes: map[*ir.Effect]*ast.Effect{}, perms: map[string]int{}, called: map[*ir.Proc]bool{}, labels: map[string]labelUse{}, calls: map[string][]string{}, unreachable: map[*ir.Step]bool{},
		mentioned: &mentioned{}, wasRead: map[*ir.Var]bool{}, memoryDeclared: map[*ir.Effect]bool{}, keepNodes: map[*ir.Var]*ast.Keep{},
	}
}

// --- places and parts ------------------------------------------------------------------------------

// file returns the number of a file.
func (c *checker) file(path string) int32 {
	return intern(c.files, &c.rs.Files, path)
}

// intern returns the index of a text in a list that grows, and adds it if it is new.
func intern[I int32 | int64 | uint16](known map[string]I, list *[]string, text string) I {
	i, ok := known[text]
	if !ok {
		i = I(len(*list))
		known[text] = i
		*list = append(*list, text)
	}
	return i
}

// originOf returns where a clause of d comes from.
func (c *checker) originOf(d *link.Def, n ast.Clause) *link.Origin {
	if o := c.set.Origins[n]; o != nil {
		return o
	}
	return d.Origin
}

// fileOf returns the file of an expression: an override in another file may have replaced it.
func (c *checker) fileOf(e ast.Expr, o *link.Origin) string {
	if v := c.set.Values[e]; v != nil {
		return v.File
	}
	return o.Root().File
}

// newPart creates a part of the rules that a path reaches: changes may add citations to it.
func (c *checker) newPart(path string, o *link.Origin, span ast.Span, doc *ast.Text, cites []ast.Cite) *ir.Part {
	p := c.newPlainPart(path, o, span, doc, cites)
	c.addChangeCites(p, path)
	return p
}

// addChangeCites adds the citations of changes for a path.
func (c *checker) addChangeCites(p *ir.Part, path string) {
	for _, x := range c.set.AddedCites[path] {
		p.Cites = append(p.Cites, c.expandCites(x.File, x.Cites)...)
	}
}

// partIfCited creates a part for something that otherwise belongs to its definition, if a change cites for it; else
// nil.
func (c *checker) partIfCited(path string, o *link.Origin, span ast.Span) *ir.Part {
	if c.set.AddedCites[path] == nil {
		return nil
	}
	return c.newPart(path, o, span, nil, nil)
}

// newPlainPart creates a part of the rules. Its origin says where its text comes from.
func (c *checker) newPlainPart(path string, o *link.Origin, span ast.Span, doc *ast.Text, cites []ast.Cite) *ir.Part {
	pos := ir.Pos{File: c.file(o.File), Span: span}
	if o.Was != nil { // the text at span has been replaced
		pos.Span = o.Span
	}
	p := &ir.Part{ID: int32(len(c.rs.Parts)), Path: path, Pos: pos, From: o.Ruleset}
	if doc != nil {
		p.Doc = doc.Value
	}
	p.Cites = c.expandCites(o.Root().File, cites)
	c.rs.Parts = append(c.rs.Parts, p)
	if isOfScript(o) {
		if c.ofScript == nil {
			c.ofScript = map[*ir.Part]bool{}
		}
		c.ofScript[p] = true
	}
	return p
}

// expandCites expands ranges and looks the ids up in the catalogue.
func (c *checker) expandCites(file string, cites []ast.Cite) []string {
	var ids []string
	for _, x := range cites {
		run := []string{x.ID}
		if x.To != "" {
			run = expandRange(x.ID, x.To)
			if run == nil {
				c.errorAt(file, x.Span, "bad-citation", "this range of citations runs backward or has no numbers", "")
				continue
			}
		}
		for _, id := range run {
			if c.opts.KnownCitation != nil && !c.opts.KnownCitation(id) {
				c.errorAt(file, x.Span, "unknown-citation", fmt.Sprintf("the catalogue has no %s", id), "ids are listed in spec/catalogue")
				continue
			}
			ids = append(ids, id)
		}
	}
	return ids
}

// expandRange lists the ids of a range, nil if it is not valid. Numbers keep their width: 01 to 12.
func expandRange(from, to string) []string {
	dot := strings.LastIndexByte(from, '.')
	a, okA := atoi(from[dot+1:])
	b, okB := atoi(to)
	if !okA || !okB || b < a || b-a > 999 {
		return nil
	}
	var ids []string
	for n := a; n <= b; n++ {
		ids = append(ids, fmt.Sprintf("%s.%0*d", from[:dot], len(from)-dot-1, n))
	}
	return ids
}

func atoi(s string) (n int, ok bool) {
	for _, r := range s {
		if r < '0' || r > '9' || n > 1e6 {
			return 0, false
		}
		n = n*10 + int(r-'0')
	}
	return n, s != ""
}

// --- diagnostics -------------------------------------------------------------------------------------

// diagKey identifies a diagnostic, so that a clause for several stats, which is checked once for each, is reported
// once.
type diagKey struct {
	file   string
	offset int
	code   string
}

// errorAt reports a mistake once for each place and code.
func (c *checker) errorAt(file string, span ast.Span, code, message, hint string, related ...diag.Related) {
	c.report(diag.Diagnostic{File: file, Span: span, Severity: diag.Error, Code: code, Message: message, Hint: hint, Related: related})
}

// report reports what was found, once for each place and code. An unknown name that has been removed is told so, and
// what has no advice of its own gets that of its code.
func (c *checker) report(d diag.Diagnostic) {
	if c.muted > 0 {
		c.mutedErrors++
		return
	}
	key := diagKey{d.File, d.Span.Start.Offset, d.Code}
	if c.reported[key] {
		return
	}
	c.reported[key] = true
	unknown := "" // the name, with which such a message ends
	if strings.HasPrefix(d.Code, "unknown-") {
		unknown = d.Message[strings.LastIndexByte(d.Message, ' ')+1:]
	}
	if o := c.set.Removed[unknown]; o != nil {
		message := "it has been removed here"
		if o.Verb == "without" {
			message = "it is declared here, by " + o.Ruleset + ", which is left out"
		}
		d.Related = append(d.Related, diag.Related{File: o.File, Span: o.Span, Message: message})
	}
	if d.Hint == "" && len(d.Related) == 0 {
		d.Hint = hints[d.Code]
		if unknown != "" && strings.HasPrefix(d.Hint, "declare ") && d.Code != "unknown-bonus" {
			d.Hint = strings.Replace(d.Hint, "NAME", unknown, 1)
			if len(c.set.Rulesets) == 1 { // an author who begins forgets what the ruleset builds on
				d.Hint += "; or extend the ruleset that has it: ruleset " + c.set.Rulesets[0] + " extends NAME"
			}
		}
	}
	c.diags = append(c.diags, d)
}

// firstDeclared points to an earlier declaration.
func (c *checker) firstDeclared(p *ir.Part) diag.Related {
	return diag.Related{File: c.rs.Files[p.Pos.File], Span: p.Pos.Span, Message: "first declared here"}
}

func (c *checker) related(d *link.Def, message string) diag.Related {
	o := d.Origin.Root()
	return diag.Related{File: o.File, Span: o.Span, Message: message}
}

// --- declaring -----------------------------------------------------------------------------------------

// declare declares every definition, and then the permissions, which include all actions.
func (c *checker) declare() {
	c.reportNameClashes()
	c.reportDuplicates()
	creature := &ir.Kind{Name: "creature"}
	c.kinds["creature"] = creature
	c.rs.Kinds = append(c.rs.Kinds, creature)
	for _, d := range c.set.Defs {
		c.between()
		c.declareOne(d)
	}
	c.ways()
	if c.ofScript != nil {
		c.procsOfScriptLast()
	}
	// Actions are permissions; they come first in the order of procedures.
	for i, p := range c.rs.Procs {
		if p.Action {
			c.addPermission(&ir.Permission{Name: p.Name, Proc: c.rs.Procs[i], Part: p.Part})
		}
	}
	for _, d := range c.set.Defs {
		if n, ok := d.Node.(*ast.Permission); ok {
			if i, have := c.perms[n.Name.Name]; have {
				message, hint := " is declared twice", "remove one of them"
				if c.rs.Permissions[i].Proc != nil {
					message, hint = " is already an action", "every action can be forbidden by its name"
				}
				c.errorAt(d.Origin.Root().File, n.Name.Span, "declared-twice", n.Name.Name+message, hint, c.firstDeclared(c.rs.Permissions[i].Part))
				continue
			}
			c.addPermission(&ir.Permission{Name: n.Name.Name, Part: c.partOf(d)})
		}
	}
	if _, ok := c.perms["act"]; !ok { // the one permission that the core tests
		c.addPermission(&ir.Permission{Name: "act"})
	}
	c.rs.ActPermission = c.perms["act"]
}

func (c *checker) addPermission(p *ir.Permission) {
	c.perms[p.Name] = len(c.rs.Permissions)
	c.rs.Permissions = append(c.rs.Permissions, p)
}

// partOf creates the part of a whole definition.
func (c *checker) partOf(d *link.Def) *ir.Part {
	return c.definitionPart(d, d.Name, d.Node.Extent(), *ast.HeadOf(d.Node).Meta)
}

// definitionPart creates the part of a definition, or of one of the names that it declares.
func (c *checker) definitionPart(d *link.Def, path string, span ast.Span, m ast.Meta) *ir.Part {
	p := c.newPlainPart(path, d.Origin, span, m.Doc, m.Cites)
	c.addChangeCites(p, link.CitePath(d.Node, path))
	return p
}

// sortOf is the word for what a declaration makes.
func sortOf(n ast.Clause) string {
	switch word := link.HeadWord(n); word {
	case "use":
		return "function"
	case "keep":
		return "memory"
	case "everyone":
		return "effect"
	default:
		return word
	}
}

// clash is a name that means something else than what a file declares it to be.
type clash struct{ file, name string }

// bind adds a name to the namespace and reports duplicates.
func (c *checker) bind(d *link.Def, id ast.Ident, x any) {
	c.defs[x] = d
	if old, ok := c.names[id.Name]; ok {
		message, hint := id.Name+" is declared twice", "to change a rule of an earlier ruleset write `override "+id.Name+"`"
		first, here := c.defs[old], d.Origin.Root()
		if word := sortOf(first.Node); word != sortOf(d.Node) {
			message, hint = id.Name+" is "+article(word)+" already", "choose another name"
			if strings.HasSuffix(here.File, ".star") { // a registration, which is called like its function
				hint = "give it another name: name = \"" + id.Name + "-of-my-own\""
			}
			c.clashes[clash{here.File, id.Name}] = true
		} else if first.Origin.Root().Ruleset == here.Ruleset {
			hint = "give one of them another name"
		}
		c.errorAt(here.File, id.Span, "declared-twice", message, hint, c.related(first, "first declared here"))
		return
	}
	c.names[id.Name] = x
}

// declared adds a definition to its list, and its name to the namespace.
func declared[T any](c *checker, d *link.Def, list *[]T, x T) {
	*list = append(*list, x)
	c.bind(d, *ast.HeadOf(d.Node).Name, x)
}

// declareOne declares a definition by its name; its contents are checked in later passes.
func (c *checker) declareOne(d *link.Def) {
	rs := c.rs
	switch n := d.Node.(type) {
	case *ast.Option:
		declared(c, d, &rs.Options, &ir.Option{Name: n.Name.Name, Part: c.partOf(d)})
	case *ast.Keep:
		g := &ir.Global{Name: n.Name.Name, Part: c.definitionPart(d, n.Name.Name, n.Span, ast.Meta{Cites: n.Cites})}
		g.Var = &ir.Var{Name: g.Name, Kind: ir.VarGlobal, Index: len(rs.Globals)}
		declared(c, d, &rs.Globals, g)
	case *ast.Enum:
		c.declareEnum(d, n)
	case *ast.Bonus:
		c.declareBonus(d, n)
	case *ast.Kind:
		c.declareKind(d, n)
	case *ast.Roll:
		c.declareRoll(d, n)
	case *ast.Stat:
		declared(c, d, &rs.Stats, &ir.Stat{Index: len(rs.Stats), Name: n.Name.Name, Part: c.partOf(d)})
	case *ast.View:
		declared(c, d, &rs.Stats, &ir.Stat{Index: len(rs.Stats), Name: n.Name.Name, Part: c.partOf(d)})
	case *ast.Define:
		c.declareDefine(d, n)
	case *ast.Table:
		declared(c, d, &rs.Tables, &ir.Table{Index: len(rs.Tables), Name: n.Name.Name, Part: c.partOf(d)})
	case *ast.Resource:
		declared(c, d, &rs.Resources, &ir.Resource{Index: len(rs.Resources), Name: n.Name.Name, Type: number, Part: c.partOf(d)})
	case *ast.Effect:
		e := &ir.Effect{Index: len(rs.Effects), Name: n.Name.Name, Word: n.Word.Name, Part: c.partOf(d)}
		c.effectNodes[e] = n
		declared(c, d, &rs.Effects, e)
	case *ast.Procedure:
		if n.Kind != nil {
			c.declareKindProc(d, n)
			return
		}
		declared(c, d, &rs.Procs, &ir.Proc{Index: len(rs.Procs), Name: n.Name.Name, Action: n.Word.Name == "action", Part: c.partOf(d)})
	case *ast.Rule:
		c.bind(d, n.Name, &ruleName{n.Name.Name})
	case *ast.Template:
		declared(c, d, &rs.Templates, &ir.Template{Index: len(rs.Templates), Name: n.Name.Name, Part: c.partOf(d)})
	case *ast.Tactics:
		declared(c, d, &rs.Tactics, &ir.Tactics{Index: len(rs.Tactics), Name: n.Name.Name, Part: c.partOf(d)})
	case *ast.Use:
		c.declareHook(d, n)
	case *ast.Role, *ast.Permission, *ast.Header, *ast.Documentation, *ast.Bad:
	case *ast.Modifier:
		c.errorAt(d.Origin.Root().File, n.Extent(), "misplaced", "this is not allowed at the top level of a ruleset",
			"put changes for everybody into `everyone NAME { ... }`, for some into a `feat` or an `effect`")
	default:
		c.errorAt(d.Origin.Root().File, n.Extent(), "misplaced", "this is not allowed at the top level of a ruleset",
			"statements belong in a `procedure`, an `action` or a `rule`; scripts in an .encounter or .tests file")
	}
}

func (c *checker) declareEnum(d *link.Def, n *ast.Enum) {
	if old := c.enums[n.Name.Name]; old != nil {
		c.errorAt(d.Origin.Root().File, n.Name.Span, "declared-twice", old.Name+" is declared twice", "add values with `extend "+old.Name+" { ... }`", c.related(c.defs[old], "first declared here"))
		return
	}
	e := &ir.Enum{Name: n.Name.Name, Ordered: n.Ordered, Part: c.partOf(d)}
	for _, m := range n.Members {
		if es := c.members[m.Name]; len(es) > 0 && es[len(es)-1] == e {
			first := n.Members[slices.IndexFunc(n.Members, func(o ast.Ident) bool { return o.Name == m.Name })]
			c.errorAt(d.Origin.Root().File, m.Span, "declared-twice", m.Name+" appears twice in this enum", "remove one of them",
				diag.Related{File: d.Origin.Root().File, Span: first.Span, Message: "first given here"})
			continue
		}
		if len(e.Members) == maxParts {
			c.errorAt(d.Origin.Root().File, m.Span, "limit", fmt.Sprintf("an enum has at most %d values", maxParts), "")
			break
		}
		e.Members = append(e.Members, m.Name)
		c.members[m.Name] = append(c.members[m.Name], e)
	}
	c.enums[e.Name] = e
	c.defs[e] = d
	c.rs.Enums = append(c.rs.Enums, e)
}

func (c *checker) declareBonus(d *link.Def, n *ast.Bonus) {
	for _, id := range n.Names {
		if i, ok := c.bonuses[id.Name]; ok {
			c.errorAt(d.Origin.Root().File, id.Span, "declared-twice", "the bonus type "+id.Name+" is declared twice", "", c.firstDeclared(c.rs.Bonuses[i].Part))
			continue
		}
		if len(c.rs.Bonuses) == 64 {
			c.errorAt(d.Origin.Root().File, id.Span, "limit", "a ruleset has at most 64 bonus types", "")
			continue
		}
		c.bonuses[id.Name] = len(c.rs.Bonuses)
		c.rs.Bonuses = append(c.rs.Bonuses, &ir.BonusType{Name: id.Name, Law: n.Law.Name, Part: c.definitionPart(d, id.Name, id.Span, n.Meta)})
	}
}

// declareKind declares a kind, or merges another declaration of it into the first.
func (c *checker) declareKind(d *link.Def, n *ast.Kind) {
	k := c.kinds[n.Name.Name]
	if k == nil {
		k = &ir.Kind{Name: n.Name.Name}
		c.kinds[k.Name] = k
		c.rs.Kinds = append(c.rs.Kinds, k)
	}
	if k.Part == nil {
		k.Part = c.partOf(d)
	} else {
		c.newPlainPart(k.Name, d.Origin, n.Span, n.Doc, n.Cites)
	}
	c.defs[k] = d
}

func (c *checker) declareRoll(d *link.Def, n *ast.Roll) {
	if old := c.rolls[n.Name.Name]; old != nil {
		c.errorAt(d.Origin.Root().File, n.Name.Span, "declared-twice", "the roll "+old.Name+" is declared twice", "to change it write `override "+old.Name+" { ... }`", c.related(c.defs[old], "first declared here"))
		return
	}
	r := &ir.Roll{Index: len(c.rs.Rolls), Name: n.Name.Name, Part: c.partOf(d)}
	c.rolls[r.Name] = r
	c.defs[r] = d
	c.rs.Rolls = append(c.rs.Rolls, r)
}

// declareDefine declares a define by its name, or as a property of a kind or an enum.
func (c *checker) declareDefine(d *link.Def, n *ast.Define) {
	x := &ir.Define{Index: len(c.rs.Defines), Name: n.Name.Name, Part: c.partOf(d)}
	c.rs.Defines = append(c.rs.Defines, x)
	if n.Kind == nil {
		c.bind(d, n.Name, x)
		return
	}
	x.Name = n.Kind.Name + "." + n.Name.Name
	c.defs[x] = d
	of := c.props[n.Kind.Name]
	if of == nil {
		of = map[string]*ir.Define{}
		c.props[n.Kind.Name] = of
	}
	if !c.duplicates[namePos{d.Origin.Root().File, n.Name.Start.Offset}] {
		of[n.Name.Name] = x
	}
}

// ruleName reserves the name of a top-level rule.
type ruleName struct{ name string }
