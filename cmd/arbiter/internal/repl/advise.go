package repl

import (
	"strconv"
	"time"

	"arbiter/interp/advise"
	"arbiter/interp/session"
)

// This file says what the one whose turn it is had best do.

// adviceDocument is advice as JSON.
type adviceDocument struct {
	Kind string `json:"kind"` // advice
	*session.Advice
}

// Limits of a search at the prompt.
const (
	usualPlayouts  = 1_000
	minPlayouts    = 20
	maxPlayouts    = 100_000
	adviceTime     = 10 * time.Second
	adviceCommands = 6 // how many are named
)

// advise says what is best now.
func (t *repl) advise(arg string) error {
	n := usualPlayouts
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < minPlayouts || n > maxPlayouts {
			t.mistakes++
			t.showLine(":advise plays on %d to %d times, such as :advise 2000.", minPlayouts, maxPlayouts)
			return nil
		}
	}
	until := time.Now().Add(adviceTime)
	stop := func() bool { return time.Now().After(until) || t.Stopped != nil && t.Stopped() }
	x, err := t.Live.Advise(session.AdviceOptions{Options: advise.Options{Playouts: n, Confirm: true, Seed: uint64(t.Live.Done() + 1), Stop: stop}, Workers: t.Workers})
	if err != nil {
		t.mistakes++
		t.showLine("There is no advice: %s.", err)
		return nil
	}
	if t.JSON != nil {
		t.encode(adviceDocument{"advice", x})
		return nil
	}
	t.page(x.Text(adviceCommands))
	return nil
}
