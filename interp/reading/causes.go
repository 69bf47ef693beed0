package reading

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/session"
)

// This file explains why a stated figure and the computed one differ, as far as one thing explains it: a term that was
// left out or counted twice, something about the creature that may have been meant otherwise, or a term that is wrong in
// several figures.

// leastTwice is how large a term must be for a difference to suggest that it counts twice: small ones are everywhere.
const leastTwice = 3

// cause says which terms explain a difference, each by itself: those that the printed figure lacks, else those that it has
// twice.
func cause(x *session.Compared) string {
	if x.Problem != "" {
		return x.Problem
	}
	if !x.Numbers {
		return ""
	}
	if missing := termsOf(x.Parts, x.Delta); len(missing) > 0 {
		return "the printed figure leaves out the " + strings.Join(missing, " or the ")
	}
	if x.Delta < leastTwice && x.Delta > -leastTwice {
		return ""
	}
	if twice := termsOf(x.Parts, -x.Delta); len(twice) > 0 {
		return "the printed figure counts the " + strings.Join(twice, " or the ") + " twice"
	}
	return ""
}

// blamePenalty explains a figure that nothing else explains and that is below the computed one by as much as one of its
// penalties, which counts twice then. A bonus as small would be no explanation: many figures have one.
func blamePenalty(figures []Figure) {
	for i := range figures {
		f := &figures[i]
		printed, err1 := strconv.ParseInt(f.Printed, 10, 64)
		computed, err2 := strconv.ParseInt(f.Computed, 10, 64)
		if f.Agrees || f.Cause != "" || err1 != nil || err2 != nil || printed > computed {
			continue
		}
		if twice := termsOf(f.Parts, printed-computed); len(twice) > 0 {
			f.Cause = "the printed figure counts the " + strings.Join(twice, " or the ") + " twice"
		}
	}
}

// termsOf names the terms that count for so much.
func termsOf(parts []session.Explained, points int64) (names []string) {
	for _, p := range parts {
		if n, ok := points64(p); ok && p.Counted && n == points && n != 0 {
			names = append(names, fmt.Sprintf("%s of %s", p.Name, p.Value))
		}
	}
	return names
}

func points64(p session.Explained) (n int64, ok bool) {
	n, err := strconv.ParseInt(strings.TrimPrefix(p.Value, "+"), 10, 64)
	return n, err == nil
}

// asIf begins the cause that a variant is.
const asIf = "it reads as if "

// ownChange is the cause if a figure agrees without what the author has changed.
const ownChange = "it agrees without what you have changed below the marker"

// maxVariants is how many variants of creatures are tried in all.
const maxVariants = 600

// variant is a creature as its sheet may have been meant.
type variant struct {
	draft  *Draft
	origin *Draft
	says   string // behind asIf
	kind   string // of the figures that it may explain, "" for all
	guess  bool   // only explains what nothing else does
	as     bool   // nothing is changed: what the author has changed below the marker counts for the origin alone
	sets   bool   // changes what the sheet says, instead of adding to it: a better explanation than a term
}

// variantsOf lists the ways in which a sheet may have been meant: those that the reading suspects, and without one of the
// things that the creature has.
//
// changed: the author has changed something below the marker.
func variantsOf(d *Draft, figures []Figure, changed bool) (list []variant) {
	add := func(v variant, change func(v *Draft)) {
		other := *d
		other.Name = fmt.Sprintf("%s-if-%d", d.Name, len(list)+1)
		other.Declared, other.Has, other.Claims = nil, slices.Clone(d.Has), slices.Clone(d.Claims) // a trial may refuse some of them
		change(&other)
		v.draft, v.origin = &other, d
		list = append(list, v)
	}
	if changed {
		add(variant{says: ownChange, as: true}, func(*Draft) {})
	}
	for _, s := range d.Suspects {
		if slices.ContainsFunc(figures, func(f Figure) bool { return !f.Agrees && f.Kind == s.Kind }) {
			_, _, sets := strings.Cut(s.Text, ":")
			add(variant{says: s.Says, kind: s.Kind, sets: sets}, func(v *Draft) {
				v.Body = append(without(d.Body, s.Text), Item{Text: s.Text})
			})
		}
	}
	if !slices.ContainsFunc(figures, func(f Figure) bool { return !f.Agrees && f.Cause == "" }) {
		return list
	}
	for i, item := range d.Has {
		if item.Note == None {
			add(variant{says: "it had no " + strings.ReplaceAll(oneLine(item.Text), "-", " "), guess: true}, func(v *Draft) {
				v.Has = slices.Delete(v.Has, i, i+1)
			})
		}
	}
	return list
}

