// Package balance searches, among the values of something, for those with which a figure of a fight is what somebody
// wishes, with as few fights as it can.
//
// It must never know what is varied, nor how a fight is played.
package balance

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"arbiter/interp/sim"
)

// Wish is what a figure of a fight is to be.
type Wish struct {
	sim.NamedFigure
	Relation Relation
	Target   float64 // a share from 0 to 1, or a mean
	Within   float64 // how far from the target is near enough, or as good as on the side of it where it seems to be
}

// Relation is how a figure is to compare with the target.
type Relation uint8

const (
	About Relation = iota
	AtLeast
	AtMost
)

var relationWords = [...]string{About: "", AtLeast: "at least ", AtMost: "at most "}

// defaultWithin is how far from the target is near enough if nothing is said: three points of a share, or a twentieth of
// a mean.
const (
	defaultWithinShare = 0.03
	defaultWithinMean  = 0.05
)

// ParseWish reads a wish, such as `west wins 60 %`, `fight rounds at most 6` or `Alia falls about 10 % within 2 %`. The
// figures are those that the fight has; the word `fight` before its rounds can be left out.
func ParseWish(text string, figures []sim.NamedFigure) (Wish, error) {
	w := Wish{Within: math.NaN()}
	rest := " " + strings.Join(strings.Fields(strings.ReplaceAll(text, "%", " % ")), " ")
	var err error
	if before, after, has := strings.Cut(rest, " within "); has {
		if w.Within, _, err = parseNumber(after); err != nil {
			return w, err
		}
		rest = before
	}
	at := strings.IndexAny(rest, "0123456789")
	for at > 0 && rest[at-1] != ' ' && rest[at-1] != '-' { // a digit of a name
		next := strings.IndexAny(rest[at+1:], "0123456789")
		if next < 0 {
			at = -1
			break
		}
		at += 1 + next
	}
	if at < 0 {
		return w, fmt.Errorf("%q has no number to reach: the form is FIGURE NUMBER, such as '%s 60 %%'", strings.TrimSpace(text), figures[0].Name)
	}
	if rest[at-1] == '-' {
		at--
	}
	name := strings.TrimSpace(rest[:at])
	share := false
	if w.Target, share, err = parseNumber(rest[at:]); err != nil {
		return w, err
	}
	for r, word := range relationWords {
		if before, has := strings.CutSuffix(name+" ", " "+word); has && word != "" {
			name, w.Relation = before, Relation(r)
		}
	}
	name = strings.TrimSuffix(name, " about")
	if w.NamedFigure, err = sim.FigureNamed(name, figures); err != nil {
		return w, err
	}
	switch {
	case w.IsShare() && (w.Target < 0 || w.Target > 1 || !share && w.Target != 0 && w.Target != 1):
		return w, fmt.Errorf("%s is a share of the fights: write it in percent, from 0 %% to 100 %%", w.Name)
	case !w.IsShare() && share:
		return w, fmt.Errorf("%s is a mean, not a share: write it without %%", w.Name)
	}
	switch {
	case math.IsNaN(w.Within) && w.IsShare():
		w.Within = defaultWithinShare
	case math.IsNaN(w.Within):
		w.Within = max(defaultWithinMean*math.Abs(w.Target), 0.05)
	case !(w.Within > 0) || w.IsShare() && w.Within > 0.5:
		return w, fmt.Errorf("within %v is not a distance from the wish: use some points of a share, or a part of a mean", text)
	}
	return w, nil
}

// parseNumber reads a number, and whether it is in percent.
func parseNumber(text string) (v float64, share bool, err error) {
	number, percent, share := strings.Cut(strings.TrimSpace(text), "%")
	v, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || strings.TrimSpace(percent) != "" || math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1e12 {
		return 0, share, fmt.Errorf("%s is not a number: write one, with %% for a share", strings.TrimSpace(text))
	}
	if share {
		v /= 100
	}
	return v, share, nil
}

// IsShare reports whether the figure is a share of the fights.
func (w *Wish) IsShare() bool { return w.Kind == sim.Wins || w.Kind == sim.Falls }

// NumberText writes a value of the figure.
func (w *Wish) NumberText(v float64) string {
	if w.IsShare() {
		return sim.Percent(v)
	}
	return sim.Number(v)
}

// WithinText writes how far from the target is near enough.
func (w *Wish) WithinText() string {
	if w.IsShare() {
		return sim.Number(100*w.Within) + " points"
	}
	return sim.Number(w.Within)
}

// TwiceWithin writes twice that distance, as a wish states it.
func (w *Wish) TwiceWithin() string {
	if w.IsShare() {
		return sim.Number(200*w.Within) + " %"
	}
	return sim.Number(2 * w.Within)
}

// GoalText writes what the figure is to be.
func (w *Wish) GoalText() string { return relationWords[w.Relation] + w.NumberText(w.Target) }

func (w *Wish) String() string { return w.Name + " " + w.GoalText() }
