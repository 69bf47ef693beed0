package sim

import (
	"fmt"
	"math"
	"strings"

	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/lang/words"
)

// This file is about rules that differ in one value or in two.

// Sweep is what was varied, and its values.
type Sweep struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// NamedFigure is a figure that can be asked for by name.
type NamedFigure struct {
	Name string
	Figure
}

// FiguresOf lists the figures that are known before a fight.
func FiguresOf(c *session.Cast) (list []NamedFigure) {
	for i, s := range c.Sides {
		list = append(list, NamedFigure{s + " wins", Figure{Kind: Wins, Who: i}})
	}
	list = append(list, NamedFigure{"nobody wins", Figure{Kind: Wins, Who: len(c.Sides)}}, NamedFigure{"fight rounds", Figure{Kind: Rounds}})
	for i, m := range c.Members {
		list = append(list, NamedFigure{m.Name + " falls", Figure{Kind: Falls, Who: i}}, NamedFigure{m.Name + " took", Figure{Kind: Took, Who: i}},
			NamedFigure{m.Name + " dealt", Figure{Kind: Dealt, Who: i}})
		for r, w := range c.Watched {
			if w != machine.Unwatched {
				list = append(list, NamedFigure{m.Name + " left " + c.Resources[r], Figure{Kind: Left, Who: i, Cause: Cause{Resource: int32(r)}}})
			}
		}
	}
	return list
}

// FigureNamed finds one of these figures by its name. The word `fight` before its rounds can be left out. The error says
// which there are, or which was meant.
func FigureNamed(name string, figures []NamedFigure) (NamedFigure, error) {
	name = strings.Join(strings.Fields(name), " ")
	var names []string
	for _, f := range figures {
		if names = append(names, f.Name); f.Name == name || f.Kind == Rounds && strings.HasSuffix(f.Name, " "+name) {
			return f, nil
		}
	}
	if near := words.Nearest(name, names); near != "" {
		return NamedFigure{}, fmt.Errorf("there is no figure called %s; did you mean %s?", name, near)
	}
	return NamedFigure{}, fmt.Errorf("there is no figure called %s; use one of: %s", name, strings.Join(names, ", "))
}

// SignificantGap returns how far apart two independent estimates must be to differ at the 5 % level. Estimates from the same
// fights are not independent and need less.
func SignificantGap(a, b Estimate) float64 {
	return math.Hypot((a.High-a.Low)/2, (b.High-b.Low)/2)
}
