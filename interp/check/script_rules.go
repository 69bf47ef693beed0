package check

import (
	"maps"
	"slices"
	"sync"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file checks the rules of a script on those that were checked without it. Only what the script declares is checked,
// and what is checked already stays as it is, if it cannot mean anything else now. That holds for declarations that
// nothing below can refer to, since no name in it is theirs, and for options whose values nothing was computed from: the
// code reads them by their part (ir.Ruleset.Given). What is added comes last in every table.

// OnTop checks a script on rules that were checked without it and without a diagnostic. It returns nil if that might
// differ from checking everything anew, which is then to be done: also if there is any mistake.
//
// The rules remain as they are, and several scripts can be checked at once.
func (k *Checked) OnTop(t *link.OnTop, opts Options) *Checked {
	if t.Wide || opts.Scenes != nil {
		return nil
	}
	for was, now := range t.Changed {
		if !k.isLooseOption(was, now) {
			return nil
		}
	}
	for _, d := range t.Added {
		if !k.standsAlone(d) {
			return nil
		}
	}
	c := k.c.fork(t.Set, opts.Creatures)
	c.opts = opts
	c.forkRules()
	for was, now := range t.Changed {
		if !c.giveOption(was, now) {
			return nil
		}
	}
	c.addRules(t.Added)
	if len(c.diags) > 0 {
		return nil
	}
	c.opts.Between = nil
	return &Checked{c.rs, c}
}

// isLooseOption reports whether a changed definition is an option from whose value nothing was computed.
func (k *Checked) isLooseOption(was, now *link.Def) bool {
	n, ok := was.Node.(*ast.Option)
	o, known := k.c.names[was.Name].(*ir.Option)
	m, still := now.Node.(*ast.Option)
	return ok && known && still && k.c.defs[o] == was && o.Part != nil && !o.IsFixed() && m.Meta.Doc == n.Meta.Doc && len(m.Meta.Cites) == len(n.Meta.Cites)
}

// standsAlone reports whether a declaration is of a kind that changes nothing below, and that nothing below can name.
func (k *Checked) standsAlone(d *link.Def) bool {
	switch n := d.Node.(type) {
	case *ast.Template, *ast.Tactics: // as in With
		return true
	case *ast.Rule:
	case *ast.Effect:
	case *ast.Keep:
	case *ast.Procedure:
		if n.Kind != nil || n.Word.Name == "action" || n.Name.Name == ir.LeaveSquare || n.Name.Name == ir.EnterSquare {
			return false
		}
	case *ast.Define:
		if slices.ContainsFunc(ir.CoreSignatures[:], func(x ir.CoreSignature) bool { return x.Name == n.Name.Name }) {
			return false
		}
	default:
		return false
	}
	return !k.mentions()[ast.HeadOf(d.Node).Name.Name]
}

// mentions are all names that occur in the rules.
func (k *Checked) mentions() map[string]bool {
	k.c.whole()
	k.c.mentioned.Do(func() {
		names := map[string]bool{}
		for _, d := range k.c.set.Defs {
			ast.Contains(d.Node, func(node any) bool {
				if id, ok := node.(*ast.Ident); ok {
					names[id.Name] = true
				}
				return false
			})
		}
		k.c.mentioned.names = names
	})
	return k.c.mentioned.names
}

// mentioned are the names that occur in some rules, once somebody has asked for them.
type mentioned struct {
	sync.Once
	names map[string]bool
}

// forkRules copies what checking rules writes to, beyond what fork does.
func (c *checker) forkRules() {
	rs := c.rs
	rs.Enums, rs.Options, rs.Globals, rs.Defines = slices.Clip(rs.Enums), slices.Clone(rs.Options), slices.Clip(rs.Globals), slices.Clip(rs.Defines)
	rs.Effects, rs.Procs, rs.Rules, rs.Parts = slices.Clip(rs.Effects), slices.Clip(rs.Procs), slices.Clip(rs.Rules), slices.Clone(rs.Parts)
	c.enums, c.members, c.calls = maps.Clone(c.enums), maps.Clone(c.members), maps.Clone(c.calls)
	c.props = maps.Clone(c.props)
	for of, names := range c.props {
		c.props[of] = maps.Clone(names)
	}
	c.effectNodes, c.keepNodes, c.memoryDeclared = maps.Clone(c.effectNodes), maps.Clone(c.keepNodes), maps.Clone(c.memoryDeclared)
	c.unreachable, c.coreFunctions = maps.Clone(c.unreachable), maps.Clone(c.coreFunctions)
	c.mentioned = &mentioned{}
}

// giveOption gives an option its value in the script. It reports whether the type is the same.
func (c *checker) giveOption(was, now *link.Def) bool {
	old := c.names[was.Name].(*ir.Option)
	part := *old.Part
	part.Pos = ir.Pos{File: c.file(now.Origin.File), Span: now.Origin.Span}
	part.From = now.Origin.Ruleset
	o := &ir.Option{Name: old.Name, Part: &part}
	c.rs.Options[slices.Index(c.rs.Options, old)], c.rs.Parts[part.ID] = o, &part
	c.names[was.Name], c.defs[o] = o, now
	c.option(o)
	given := maps.Clone(c.rs.Given)
	if given == nil {
		given = map[int32]int64{}
	}
	given[part.ID] = o.Value
	c.rs.Given = given
	switch o.Type.Kind {
	case ir.Number, ir.YesNo, ir.Quantity:
	case ir.EnumType: // checks are compiled by the roll that they name
		if c.enums[o.Type.Name] == c.enums["roll"] {
			return false
		}
	default:
		return false
	}
	return sameType(o.Type, old.Type) && !o.IsFixed()
}

// addRules declares and checks definitions, in the order of Check.
func (c *checker) addRules(added []*link.Def) {
	rs := c.rs
	defines, globals, effects, procs, templates, triggers := len(rs.Defines), len(rs.Globals), len(rs.Effects), len(rs.Procs), len(rs.Templates), len(c.triggers)
	for _, d := range added {
		c.reportDuplicatesIn(d)
		c.declareOne(d)
	}
	if len(rs.Defines) > defines {
		c.reportNameClashes()
	}
	c.waysOf(added)
	for _, p := range rs.Procs[procs:] {
		c.procParams(p)
	}
	for _, e := range rs.Effects[effects:] {
		c.effectParams(c.defs[e], e, c.effectNodes[e])
	}
	for _, t := range rs.Templates[templates:] {
		c.resolveKind(t)
	}
	for _, g := range rs.Globals[globals:] {
		c.global(g)
	}
	for _, t := range rs.Templates[templates:] {
		c.between()
		c.template(t)
	}
	if len(rs.Templates) > templates {
		c.inheritWays()
	}
	for _, x := range rs.Defines[defines:] {
		c.checkDefine(x)
	}
	for _, e := range rs.Effects[effects:] {
		c.declareMemory(e)
	}
	for _, p := range rs.Procs[procs:] {
		c.procBody(p)
	}
	for _, e := range rs.Effects[effects:] {
		c.between()
		c.effectBody(e)
	}
	for _, f := range c.delayed {
		f()
	}
	c.delayed = nil
	for _, d := range added {
		c.ruleOrTactics(d)
	}
	if len(rs.Defines)+len(rs.Effects) > defines+effects {
		c.checkCycles()
	}
	if len(c.triggers) > triggers {
		c.warnIdleTriggers()
	}
	for _, d := range rs.Defines[defines:] {
		if d.Func != nil {
			d.Func.Small = ir.SmallnessOf(d.Func.Body)
		}
	}
}