// tryVariants tries for each creature whose figures differ whether one of the ways in which its sheet may have been meant
// makes them agree, and names it as the cause.
func (r *Reader) tryVariants(f *File, all map[*Draft][]Figure) {
	var variants []variant
	drafts := slices.Clone(f.Drafts)
	for _, d := range f.Drafts {
		if !differs(all[d]) {
			continue
		}
		for _, v := range variantsOf(d, all[d], len(f.Own) > 0) {
			if len(variants) < maxVariants {
				variants = append(variants, v)
				drafts = append(drafts, v.draft)
			}
		}
	}
	if len(variants) == 0 {
		return
	}
	trial := &File{From: f.From, Drafts: drafts}
	text, _ := r.trial(trial.Drafts)
	s, _, err := r.build(r.bases(drafts), text)
	if err != nil || s.Rules == nil {
		if r.Settle(trial) != nil { // a variant that the rules do not accept
			return
		}
		text, _ = r.trial(trial.Drafts)
		if s, _, err = r.build(r.bases(drafts), text); err != nil || s.Rules == nil {
			return
		}
	}
	byName := compared(s)
	for _, v := range variants {
		list, figures := byName[v.draft.Name], all[v.origin]
		for i := range figures {
			if i < len(list) && list[i].Holds {
				v.explain(&figures[i])
			}
		}
	}
}

// explain names a variant in which a figure agrees as the cause, if nothing better is known.
func (v *variant) explain(f *Figure) {
	switch {
	case !f.Agrees && v.as:
		f.Cause = v.says
	case f.Agrees, f.Cause == ownChange, v.kind != "" && v.kind != f.Kind, strings.Contains(f.Cause, asIf):
	case f.Cause == "" || v.sets:
		f.Cause = asIf + v.says
	case !v.guess:
		f.Cause += "; or " + asIf + v.says
	}
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

// blameShared explains figures that differ by as much and that nothing else explains: by the one term that they share, and
// that is in few figures that agree, where it may be rounded. rightly: in how many of those each term is.
func blameShared(figures []Figure, rightly map[string]int) {
	groups := map[int64][]*Figure{} // by how much the printed figure is above the computed one
	for i := range figures {
		if f := &figures[i]; !f.Agrees && f.Cause == "" {
			printed, err1 := strconv.ParseInt(f.Printed, 10, 64)
			computed, err2 := strconv.ParseInt(f.Computed, 10, 64)
			if err1 == nil && err2 == nil {
				groups[printed-computed] = append(groups[printed-computed], f)
			}
		}
	}
	for points, group := range groups {
		if len(group) < 2 {
			continue
		}
		term := ""
		for _, p := range group[0].Parts {
			if _, ok := points64(p); ok && len(group) > 2*rightly[p.Name] && inAll(group, p) {
				if term != "" {
					term = "" // more than one would do
					break
				}
				term = p.Name + " of " + p.Value
			}
		}
		if term == "" {
			continue
		}
		much := "less"
		if points > 0 {
			much = "more"
		}
		for _, f := range group {
			f.Cause = fmt.Sprintf("the %s is %d %s in this and in %s", term, max(points, -points), much, others(len(group)-1))
		}
	}
}

func inAll(group []*Figure, p session.Explained) bool {
	for _, f := range group {
		if !slices.ContainsFunc(f.Parts, func(q session.Explained) bool { return q.Name == p.Name && q.Value == p.Value }) {
			return false
		}
	}
	return true
}

func others(n int) string {
	if n == 1 {
		return "another figure"
	}
	return fmt.Sprintf("%d other figures", n)
}
