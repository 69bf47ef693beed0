// Package debugprompt leads the debugger from a prompt: it tells where a script has stopped, and reads what is to be
// done or looked at there.
//
// It must never know a terminal (that is the console's business), a rule, or how the script came about: from a file, or
// from a game that is being played.
package debugprompt

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"arbiter/interp/build"
	"arbiter/interp/debug"
	"arbiter/interp/session"
)

// Console is where the user types.
type Console interface {
	// Read returns the next line. An error ends the prompt.
	Read(prompt string) (string, error)
	// Show prints text, which ends with a line feed.
	Show(text string)
}

// Start says where the user is first asked.
type Start struct {
	Line    int  // of the script: nothing stops before it; 0: its first statement
	Stop    bool // at that line, if no breakpoint stops before; else the next breakpoint
	Back    bool // at the latest breakpoint of the whole script, or at its beginning
	Session session.Options
	Stopped func() bool // whether the user has asked to stop since the last call; nil: never
}

// prompt is a running debugger.
type prompt struct {
	d       *debug.Debugger
	c       Console
	points  *Points
	stopped func() bool
	shown   bool // the user has been asked
	frame   int  // that is looked at
	changed bool // dice were set
	quit    bool
}

// Run debugs a script until the user leaves, or until it ends without having stopped. changed reports whether dice were
// set. The error is that of the console, or of the debugger.
func Run(script *build.Script, points *Points, c Console, at Start) (changed bool, err error) {
	p := &prompt{c: c, points: points, stopped: at.Stopped}
	d, err := debug.New(script, debug.Options{Session: at.Session, StopAtEnd: true, StopAtEntry: at.Line == 0 && at.Stop, Out: p})
	if err != nil {
		return false, err
	}
	defer d.Close()
	p.d = d
	switch {
	case at.Line > 0:
		d.SetLines(script.Path, []debug.Breakpoint{{Line: at.Line}})
	case !at.Back:
		points.give(d)
	}
	d.Start()
	stop := p.wait()
	if at.Line > 0 && stop.Reason == debug.AtBreakpoint {
		d.SetLines(script.Path, nil)
		points.give(d)
		if !at.Stop {
			stop, err = p.resume(d.Continue)
		}
	}
	if at.Back && err == nil { // it is at the end
		points.give(d)
		stop, err = p.resume(d.ContinueBack)
	}
	if err != nil || !at.Stop && !at.Back && stop.Reason != debug.AtBreakpoint {
		return false, err
	}
	for p.tell(stop); !p.quit; {
		line, err := p.c.Read("debug> ")
		if err != nil {
			return p.changed, err
		}
		if next := p.carryOut(strings.TrimSpace(line)); next != nil {
			if stop, err = p.resume(next); err != nil {
				p.say("%s", err)
				continue
			}
			p.tell(stop)
		}
	}
	return p.changed, nil
}

// Write takes the transcript, which is shown once the user has been asked.
func (p *prompt) Write(text []byte) (int, error) {
	if p.shown {
		p.c.Show(string(text))
	}
	return len(text), nil
}

func (p *prompt) say(format string, args ...any) { p.c.Show(fmt.Sprintf(format, args...) + "\n") }

// wait waits until the script stops.
func (p *prompt) wait() debug.Stop {
	for {
		select {
		case s := <-p.d.Stops():
			return s
		case <-time.After(pollEvery):
			if p.stopped != nil && p.stopped() {
				p.d.Pause()
			}
		}
	}
}

// pollEvery is how often it is looked whether the user wants the script to stop.
const pollEvery = 50 * time.Millisecond

// resume lets the script go on, or back, and waits until it stops.
func (p *prompt) resume(how func() error) (debug.Stop, error) {
	if err := how(); err != nil {
		return debug.Stop{}, err
	}
	p.frame = 0
	return p.wait(), nil
}

// tell says where and why the script has stopped.
func (p *prompt) tell(s debug.Stop) {
	p.shown = true
	if s.Err != nil {
		p.say("%s", s.Text)
	}
	if s.Reason == debug.Ended {
		p.say("The script is over. :rewind goes back, :leave leaves.")
		return
	}
	why := map[debug.Reason]string{debug.AtEntry: "at the beginning", debug.AtEnd: "at the end", debug.Paused: "paused"}[s.Reason]
	if s.Text != "" {
		why = s.Text
	}
	if why != "" {
		p.say("Stopped: %s.", why)
	}
	p.where()
}

// where shows the line of the frame that is looked at.
func (p *prompt) where() {
	p.look(func(v *debug.View) error {
		stack := v.Stack()
		if p.frame >= len(stack) {
			return nil
		}
		f := &stack[p.frame]
		p.say("%s", describeFrame(f))
		if text := lineOf(p.d.Text(f.File), f.Line); text != "" {
			p.say("%6d  %s", f.Line, text)
		}
		return nil
	})
}

// look reads the script where it has stopped.
func (p *prompt) look(f func(v *debug.View) error) {
	var wrong error
	if err := errors.Join(p.d.While(func(v *debug.View) { wrong = f(v) }), wrong); err != nil {
		p.say("%s", err)
	}
}

// describeFrame is what runs, whose it is, and where.
func describeFrame(f *debug.Frame) string {
	text := f.Name
	if f.Kind != "procedure" && f.Kind != "script" {
		text = f.Kind + " " + f.Name
	}
	if f.Who != "" {
		text += " (" + f.Who + ")"
	}
	if f.Interrupted {
		text += ", interrupted"
	}
	if f.Line > 0 {
		text += fmt.Sprintf(", %s:%d", f.File, f.Line)
	}
	return text
}

// lineOf is a line of a text, counted from 1.
func lineOf(text []byte, n int) string {
	lines := strings.Split(string(text), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}
