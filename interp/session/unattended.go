package session

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"arbiter/interp/build"
	"arbiter/interp/story"
	"arbiter/lang/ast"
	"arbiter/stdlib/dice"
)

// This file tells a story unattended: a habit makes the choices, and tactics fight.

// Habit is how choices are made when no one is asked.
type Habit uint8

const (
	Curious Habit = iota // the choice taken least often, the first of these
	First                // always the first choice
	Chance               // a random choice
)

// Habits maps names to habits.
var Habits = map[string]Habit{"curious": Curious, "first": First, "chance": Chance}

// maxChoices is the limit on choices, after which a story is stopped.
const maxChoices = 10_000

// runStory tells a story from its start to its end.
func runStory(s *build.Script, o Options) *Played {
	p := newPlayer(s, o)
	w := walker{p: p, habit: o.Habit, taken: map[[2]int64]int{}, takes: o.Takes}
	p.playOpening(s)
	w.walk()
	p.finish()
	return &Played{Result: p.result, Output: p.narrator.transcript(), player: p}
}

// playOpening begins a story with the seed of its script, and tells it up to the first choice or fight.
func (p *player) playOpening(s *build.Script) {
	if p.applySeed(s); !p.stopped {
		p.start(0)
	}
}

// applySeed applies the seed that the script states.
func (p *player) applySeed(s *build.Script) {
	for _, cl := range s.File.Body {
		if d, ok := cl.(*ast.Directive); ok && d.Word.Name == "seed" {
			p.directive(d)
		}
	}
}

// walker makes choices according to a habit.
type walker struct {
	p     *player
	habit Habit
	taken map[[2]int64]int // how often each choice of each offer was taken
	takes []string         // the first choices, in order, by label or number
}

// walk tells the story to its end.
func (w *walker) walk() {
	p := w.p
	for n := 0; !p.stopped; n++ {
		switch p.phase() {
		case choosing:
			if n >= maxChoices {
				p.failEndless()
				return
			}
			w.take()
		case fighting:
			p.playFight()
		default:
			return
		}
	}
}

// failEndless stops a story that does not end.
func (p *player) failEndless() {
	p.failAt(p.currentOp(), "limit", "after %d choices the story has not ended", maxChoices)
	p.addHint("is there a way out of this loop? --habit chance may find it")
}

func (w *walker) take() {
	p := w.p
	o := p.currentOp()
	at := p.m.State().Story[storyAt]
	c := &p.story.Choices[o.A]
	open := p.openChoices(c)
	if p.stopped || len(open) == 0 {
		p.failAt(o, "no-way", "no choice is left")
		return
	}
	way := open[0]
	switch {
	case len(w.takes) > 0:
		wanted := w.takes[0]
		i, why := p.findChoice(c, open, wanted)
		if why != "" {
			p.failAt(o, "no-way", "%s", why)
			return
		}
		w.takes, way = w.takes[1:], i
	case w.habit == Curious:
		for _, i := range open {
			if w.taken[[2]int64{at, int64(i)}] < w.taken[[2]int64{at, int64(way)}] {
				way = i
			}
		}
	case w.habit == Chance:
		way = open[p.random(len(open))]
	}
	w.taken[[2]int64{at, int64(way)}]++
	p.takeChoice(way)
}

var habitLabel = dice.Hash("which way")

// random returns a random number below of, determined by the seed.
func (p *player) random(of int) int {
	s := p.m.State()
	return int(dice.Face(s.Seed, 0, habitLabel, uint32(s.Story[storySteps]), int32(of))) - 1
}

// findChoice finds an open choice by its number, or by its label without the part in brackets.
func (p *player) findChoice(c *story.Choices, open []int, wanted string) (way int, why string) {
	labels := p.choiceLabels(c, open)
	number := 0
	if _, err := fmt.Sscanf(wanted, "%d", &number); err == nil && fmt.Sprint(number) == wanted {
		if number >= 1 && number <= len(open) {
			return open[number-1], ""
		}
		return 0, fmt.Sprintf("there is no choice %d; the last is %d", number, len(open))
	}
	return matching(labels, open, wanted)
}

// matching finds the label that is meant: the whole of it, or a beginning that is unique, or words that only one has.
func matching(labels []string, open []int, wanted string) (way int, why string) {
	want := plainLabel(wanted)
	var found, all []string
	for i, label := range labels {
		have := plainLabel(label)
		if have == want {
			return open[i], ""
		}
		if all = append(all, unmarked(label)); strings.HasPrefix(have, want) {
			found, way = append(found, unmarked(label)), open[i]
		}
	}
	if len(found) == 0 {
		for i, label := range labels {
			if hasWords(plainLabel(label), want) {
				found, way = append(found, unmarked(label)), open[i]
			}
		}
	}
	switch len(found) {
	case 0:
		return 0, fmt.Sprintf("%q is not available; the choices are: %s", wanted, strings.Join(all, ", "))
	case 1:
		return way, ""
	}
	return 0, fmt.Sprintf("%q is ambiguous; it could be: %s", wanted, strings.Join(found, ", "))
}

// hasWords reports whether a label has all words of a text, in any order.
func hasWords(label, text string) bool {
	split := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '-' })
	}
	have, want := split(label), split(text)
	return len(want) > 0 && !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(have, w) })
}

// plainLabel returns a label in lower case, without emphasis marks and the part in brackets.
func plainLabel(label string) string {
	if i := strings.LastIndex(label, " ["); i > 0 && strings.HasSuffix(label, "]") {
		label = label[:i]
	}
	return strings.ToLower(unmarked(label))
}

// unmarked returns a label without emphasis marks.
func unmarked(label string) string {
	return strings.NewReplacer("*", "", "_", "").Replace(strings.TrimSpace(label))
}
