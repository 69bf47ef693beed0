package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/machine"
	"arbiter/interp/view"
)

// This file asks the questions of a command that is played live: dice and choices.

// Asker answers the questions of a command. It can abandon the command by returning ErrBack, to be asked the previous
// question again, ErrDrop or ErrLeave. Any other error drops the command as well.
type Asker interface {
	Answer(q *Request) (int64, error)
}

var (
	ErrBack = errors.New("back to the question before")
	ErrDrop = errors.New("the command is dropped")
	// ErrLeave drops the command too, but not from the record: when play resumes from the record, the same question is
	// asked again.
	ErrLeave = errors.New("the command waits for its answer")
)

// Request is a die or a choice that a command waits for. The answer is a face, or the index of an option; for a Ruling
// it is a number.
type Request struct {
	Die         bool
	Who         string // "" is the game master
	Label       string // as scripts name it: strike.to-hit
	Sides       int
	Kind        machine.ChoiceKind
	Options     []string
	Default     int64       // the face drawn from the seed, or the default choice
	ByTactics   bool        // tactics play the current turn
	AskedBefore bool        // asked before: its answer was undone, or never came
	OpenRolls   []Answer    // for a choice: dice of checks that are not yet judged
	Plans       []view.Plan // for a choice: the plans of the effect that asks

	live  *Live
	shown bool // it has been shown
}

// SoFar returns what the command has done since the last question shown. It is recorded before it is returned, and the
// question counts as shown.
func (q *Request) SoFar() (string, error) {
	if err := q.live.recordProgress(false); err != nil {
		return "", err
	}
	q.shown = true
	return q.live.preview(), nil
}

// Answer is the answer to a question.
type Answer struct {
	Die        bool
	Who, Label string
	Value      int64
	Word       string // of an option
	Seeded     bool   // the seed's face or the default; the question was not shown
}

// Address returns the name of the question as scripts write it.
func (a *Answer) Address() string { return strings.TrimSpace(a.Who + " " + a.Label) }

// answer answers a question from the known answers, or asks. If not ok, the command is abandoned.
func (l *Live) answer(q *Request) (v int64, ok bool) {
	g := Answer{Die: q.Die, Who: q.Who, Label: q.Label, Value: q.Default, Seeded: true}
	switch {
	case len(l.knownAnswers) > 0:
		known := l.knownAnswers[0]
		if known.Die != g.Die || known.Who != g.Who || known.Label != g.Label || !q.fits(known.Value) {
			return l.abandon(fmt.Errorf("%s was answered with %d; now the question is %s", known.Address(), known.Value, g.Address()))
		}
		l.knownAnswers, g.Value, g.Seeded = l.knownAnswers[1:], known.Value, known.Seeded
	case l.asker != nil:
		q.live, q.AskedBefore, l.askAgain = l, l.askAgain, false
		v, err := l.asker.Answer(q)
		if err == nil && !q.fits(v) {
			err = fmt.Errorf("%d is not an answer to %s", v, g.Address())
		}
		if err != nil {
			return l.abandon(err)
		}
		g.Value, g.Seeded = v, v == q.Default && !q.shown
	}
	if !q.Die && g.Value >= 0 && g.Value < int64(len(q.Options)) {
		g.Word = q.Options[g.Value]
	}
	l.current.Answers = append(l.current.Answers, g)
	l.current.allAnswers = append(l.current.allAnswers, g)
	return g.Value, true
}

// scripted records an answer that came from the script.
func (l *Live) scripted(r *machine.Result, die bool, value int64, word string) {
	if l != nil {
		l.current.allAnswers = append(l.current.allAnswers, Answer{Die: die, Who: l.who(r), Label: r.Label, Value: value, Word: word})
	}
}

// abandon abandons the running command.
func (l *Live) abandon(why error) (int64, bool) {
	l.err, l.p.stopped = why, true
	return 0, false
}

// askDie asks for a face.
func (l *Live) askDie(r *machine.Result) (int64, bool) {
	return l.answer(&Request{Die: true, Who: l.who(r), Label: r.Label, Sides: int(r.Sides), Default: int64(l.p.m.SeededFace()), ByTactics: l.p.playing})
}

// askChoice asks for an option.
func (l *Live) askChoice(r *machine.Result) (int64, bool) {
	q := &Request{Who: l.who(r), Label: r.Label, Kind: r.ChoiceKind, Default: defaultAnswer(r, l.p.playing), ByTactics: l.p.playing, OpenRolls: l.openRolls()}
	q.Options = append(q.Options, r.Options...)
	if x := l.p.m.Asking(); x != nil {
		q.Plans = l.p.plansOf(x)
	}
	return l.answer(q)
}

// openRolls lists the rolls of checks that are not yet judged.
func (l *Live) openRolls() (list []Answer) {
	p := l.p
	pr := p.m.Program()
	judged := map[int32]int{} // by label
	for _, e := range slices.Backward(p.m.Journal.Since(l.began)) {
		switch e.Kind {
		case machine.CheckRolled:
			c := &pr.Checks[e.Code]
			if c.IsForegone(e.A) {
				continue
			}
			judged[c.Label]++
			if c.Opposed >= 0 {
				judged[c.OpposedLabel]++
			}
		case machine.DiceRolled:
			switch {
			case e.C == 0: // not of a check
			case judged[e.Code] > 0:
				judged[e.Code]--
			default:
				list = append(list, Answer{Die: true, Who: p.nameOf(int64(e.Who)), Label: pr.Labels[e.Code].Name, Value: e.A})
			}
		}
	}
	slices.Reverse(list)
	return list
}

func (l *Live) who(r *machine.Result) string {
	if r.Who < 0 {
		return ""
	}
	return l.p.nameOf(r.Who)
}

// fits reports whether a value is a valid answer.
func (q *Request) fits(v int64) bool {
	switch {
	case q.Die:
		return v >= 1 && v <= int64(q.Sides)
	case q.Kind == machine.RulingChoice:
		return true
	}
	return v >= 0 && v < int64(len(q.Options))
}

// preview returns what the running command has done, without marking it as told: it may read differently when complete.
func (l *Live) preview() string {
	p := l.p
	told, where, painted := p.narrator.snapshot(), p.narrator.output.Len(), l.screen.Len()
	p.narrator.writeEvents()
	text := l.screen.String()
	p.narrator.back(&told, where)
	p.untellEvents(int32(told.position))
	l.screen.Truncate(painted)
	return l.newLines(text)
}

// newLines returns the lines of a text that have not been shown yet. A line that has changed since it was shown is
// shown again.
func (l *Live) newLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	n := 0
	for n < len(lines) && n < len(l.shown) && lines[n] == l.shown[n] {
		n++
	}
	l.shown = lines
	return strings.Join(lines[n:], "")
}
