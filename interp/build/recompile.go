package build

import (
	"arbiter/interp/compile"
	"arbiter/interp/program"
)

// This file compiles the rules of a script once more, changed in one place.

// Recompiled returns the script with its rules compiled with other options; everything else is shared with the
// original.
func (s *Script) Recompiled(o compile.Options) (*Script, error) {
	s.Rules.Complete()
	p, err := compile.Compile(s.Rules.Checked.Ruleset, o)
	if err != nil {
		return nil, err
	}
	return s.compiledTo(p)
}

// compiledTo returns the script with another program of its rules.
func (s *Script) compiledTo(p *program.Program) (*Script, error) {
	again, rules := *s, *s.Rules
	again.Rules, rules.Program = &rules, p
	var err error
	if rules.Hooks, err = rules.library.Bind(rules.Checked.Ruleset, p); err != nil {
		return nil, err
	}
	return &again, nil
}

// A Recompiler compiles the rules of a script again and again, each time with something else that is changed, in much less
// time than Recompiled; everything else is shared with the original. It is not safe for concurrent use.
type Recompiler struct {
	script *Script
	rules  *compile.Recompiler
}

// Recompiler compiles the rules of a script with options that its program must suit.
func (s *Script) Recompiler(o compile.Options) (*Recompiler, error) {
	s.Rules.Complete()
	r, err := compile.NewRecompiler(s.Rules.Checked.Ruleset, o)
	if err != nil {
		return nil, err
	}
	return &Recompiler{s, r}, nil
}

// Without returns the script with its rules without a part.
func (r *Recompiler) Without(part int32) (*Script, error) {
	p, err := r.rules.Without(part)
	if err != nil {
		return nil, err
	}
	return r.script.compiledTo(p)
}

// With returns the script with another value of an option of its rules, by its name: a number without a unit, or 1 and 0 for
// yes and no. known is false if it must be built from its source for that, since something was computed from the value.
func (r *Recompiler) With(option string, value int64) (s *Script, known bool, err error) {
	for _, o := range r.script.Rules.Checked.Ruleset.Options {
		if o.Name != option || o.Part == nil || o.IsFixed() {
			continue
		}
		p, err := r.rules.With(o.Part.ID, value)
		if err != nil {
			return nil, true, err
		}
		s, err = r.script.compiledTo(p)
		return s, true, err
	}
	return nil, false, nil
}
