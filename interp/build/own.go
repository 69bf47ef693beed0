package build

import (
	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/load"
	"arbiter/interp/program"
	"arbiter/lang/ast"
)

// This file builds the rules of a script with rules of its own on those that it uses. Hundreds of tests add an effect or
// give options other values; what they use is the same, and is linked and checked once.
//
// Linking goes on where it ended, and gives what linking everything gives. If the script only declares what nothing below
// can mean, and gives options values from which nothing was computed, only that is checked (check.OnTop); otherwise
// everything is. What is checked is compiled as a whole: what runs at a point, and which checks need a die, depends on all
// rules. Only where nothing but values of options differs, that is recompiled which reads them, and the rest is shared.
//
// Everything gets the numbers that it has if everything is built in one go, but for texts, dice and code. The hash of a
// state shows these, and sessions are resumed by it: so this is only for builds that are Unsaved. Whatever there is to
// report, everything is built in one go, which explains it best.

// onOthers builds the base of a script with rules of its own; nil if that is to be done in one go.
func (o *Options) onOthers(path string, names []string, changes []*ast.File, compileOptions compile.Options) *base {
	var plain []*ast.File
	for _, f := range changes {
		p := *f
		p.Body = nil
		if h := load.HeaderOf(f); h != nil {
			p.Body = []ast.Clause{h}
		}
		plain = append(plain, &p)
	}
	e := sharedFor(o.key(names, nil, nil, compileOptions), false)
	if known, _ := e.known(o, path); known == nil && !o.Store.has(e.key) && e.wanted.Add(1) < 2 {
		return nil // a single script is built in one go sooner
	}
	below, _, _ := e.base(o, path, names, plain, nil, compileOptions)
	if below == nil || below.rules == nil {
		return nil
	}
	below.rules.Complete()
	t, diags := below.rules.set.Script(o.between(), changes[0], changes[1:]...)
	if len(diags) > 0 {
		return nil
	}
	checkOptions := check.Options{KnownCitation: o.KnownCitation, Hook: below.rules.library.Mentions, Scripted: true, Creatures: Creatures(changes...), Between: o.between()}
	checked := below.rules.Checked.OnTop(t, checkOptions)
	onTop := checked != nil
	if !onTop {
		if checked, diags = check.Check(t.Set, checkOptions); len(diags) > 0 {
			return nil
		}
	}
	p, err := o.compileOnOthers(below, checked, onTop && len(t.Added) == 0, compileOptions)
	if err != nil {
		return nil
	}
	r := *below.rules
	r.set, r.Checked, r.Program, r.onTop, r.complete = t.Set, checked, p, onTop, nil
	return &base{trail: below.trail, rules: &r}
}

// compileOnOthers compiles rules that were checked on top of a base; onlyOptions says that nothing else differs.
func (o *Options) compileOnOthers(below *base, checked *check.Checked, onlyOptions bool, compileOptions compile.Options) (*program.Program, error) {
	if onlyOptions && compileOptions.AnnounceAll && !compileOptions.Cover && below.optioned.Add(1) > 1 {
		below.compiling.Do(func() {
			below.recompiler, _ = compile.NewRecompiler(below.rules.Checked.Ruleset, compileOptions) // it has been compiled: it can be
		})
		if below.recompiler != nil {
			return below.recompiler.Given(checked.Ruleset)
		}
	}
	compileOptions.Between = o.between()
	return compile.Compile(checked.Ruleset, compileOptions)
}
