package debugprompt

import (
	"fmt"
	"strconv"
	"strings"

	"arbiter/interp/debug"
	"arbiter/interp/session"
)

// This file is what can be typed where a script has stopped. What does not begin with a colon is an expression.

// command is one that begins with a colon.
type command struct {
	name, usage, about string
	run                func(p *prompt, arg string) error
	resume             func(p *prompt, arg string) func() error // how the script goes on; nil: it stays where it is
}

var commands []command

func init() {
	commands = []command{
		{name: "step", usage: ":step [over | out]", about: "go on to the next line: into what is called, over it, or out to what called", resume: stepping},
		{name: "continue", usage: ":continue", about: "go on to the next breakpoint", resume: func(p *prompt, _ string) func() error { return p.d.Continue }},
		{name: "rewind", usage: ":rewind [break]", about: "back to the line before, or to the breakpoint before", resume: rewinding},
		{name: "break", usage: ":break [PLACE [when C] [count N] | off [N]]", about: "stop there, or no longer; or list where", run: func(p *prompt, arg string) error { return p.setPoint(arg) }},
		{name: "stack", usage: ":stack", about: "what runs, the innermost first", run: func(p *prompt, _ string) error { p.showStack(); return nil }},
		{name: "frame", usage: ":frame N", about: "look at another line of the stack", run: (*prompt).selectFrame},
		{name: "names", usage: ":names", about: "the names of the code with their values", run: func(p *prompt, _ string) error { p.showNames(); return nil }},
		{name: "who", usage: ":who [NAME]", about: "the combatants, or what one has and is", run: (*prompt).showWho},
		{name: "die", usage: ":die N", about: "the next die shows N", run: (*prompt).setDie},
		{name: "transcript", usage: ":transcript", about: "what has happened so far", run: func(p *prompt, _ string) error { p.c.Show(p.d.Transcript()); return nil }},
		{name: "help", usage: ":help", about: "this list", run: func(p *prompt, _ string) error { p.showHelp(); return nil }},
		{name: "leave", usage: ":leave", about: "leave the debugger; so does Ctrl-D", run: func(p *prompt, _ string) error { p.quit = true; return nil }},
	}
}

// carryOut does what a line says. It returns how the script goes on, nil if it stays where it is.
func (p *prompt) carryOut(line string) func() error {
	if line == "" {
		return nil
	}
	rest, isCommand := strings.CutPrefix(line, ":")
	if !isCommand {
		p.evaluate(strings.TrimPrefix(line, "?"))
		return nil
	}
	name, arg, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if name == "quit" { // as of a game
		name = "leave"
	}
	for i := range commands {
		c := &commands[i]
		if name == "" || !strings.HasPrefix(c.name, name) {
			continue
		}
		if arg = strings.TrimSpace(arg); c.resume != nil {
			if how := c.resume(p, arg); how != nil {
				return how
			}
			p.say("Usage: %s: %s.", c.usage, c.about)
		} else if err := c.run(p, arg); err != nil {
			p.say("%s", err)
		}
		return nil
	}
	p.say("There is no :%s here; `:help` lists the commands.", name)
	return nil
}

func stepping(p *prompt, arg string) func() error {
	return map[string]func() error{"": p.d.StepIn, "in": p.d.StepIn, "over": p.d.StepOver, "out": p.d.StepOut}[arg]
}

func rewinding(p *prompt, arg string) func() error {
	return map[string]func() error{"": p.d.StepBack, "break": p.d.ContinueBack}[arg]
}

func (p *prompt) setPoint(arg string) error {
	before := *p.points
	if err := p.points.Set(arg); err != nil {
		return err
	}
	for _, x := range before.list { // files that have none left
		if x.path != "" {
			p.d.SetLines(x.path, nil)
		}
	}
	p.points.give(p.d)
	p.c.Show(p.points.Text())
	return nil
}

func (p *prompt) showStack() {
	p.look(func(v *debug.View) error {
		for i, f := range v.Stack() {
			mark := " "
			if i == p.frame {
				mark = ">"
			}
			p.say("%s%2d  %s", mark, i, describeFrame(&f))
		}
		return nil
	})
}

func (p *prompt) selectFrame(arg string) error {
	n, err := strconv.Atoi(arg)
	size := 0
	p.look(func(v *debug.View) error { size = len(v.Stack()); return nil })
	if err != nil || n < 0 || n >= size {
		return fmt.Errorf("the stack has the lines 0 to %d", max(0, size-1))
	}
	p.frame = n
	p.where()
	return nil
}

func (p *prompt) showNames() {
	p.look(func(v *debug.View) error {
		list := v.Locals(p.frame)
		if len(list) == 0 {
			p.say("No names are bound here.")
		}
		for _, x := range list {
			p.say("  %s = %s", x.Name, x.Value)
		}
		return nil
	})
}

func (p *prompt) showWho(name string) error {
	p.look(func(v *debug.View) error {
		if name == "" {
			p.say("%s", strings.Join(v.Creatures(), ", "))
			return nil
		}
		sheet := v.Sheet(name)
		if sheet == nil {
			return fmt.Errorf("there is no %s; there are %s", name, strings.Join(v.Creatures(), ", "))
		}
		p.c.Show((&session.Explanation{Title: name, Sheet: sheet}).Text())
		return nil
	})
	return nil
}

func (p *prompt) setDie(arg string) error {
	face, err := strconv.ParseInt(arg, 10, 64)
	if err != nil {
		return fmt.Errorf("`%s` is no face of a die", arg)
	}
	if err := p.d.SetDie(face); err != nil {
		return err
	}
	p.changed = true
	p.say("The next die shows %d.", face)
	return nil
}

// evaluate shows the value of an expression, and of a stat its terms.
func (p *prompt) evaluate(text string) {
	p.look(func(v *debug.View) error {
		x, err := v.Evaluate(text, p.frame)
		switch {
		case err != nil:
			return err
		case x.Stat != nil:
			p.c.Show(x.Stat.Text())
		default:
			p.say("%s", x.Text)
		}
		return nil
	})
}

func (p *prompt) showHelp() {
	for _, c := range commands {
		p.say("  %s\n      %s", c.usage, c.about)
	}
	p.say("Anything else is an expression: it is computed here.")
}
