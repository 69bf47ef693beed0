package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/machine"
	"arbiter/stdlib/journal"
)

// This file lets the game master overrule a roll: the command is run again with another face.

// Overruled is the roll that was overruled, with its old and its new face.
type Overruled struct {
	Roll      string // Alia strike.to-hit
	From, Now int64
}

// Verdict is the desired result of a roll.
type Verdict struct {
	Face    int64 // 0: as Success says
	Success bool
}

// Overrule runs the latest command again with another face for one of its dice. The die is the last one with the name.
// Without a name, it is the last of all if v has a face, or otherwise the last that a check was rolled with. A name can
// omit the roller and the procedure of which it is a step. For a success Overrule takes the lowest face that succeeds,
// for a failure the highest that fails. Earlier dice keep their faces. If there is an error, nothing has changed.
func (l *Live) Overrule(name string, v Verdict) (*Overruled, *Reply, error) {
	if l.commands.done == 0 {
		return nil, nil, errors.New("nothing has been rolled yet")
	}
	d, err := l.commands.at(l.commands.done - 1)
	if err != nil {
		return nil, nil, err
	}
	since := l.commands.latest().journal
	at := -1
	var names []string
	for i := range d.Answers {
		g := &d.Answers[i]
		if !g.Die {
			continue
		}
		names = append(names, g.Address())
		if name == "" && v.Face == 0 {
			if _, of := l.checkResult(d, i, since); of {
				at = i
			}
		} else if name == "" || g.Address() == name || g.Label == name || strings.HasSuffix(g.Label, "."+name) {
			at = i
		}
	}
	switch {
	case len(names) == 0:
		return nil, nil, errors.New("the last command rolled nothing")
	case at < 0 && name == "":
		return nil, nil, errors.New("the last command made no check")
	case at < 0:
		return nil, nil, fmt.Errorf("the last command did not roll %s, but %s", name, strings.Join(slices.Compact(names), ", "))
	}
	face := v.Face
	if face == 0 {
		if face, err = l.findFace(d, at, v.Success); err != nil {
			return nil, nil, err
		}
	}
	if _, err := l.Undo(); err != nil {
		return nil, nil, err
	}
	x := &Overruled{d.Answers[at].Address(), d.Answers[at].Value, face}
	feed := slices.Clone(d.Answers[:at+1])
	feed[at].Value, feed[at].Seeded = face, false
	out := l.do(&Command{Text: d.Text}, feed, recordAll, false)
	if unkept := (*UnsavedError)(nil); l.commands.undone() > 0 && !errors.As(out.Err, &unkept) && !errors.Is(out.Err, ErrLeave) { // it has not been carried out
		if _, err := l.Redo(); err != nil {
			return nil, nil, err
		}
		if out.Err != nil {
			return nil, nil, fmt.Errorf("%s cannot show %d", x.Roll, face)
		}
	}
	return x, out, nil
}

// maxFaces is the limit on the faces of a die that are tried.
const maxFaces = 1000

// findFace tries the faces of a die of the latest command until its check has the desired result.
func (l *Live) findFace(d *Command, at int, success bool) (int64, error) {
	was := *d
	asker, shown := l.asker, l.shown
	l.asker = nil
	defer func() { l.asker, l.shown = asker, shown }()
	if err := l.rewindTo(l.commands.done - 1); err != nil {
		return 0, err
	}
	found, checked := int64(0), true
	for face := int64(1); face <= maxFaces; face++ {
		feed := slices.Clone(was.Answers[:at+1])
		feed[at].Value = face
		trial := &Command{Text: was.Text}
		out := l.execute(trial, feed, recordTrial)
		if trial.before == nil {
			if out.Err != nil && face > 1 { // no such face
				break
			}
			continue // the command does not complete with that face
		}
		verdict, of := l.checkResult(trial, at, trial.before.journal)
		l.p.restore(trial.before)
		if checked = of; !of {
			break
		}
		if verdict == success {
			if found = face; success {
				break
			}
		}
	}
	again := was
	if err := l.rerun(&again, recordAgain); err != nil {
		return 0, err
	}
	switch {
	case !checked:
		return 0, fmt.Errorf("%s is not a check: give a face", was.Answers[at].Address())
	case found == 0 && success:
		return 0, fmt.Errorf("no face makes %s succeed", was.Answers[at].Address())
	case found == 0:
		return 0, fmt.Errorf("no face makes %s fail", was.Answers[at].Address())
	}
	return found, nil
}

// checkResult returns the result of the check for which a die of the latest command was rolled, which began at since; of
// is false if it was not rolled for a check.
func (l *Live) checkResult(d *Command, at int, since journal.Mark) (success, of bool) {
	p := l.p
	nth := 0
	for _, g := range d.Answers[:at+1] {
		if g.Die && g.Address() == d.Answers[at].Address() {
			nth++
		}
	}
	for _, e := range p.m.Journal.Since(since) {
		if e.Kind != machine.CheckRolled || p.m.Program().Checks[e.Code].IsForegone(e.A) {
			continue
		}
		g := Answer{Who: p.nameOf(int64(e.Who)), Label: p.m.Program().Labels[p.m.Program().Checks[e.Code].Label].Name}
		if g.Address() != d.Answers[at].Address() {
			continue
		}
		if nth--; nth == 0 {
			return e.Text == 1, true
		}
	}
	return false, false
}
