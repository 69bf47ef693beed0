package reading

import (
	"fmt"
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
	s, diags, err := r.build(r.bases(f.Drafts), text+"\n"+string(f.Own))
	if err == nil && s.Rules == nil && len(f.Own) > 0 { // a mistake in the author's own part, which `arbiter check` shows
		s, diags, err = r.build(r.bases(f.Drafts), text)
	}
	if err != nil {
		return nil, err
	}
	if s.Rules == nil {
		return nil, fmt.Errorf("what has been read is not accepted: %s", diags[0].Message)
	}
	byName := compared(s)
	all := map[*Draft][]Figure{}
	right := map[*Draft]map[string]int{} // in how many figures that agree each term is
	for _, d := range f.Drafts {
		right[d] = map[string]int{}
		list := byName[d.Name]
		k := 0
		for _, c := range d.Claims {
			if c.Kind == "" || k >= len(list) {
				continue
			}
			x := list[k]
			k++
			fig := Figure{Kind: c.Kind, Claim: oneLine(c.Text), Line: c.Line, Printed: x.Printed, Computed: x.Computed, Agrees: x.Holds}
			for _, p := range x.Parts {
				if x.Holds && p.Counted {
					right[d][p.Name]++
				}
			}
			if !x.Holds {
				fig.Parts = counted(x.Parts)
				fig.Cause = cause(&x)
			}
			all[d] = append(all[d], fig)
		}
	}
	r.tryVariants(f, all)
	for _, d := range f.Drafts {
		blameShared(all[d], right[d])
		blamePenalty(all[d])
	}
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

func differs(figures []Figure) bool {
	for _, f := range figures {
		if !f.Agrees {
			return true
		}
	}
	return false
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
