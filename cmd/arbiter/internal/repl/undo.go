package repl

import "strconv"

// This file undoes and redoes.

func (t *repl) undo(arg string) error {
	n := 1
	switch arg {
	case "":
	case "roll":
		at := t.Live.Done() - 1
		for ; at >= 0; at-- {
			if d, err := t.Live.Command(at); err != nil {
				return err
			} else if len(d.Answers) > 0 {
				break
			}
		}
		if at < 0 {
			t.showLine("There is no roll or answer to undo.")
			return nil
		}
		for t.Live.Done() > at+1 {
			if err := t.undoOne(); err != nil {
				return err
			}
		}
		t.showLine("Back at the last roll or answer.")
		d, err := t.Live.Undo()
		if err != nil {
			return err
		}
		t.inAutoTurn = d.Text == autoTurnCommand
		defer func() { t.inAutoTurn = false }()
		return t.do(t.Live.Retry)
	case "turn":
		now := t.Live.Moment()
		if now.Whose == "" { // outside fights, the unit to undo is a command or a choice
			break
		}
		for n = 0; ; n++ {
			done := t.Live.Done()
			if done == 0 {
				break
			}
			if d, err := t.Live.Command(done - 1); err != nil {
				return err
			} else if d.Began() != now {
				break
			}
			if err := t.undoOne(); err != nil {
				return err
			}
		}
		if n == 0 {
			t.showLine("Nothing has been done in this turn.")
		}
		t.showPlaceAgain()
		return nil
	default:
		v, err := strconv.Atoi(arg)
		if err != nil || v < 1 {
			return t.showUsage("undo")
		}
		n = v
	}
	if t.Live.Done() == 0 {
		t.showLine("There is nothing to undo.")
		return nil
	}
	for ; n > 0 && t.Live.Done() > 0; n-- {
		if err := t.undoOne(); err != nil {
			return err
		}
	}
	t.showPlaceAgain()
	return nil
}

// showPlaceAgain shows the place that a story has returned to.
func (t *repl) showPlaceAgain() {
	if t.Live.Story() && t.Live.Turn() == "" {
		t.show(t.Live.StoryText())
	}
}

// showPlace shows where a story is.
func (t *repl) showPlace(string) error {
	switch {
	case !t.Live.Story():
		t.showLine("This is no story; `:status` shows everybody.")
	case t.JSON != nil:
		t.encode(t.Live.View())
	default:
		t.show(t.Live.StoryText())
		if t.Live.Turn() != "" {
			return t.showMap("")
		}
	}
	return nil
}

// undoOne undoes one command, together with what tactics did after it, or they would do it again immediately.
func (t *repl) undoOne() error {
	for {
		d, err := t.Live.Undo()
		if err != nil || d == nil {
			return err
		}
		t.saveError = nil
		t.showLine("Undone: %s", oneLine(d.Text))
		if t.JSON != nil {
			t.showEvents(noReply)
		}
		if !t.anyAutoPlayed() && !t.playsMetSides() || d.Text != autoTurnCommand || t.Live.Done() == 0 {
			return nil
		}
	}
}

// playsMetSides reports whether tactics play those whom the party of a story meets.
func (t *repl) playsMetSides() bool { return t.Live.Story() && !t.playsFoes }

// redoOne redoes one command, and what tactics did after it.
func (t *repl) redoOne() error {
	for {
		out, err := t.Live.Redo()
		if err != nil {
			return err
		}
		if err := t.showReply(out); err != nil {
			return err
		}
		if !t.anyAutoPlayed() && !t.playsMetSides() || t.Live.Undone() == 0 {
			return nil
		}
		if d, err := t.Live.Command(t.Live.Done()); err != nil || d.Text != autoTurnCommand {
			return err
		}
	}
}

func (t *repl) redo(arg string) error {
	n := 1
	if arg != "" {
		v, err := strconv.Atoi(arg)
		if err != nil || v < 1 {
			return t.showUsage("redo")
		}
		n = v
	}
	if t.Live.Undone() == 0 {
		t.showLine("There is nothing to redo.")
	}
	for ; n > 0 && t.Live.Undone() > 0; n-- {
		if err := t.redoOne(); err != nil {
			return err
		}
	}
	return nil
}
