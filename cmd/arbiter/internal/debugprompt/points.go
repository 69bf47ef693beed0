package debugprompt

import (
	"fmt"
	"strconv"
	"strings"

	"arbiter/interp/debug"
	"arbiter/stdlib/pattern"
)

// This file keeps breakpoints as they were typed, so that each debugger of a game is given them.

// Points are breakpoints. The zero value has none.
type Points struct {
	list []point
	last int // number
}

// point is one of them.
type point struct {
	number int
	text   string // as typed
	path   string // of a line; "": it has a name
	debug.Breakpoint
}

// maxPoints is how many breakpoints there may be.
const maxPoints = 1000

// linePattern is FILE:LINE.
var linePattern = pattern.New(`^(.+):([0-9]{1,9})$`)

// Set does what was typed: adds a breakpoint (PLACE [when CONDITION] [count N]), removes one or all (off [N]), or, if
// nothing was typed, neither.
func (p *Points) Set(text string) error {
	if off, removes := strings.CutPrefix(text+" ", "off "); removes {
		return p.remove(strings.TrimSpace(off))
	}
	if text == "" {
		return nil
	}
	return p.add(text)
}

func (p *Points) add(text string) error {
	x := point{text: text}
	place, condition, guarded := strings.Cut(" "+text, " when ")
	rest := &place
	if guarded {
		rest = &condition
	}
	if i := strings.LastIndex(*rest, " count "); i >= 0 {
		x.Hits, *rest = strings.TrimSpace((*rest)[i+len(" count "):]), (*rest)[:i]
	}
	x.Condition = strings.TrimSpace(condition)
	place = strings.TrimSpace(place)
	if m := linePattern.FindStringSubmatch(place); m != nil {
		x.path = m[1]
		x.Line, _ = strconv.Atoi(m[2])
	} else {
		x.Name = place
	}
	if place == "" || guarded && x.Condition == "" {
		return fmt.Errorf("name a place, such as `strike.confirm`, `house.rules:12`, `stat NAME`, `gain NAME` or `roll LABEL`")
	}
	if len(p.list) == maxPoints {
		return fmt.Errorf("there are %d breakpoints; `:break off` removes them", maxPoints)
	}
	p.last++
	x.number = p.last
	p.list = append(p.list, x)
	return nil
}

// remove removes a breakpoint by its number, or all.
func (p *Points) remove(which string) error {
	if which == "" {
		p.list = nil
		return nil
	}
	n, err := strconv.Atoi(which)
	for i, x := range p.list {
		if err == nil && x.number == n {
			p.list = append(p.list[:i:i], p.list[i+1:]...)
			return nil
		}
	}
	return fmt.Errorf("there is no breakpoint %s", which)
}

// None reports whether there are none.
func (p *Points) None() bool { return len(p.list) == 0 }

// Text lists the breakpoints, a line for each.
func (p *Points) Text() string {
	if p.None() {
		return "There are no breakpoints.\n"
	}
	var b strings.Builder
	for _, x := range p.list {
		fmt.Fprintf(&b, "%3d  %s\n", x.number, x.text)
		if x.Problem != "" {
			fmt.Fprintf(&b, "     %s\n", x.Problem)
		}
	}
	return b.String()
}

// give gives a debugger the breakpoints, and notes what is wrong with them.
func (p *Points) give(d *debug.Debugger) {
	note := func(of []*point, out []*debug.Breakpoint) {
		for i, b := range out {
			of[i].Problem = b.Problem
		}
	}
	var names []*point
	files := map[string][]*point{}
	var order []string
	for i := range p.list {
		switch x := &p.list[i]; {
		case x.path == "":
			names = append(names, x)
		default:
			if files[x.path] == nil {
				order = append(order, x.path)
			}
			files[x.path] = append(files[x.path], x)
		}
	}
	note(names, d.SetNames(breakpoints(names)))
	for _, path := range order {
		note(files[path], d.SetLines(path, breakpoints(files[path])))
	}
}

func breakpoints(list []*point) (out []debug.Breakpoint) {
	for _, x := range list {
		out = append(out, x.Breakpoint)
	}
	return out
}
