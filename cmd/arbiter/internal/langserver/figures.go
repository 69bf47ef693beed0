package langserver

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"arbiter/interp/build"
	"arbiter/interp/load"
	"arbiter/interp/odds"
	"arbiter/interp/session"
	"arbiter/lang/ast"
)

// This file computes the figures that are shown beside a text: it plays the encounter up to where a figure is asked
// for. That takes time, so it is done later, and what was computed is kept as long as no text changes.

// figures are those of an encounter with the texts as they are at one moment.
type figures struct {
	script *build.Script // nil: it has mistakes
	epoch  int           // of the server
	values map[string]string
	chance map[int]chances
	spent  time.Duration // in computing them
}

// chances are the odds of a command: those of its checks in a few words, and those of its outcome.
type chances struct{ short, long string }

// Limits of the odds of a command: they are shown while somebody reads.
const (
	oddsSteps = 4000
	oddsTime  = 400 * time.Millisecond
	// figuresTime is how long figures of one moment are computed: a script may be made to take long.
	figuresTime = 2 * time.Second
	// maxPlayed is how many statements are played for a figure.
	maxPlayed = 200

	maxChecks = 2 // how many are told
	maxFalls  = 3
)

// withFigures answers later, with the figures of a document. A document without figures is given those of an encounter
// without combatants. otherwise is the answer if the document is not open, or has another version.
func (s *server) withFigures(uri string, version int, otherwise any, answer func(context.Context, *figures) any) any {
	s.mu.Lock()
	d := s.docs[uri]
	if d == nil || d.version != version {
		s.mu.Unlock()
		return otherwise
	}
	path, text, open, epoch := d.path, d.text, s.texts(), s.epoch
	s.mu.Unlock()
	return later(func(ctx context.Context) any {
		return s.inTurn(ctx, uri, version, func() any {
			if d.figures == nil || d.figures.epoch != epoch {
				script, diags := s.buildFile(path, text, open)
				if diags.HasErrors() || script == nil || script.Rules == nil {
					script = nil
				}
				d.figures = &figures{script: script, epoch: epoch, values: map[string]string{}, chance: map[int]chances{}}
			}
			return answer(ctx, d.figures)
		})
	})
}

// odds returns the odds of the command that begins at an offset.
func (f *figures) odds(offset int) chances {
	if c, known := f.chance[offset]; known {
		return c
	}
	if f.exhausted() {
		return chances{}
	}
	defer f.measure(time.Now())
	c := f.computeOdds(offset)
	f.chance[offset] = c
	return c
}

// exhausted reports whether no more figures are computed.
func (f *figures) exhausted() bool {
	return f.script == nil || f.spent > figuresTime
}

func (f *figures) measure(began time.Time) { f.spent += time.Since(began) }

func (f *figures) computeOdds(offset int) (c chances) {
	for _, st := range stretchesOf(f.script.File) {
		command, played := st.before(offset)
		if command == nil {
			continue
		}
		if st.isLong() {
			return c
		}
		script, file := *f.script, *f.script.File
		if h := load.HeaderOf(&file); h != nil && len(played) > 0 && played[0] != ast.Clause(h) {
			played = slices.Insert(played, 0, ast.Clause(h))
		}
		file.Body = played
		script.File = &file
		text := strings.Join(strings.Fields(string(f.script.Rules.Text(f.script.Path)[offset:commandEnd(command)])), " ")
		end := time.Now().Add(oddsTime)
		x, diags, err := session.ComputeOdds(&script, session.Options{}, text, odds.Options{Steps: oddsSteps, Stop: func() bool { return time.Now().After(end) }})
		if len(diags) > 0 || err != nil {
			return c
		}
		return describeOdds(x)
	}
	return c
}

// commandEnd is where a command ends, without its condition and citations.
func commandEnd(c *ast.Command) int {
	end := c.Name.End.Offset
	for _, a := range c.Args {
		end = max(end, a.End.Offset)
	}
	return end
}

// describeOdds tells the first checks of a command, and who falls.
func describeOdds(x *session.Chances) (c chances) {
	var checks, falls []string
	for _, k := range x.Checks[:min(len(x.Checks), maxChecks)] {
		checks = append(checks, fmt.Sprintf("%s %s", lastPart(k.Roll), percent(k.Success.Float())))
	}
	for _, k := range x.Falls[:min(len(x.Falls), maxFalls)] {
		falls = append(falls, fmt.Sprintf("%s falls %s", k.Who, percent(k.Share.Float())))
	}
	c.short = strings.Join(checks, ", ")
	for _, a := range x.Amounts {
		if change := a.Mean.Float() - float64(a.Now) + float64(a.Paid); !a.Internal && math.Abs(change) >= 0.005 {
			checks = append(checks, fmt.Sprintf("%s %s %+.4g", a.Who, a.Name, math.Round(change*100)/100))
		}
	}
	c.long = strings.Join(append(checks, falls...), ", ")
	return c
}

// lastPart is the last part of the label of a roll: to-hit.
func lastPart(label string) string { return label[strings.LastIndexAny(label, ". ")+1:] }

// percent writes a share; only what is certain is 0 % or 100 %.
func percent(share float64) string {
	text := fmt.Sprintf("%.0f %%", 100*share)
	switch {
	case share > 0 && text == "0 %":
		return "< 1 %"
	case share < 1 && text == "100 %":
		return "> 99 %"
	}
	return text
}

// members lists the names of the combatants.
func (f *figures) members() (names []string) {
	if f.script == nil {
		return nil
	}
	for _, cl := range f.script.File.Body {
		if side, ok := cl.(*ast.Side); ok {
			for m := range ast.Members(side) {
				names = append(names, m.Name.Name)
			}
		}
	}
	return names
}

// learn computes what numbers of the rules are before the fight begins.
func (f *figures) learn(what []string) {
	var unknown []string
	for _, w := range what {
		if _, known := f.values[w]; !known {
			unknown = append(unknown, w)
		}
	}
	if f.exhausted() || len(unknown) == 0 || (&stretch{nil, f.script.File.Body}).isLong() {
		return
	}
	defer f.measure(time.Now())
	values, diags := session.ValuesBeforeFight(f.script, session.Options{}, unknown)
	for i, w := range unknown {
		f.values[w] = ""
		if len(diags) == 0 {
			f.values[w] = values[i]
		}
	}
}
