package main

import (
	"fmt"

	"arbiter/cmd/arbiter/internal/board"
	"arbiter/cmd/arbiter/internal/repl"
	"arbiter/interp/view"
)

// board shows the current fight, as wide as the screen is at that moment.
func (t *promptSession) board() repl.Board {
	screenBoard := func() board.Board { return board.New(t.resizedApp().screen.out) }
	return repl.Board{
		Log:       func(lines []view.Line) string { return screenBoard().Log(lines) },
		Turn:      func() string { return screenBoard().Turn(t.Live.View()) },
		Status:    func() string { return screenBoard().Status(t.Live.View()) },
		Left:      func() string { return screenBoard().Left(t.Live.View()) },
		Inventory: func(name string) string { return screenBoard().Inventory(t.Live.View(), name) },
		Kept:      func() string { return screenBoard().Kept(t.Live.View()) },
		Order:     func() string { return screenBoard().Order(t.Live.View()) },
		Who: func(name string) (string, bool) {
			x := t.Live.Who(name)
			if x == nil {
				return "", false
			}
			return screenBoard().Who(x), true
		},
		Map: func(mode, name string) (string, error) {
			show, err := t.squares(mode, name)
			if err != nil {
				return "", err
			}
			return screenBoard().Map(t.Live.View(), show...), nil
		},
	}
}

// squares returns the squares that the named creature, or the one whose turn it is, can move to or threatens.
func (t *promptSession) squares(mode, name string) ([]board.Squares, error) {
	if mode == "" {
		return nil, nil
	}
	if name == "" {
		if name = t.Live.Turn(); name == "" {
			return nil, fmt.Errorf("whose? It is nobody's turn")
		}
	}
	if mode == "reach" {
		at, err := t.Live.Reach(name)
		return []board.Squares{{Label: name + " can move there", At: at}}, err
	}
	at, err := t.Live.Threatened(name)
	return []board.Squares{{}, {Label: name + " threatens", At: at}}, err
}
