package reading

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/session"
)

// This file compares what a sheet states with what the rules compute.

// Figure is one stated figure beside the computed one.
type Figure struct {
	Kind     string              `json:"kind"`
	Claim    string              `json:"claim"`
	Line     int                 `json:"line"` // in the source
	Printed  string              `json:"printed"`
	Computed string              `json:"computed"`
	Agrees   bool                `json:"agrees"`
	Cause    string              `json:"cause,omitempty"`
	Parts    []session.Explained `json:"parts,omitempty"`
}

// Reconcile compares the figures of the drafts, in order, with what the author has changed below the marker.
func (r *Reader) Reconcile(f *File) (map[*Draft][]Figure, error) {
	text, _ := r.trial(f.Drafts)
	s, diags, err := r.build(r.Extends, text+"\n"+string(f.Own))
	if err == nil && s.Rules == nil && len(f.Own) > 0 { // a mistake in the author's own part, which `arbiter check` shows
		s, diags, err = r.build(r.Extends, text)
	}
	if err != nil {
		return nil, err
	}
	if s.Rules == nil {
		return nil, fmt.Errorf("what has been read is not accepted: %s", diags[0].Message)
	}
	byName := compared(s)
	all := map[*Draft][]Figure{}
	for _, d := range f.Drafts {
		list := byName[d.Name]
		k := 0
		for _, c := range d.Claims {
			if c.Kind == "" || k >= len(list) {
				continue
			}
			x := list[k]
			k++
			fig := Figure{Kind: c.Kind, Claim: oneLine(c.Text), Line: c.Line, Printed: x.Printed, Computed: x.Computed, Agrees: x.Holds}
			if !x.Holds {
				fig.Parts = counted(x.Parts)
				fig.Cause = cause(&x)
			}
			all[d] = append(all[d], fig)
		}
	}
	r.trySuspects(f, all)
	return all, nil
}

// compared computes the claims of all creatures of a script.
func compared(s *build.Script) map[string][]session.Compared {
	byName := map[string][]session.Compared{}
	for _, x := range build.PrintedIn(s.File) {
		byName[x.Creature.Name] = session.ComparePrinted(s, x, session.Options{})
	}
	return byName
}

func counted(parts []session.Explained) []session.Explained {
	var list []session.Explained
	for _, p := range parts {
		if p.Counted {
			list = append(list, p)
		}
	}
	return list
}

// leastTwice is how large a term must be for a difference to suggest that it counts twice: small ones are everywhere.
const leastTwice = 3

// cause says which single term explains a difference: one that the printed figure lacks.
func cause(x *session.Compared) string {
	if x.Problem != "" {
		return x.Problem
	}
	if !x.Numbers {
		return ""
	}
	for _, p := range x.Parts {
		if n, err := strconv.ParseInt(strings.TrimPrefix(p.Value, "+"), 10, 64); err == nil && p.Counted && n == x.Delta && n != 0 {
			return fmt.Sprintf("the printed figure leaves out the %s of %s", p.Name, p.Value)
		}
	}
	for _, p := range x.Parts {
		if n, err := strconv.ParseInt(strings.TrimPrefix(p.Value, "+"), 10, 64); err == nil && p.Counted && n == -x.Delta && (n >= leastTwice || n <= -leastTwice) {
			return fmt.Sprintf("the printed figure counts the %s of %s twice", p.Name, p.Value)
		}
	}
	return ""
}

// trySuspects tries for each creature whose figures differ whether one of the ways in which its sheet may have been meant
// makes them agree, and names it as the cause.
func (r *Reader) trySuspects(f *File, all map[*Draft][]Figure) {
	var variants []*Draft
	origin := map[string]*Draft{}
	suspects := map[string]Suspect{}
	for _, d := range f.Drafts {
		if !differs(all[d]) {
			continue
		}
		for i, s := range d.Suspects {
			if !slices.ContainsFunc(all[d], func(f Figure) bool { return !f.Agrees && f.Kind == s.Kind }) {
				continue
			}
			v := *d
			v.Name = fmt.Sprintf("%s-if-%d", d.Name, i+1)
			v.Declared, v.Has, v.Claims = nil, slices.Clone(d.Has), slices.Clone(d.Claims) // a trial may refuse some of them
			v.Body = append(without(d.Body, s.Text), Item{Text: s.Text})
			variants = append(variants, &v)
			origin[v.Name], suspects[v.Name] = d, s
		}
	}
	if len(variants) == 0 {
		return
	}
	var drafts []*Draft
	drafts = append(drafts, f.Drafts...)
	trial := &File{From: f.From, Drafts: append(drafts, variants...)}
	text, _ := r.trial(trial.Drafts)
	s, _, err := r.build(r.Extends, text)
	if err != nil || s.Rules == nil {
		if r.Settle(trial) != nil { // a suspect that the rules do not accept
			return
		}
		text, _ = r.trial(trial.Drafts)
		if s, _, err = r.build(r.Extends, text); err != nil || s.Rules == nil {
			return
		}
	}
	byName := compared(s)
	for _, v := range variants {
		d := origin[v.Name]
		list := byName[v.Name]
		for i := range all[d] {
			fig := &all[d][i]
			if s := suspects[v.Name]; !fig.Agrees && fig.Kind == s.Kind && i < len(list) && list[i].Holds && !strings.HasPrefix(fig.Cause, asIf) {
				fig.Cause = asIf + s.Says
			}
		}
	}
}

// asIf begins the cause that a suspect is.
const asIf = "it reads as if "

func differs(figures []Figure) bool {
	for _, f := range figures {
		if !f.Agrees {
			return true
		}
	}
	return false
}

// without leaves out the clause that sets the same field as a clause does.
func without(body []Item, clause string) []Item {
	field, _, ok := strings.Cut(clause, ":")
	var list []Item
	for _, item := range body {
		if !ok || item.Note != None {
			list = append(list, item)
			continue
		}
		var kept []string
		for part := range strings.SplitSeq(item.Text, ";") {
			if name, _, _ := strings.Cut(part, ":"); strings.TrimSpace(name) != strings.TrimSpace(field) {
				kept = append(kept, strings.TrimSpace(part))
			}
		}
		if len(kept) > 0 {
			item.Text = strings.Join(kept, "; ")
			list = append(list, item)
		}
	}
	return list
}

// Text says how a figure differs.
func (f *Figure) Text() string {
	left, _, ok := strings.Cut(f.Claim, " = ")
	if !ok {
		return fmt.Sprintf("`%s` does not hold", f.Claim)
	}
	text := fmt.Sprintf("printed %s %s, computed %s", left, f.Printed, f.Computed)
	if f.Cause != "" {
		text += ": " + f.Cause
	}
	return text
}
