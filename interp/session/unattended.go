package session

import (
	"fmt"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/story"
	"arbiter/lang/ast"
	"arbiter/stdlib/dice"
)

// This file tells a story with nobody there: somebody's habit chooses, and tactics fight.

// Habit is how a story is gone through when nobody chooses.
type Habit uint8

const (
	Curious Habit = iota // what has been taken least often, the first of these
	First                // always the first way
	Chance               // any way, by the seed
)

// Habits by their names.
var Habits = map[string]Habit{"curious": Curious, "first": First, "chance": Chance}

// mostChoices is how much is chosen of a story before it is broken off.
const mostChoices = 10_000

// runStory goes through a story from its beginning to its end.
func runStory(s *build.Script, o Options) *Played {
	p := newPlayer(s, o)
	w := walker{p: p, habit: o.Habit, taken: map[[2]int64]int{}, takes: o.Takes}
	p.tellOpening(s)
	w.walk()
	p.finish()
	return &Played{Result: p.result, Output: string(p.out.all), machine: p.m}
}

// tellOpening begins a story by the seed of its script, and tells it as far as somebody is to choose or to fight.
func (p *player) tellOpening(s *build.Script) {
	if p.seedOf(s); !p.stopped {
		p.start(0)
	}
}

// seedOf takes the seed that the script states.
func (p *player) seedOf(s *build.Script) {
	for _, cl := range s.File.Body {
		if d, ok := cl.(*ast.Directive); ok && d.Word.Name == "seed" {
			p.directive(d)
		}
	}
}

// walker chooses by a habit.
type walker struct {
	p     *player
	habit Habit
	taken map[[2]int64]int // how often each way of each offer was taken
	takes []string         // what is taken first, in order, by its label or its number
}

// walk goes on until the story is at its end.
func (w *walker) walk() {
	p := w.p
	for n := 0; !p.stopped; n++ {
		switch p.phase() {
		case choosing:
			if n >= mostChoices {
				p.endless()
				return
			}
			w.take()
		case fighting:
			p.fightOut()
		default:
			return
		}
	}
}

// endless stops a story that goes on and on.
func (p *player) endless() {
	p.failAt(p.op(), "limit", "%d choices were made, and the story is not at its end", mostChoices)
	p.hint("is there a way out of this circle? --habit chance may find it")
}

func (w *walker) take() {
	p := w.p
	o := p.op()
	at := p.m.State().Tale[taleAt]
	c := &p.tale.Choices[o.A]
	open := p.open(c)
	if p.stopped || len(open) == 0 {
		p.failAt(o, "no-way", "no way is open any more")
		return
	}
	way := open[0]
	switch {
	case len(w.takes) > 0:
		wanted := w.takes[0]
		i, why := p.findWay(c, open, wanted)
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
		way = open[p.byChance(len(open))]
	}
	w.taken[[2]int64{at, int64(way)}]++
	p.takeWay(way)
}

var habitLabel = dice.Hash("which way")

// byChance is one of so many ways, by the seed.
func (p *player) byChance(of int) int {
	s := p.m.State()
	return int(dice.Face(s.Seed, 0, habitLabel, uint32(s.Tale[taleSteps]), int32(of))) - 1
}

// findWay finds an open way by its label, without what stands in brackets behind it, or by its number.
func (p *player) findWay(c *story.Choices, open []int, wanted string) (way int, why string) {
	labels := p.offered(c, open)
	number := 0
	if _, err := fmt.Sscanf(wanted, "%d", &number); err == nil && fmt.Sprint(number) == wanted {
		if number >= 1 && number <= len(open) {
			return open[number-1], ""
		}
		return 0, fmt.Sprintf("there is no way %d; there are %d", number, len(open))
	}
	return matching(labels, open, wanted)
}

// matching finds the label that was meant: the whole of it, or what only one begins with.
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
	switch len(found) {
	case 0:
		return 0, fmt.Sprintf("%q is not open; the ways are: %s", wanted, strings.Join(all, ", "))
	case 1:
		return way, ""
	}
	return 0, fmt.Sprintf("%q may be several of the ways: %s", wanted, strings.Join(found, ", "))
}

// plainLabel is a label without case, without marks of stress, and without what stands in sight behind it.
func plainLabel(label string) string {
	if i := strings.LastIndex(label, " ["); i > 0 && strings.HasSuffix(label, "]") {
		label = label[:i]
	}
	return strings.ToLower(unmarked(label))
}

// unmarked is a label without what lays stress on its words.
func unmarked(label string) string {
	return strings.NewReplacer("*", "", "_", "").Replace(strings.TrimSpace(label))
}
