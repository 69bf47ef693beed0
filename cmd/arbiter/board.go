package main

import (
	"fmt"

	"arbiter/cmd/arbiter/internal/board"
	"arbiter/cmd/arbiter/internal/repl"
)

// board shows the current fight, as wide as the screen is at that moment.
func (t *sitting) board() repl.Board {
	on := func() board.Board { return board.On(t.measured().screen.out) }
	return repl.Board{
		Log:    func(n int) string { return on().Log(t.live.Log(n)) },
		Turn:   func() string { return on().Turn(t.live.View()) },
		Status: func() string { return on().Status(t.live.View()) },
		Order:  func() string { return on().Order(t.live.View()) },
		Who: func(name string) (string, bool) {
			x := t.live.Who(name)
			if x == nil {
				return "", false
			}
			return on().Who(x), true
		},
		Map: func(mode, name string) (string, error) {
			show, err := t.squares(mode, name)
			if err != nil {
				return "", err
			}
			return on().Map(t.live.View(), show...), nil
		},
	}
}

// squares returns the squares that the named creature, or the one whose turn it is, can move to or threatens.
func (t *sitting) squares(mode, name string) ([]board.Squares, error) {
	if mode == "" {
		return nil, nil
	}
	if name == "" {
		if name = t.live.Turn(); name == "" {
			return nil, fmt.Errorf("whose? It is nobody's turn")
		}
	}
	if mode == "reach" {
		at, err := t.live.Reach(name)
		return []board.Squares{{Label: name + " can move there", At: at}}, err
	}
	at, err := t.live.Threatened(name)
	return []board.Squares{{}, {Label: name + " threatens", At: at}}, err
}
