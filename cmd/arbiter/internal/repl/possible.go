package repl

import (
	"cmp"
	"strings"

	"arbiter/interp/session"
)

// This file lists what a creature can do.

// possibleDocument is what a creature can do, as JSON.
type possibleDocument struct {
	Kind    string             `json:"kind"` // can
	Who     string             `json:"who"`
	Actions []session.Possible `json:"actions"`
}

// showPossible lists what a creature can do now, that whose turn it is if none is named.
func (t *repl) showPossible(arg string) error {
	who := cmp.Or(t.creatureNamed(arg), arg, t.Live.Turn())
	switch {
	case who == "":
		t.mistakes++
		t.showLine("Who? It is nobody's turn.")
		return nil
	case t.creatureNamed(who) == "":
		t.mistakes++
		t.showLine("There is no creature %s; %s", who, t.nameHint(who))
		return nil
	}
	list := t.Live.Possible(who)
	if t.JSON != nil {
		t.encode(possibleDocument{"can", who, list})
		return nil
	}
	var b strings.Builder
	for i := range list {
		b.WriteString(possibleLine(&list[i]))
	}
	if len(list) == 0 {
		b.WriteString(who + " can do nothing now.\n")
	}
	t.page(b.String())
	return nil
}

// mostTargets is how many targets of an action a line names.
const mostTargets = 12

// possibleLine is a line about an action: its name, to whom, and what it costs.
func possibleLine(x *session.Possible) string {
	line := x.Action
	named := append(append([]string{}, x.Targets...), x.Values...)
	if len(named) > mostTargets {
		named = append(named[:mostTargets], "...")
	}
	if len(named) > 0 {
		line += " " + strings.Join(named, " | ")
	}
	if len(x.Squares) > 0 {
		line += " (x, y)"
	}
	if x.More {
		line += " ..."
	}
	if len(x.Costs) > 0 {
		line += "  (" + strings.Join(x.Costs, " or ") + ")"
	}
	return line + "\n"
}
