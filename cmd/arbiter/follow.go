package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"arbiter/cmd/arbiter/internal/repl"
	"arbiter/cmd/arbiter/internal/table"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/replay"
	"arbiter/interp/session"
	"arbiter/stdlib/logbook"
)

// This file watches a session that is led elsewhere, on a page or at another terminal.

// followEvery is how often the file of a session is looked at.
const followEvery = 200 * time.Millisecond

// follow prints what happens in a session until the user ends it.
func (a *app) follow(file string) error {
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt)
	defer end()
	signal.Stop(interrupts)
	return a.followUntil(ctx, file)
}

// followUntil is follow until the context ends.
func (a *app) followUntil(ctx context.Context, file string) error {
	var shown []replay.Event
	var before os.FileInfo
	for first := true; ; first = false {
		if now, err := os.Stat(file); err == nil && (before == nil || now.Size() != before.Size() || !now.ModTime().Equal(before.ModTime()) || !os.SameFile(now, before)) {
			before = now
			d, waits, err := a.watched(file)
			switch {
			case errors.Is(err, table.ErrNoSession) && !first: // its first entry is being written
			case errors.Is(err, table.ErrNoSession):
				return usageError("%s: %w", file, err)
			case err != nil:
				return a.tableError(err)
			default:
				a.printFollowed(shown, d, waits)
				shown = d.Events
			}
		} else if err != nil && first {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followEvery):
		}
	}
}

// watched plays what a session has so far. waits is the command that waits for a die or a choice, if there is one.
func (a *app) watched(file string) (d *replay.Document, waits string, err error) {
	t := &table.Table{Options: table.Options{
		Build: (&houseRules{}).buildOptions(), Session: session.Options{Record: true}, Disk: logbook.Disk, Language: languageVersion, Version: version, FileError: explainFileError,
	}}
	x, err := t.Watch(file, &repl.Answerer{})
	if err != nil {
		return nil, "", err
	}
	defer t.Close()
	if x.Pending != nil {
		waits = x.Pending.Text
	}
	return t.Live.Recorded(), waits, nil
}

// printFollowed prints the events that were not shown before. What was undone is said to be.
func (a *app) printFollowed(shown []replay.Event, d *replay.Document, waits string) {
	same := 0
	for same < len(shown) && same < len(d.Events) && shown[same].Text == d.Events[same].Text && shown[same].Kind == d.Events[same].Kind {
		same++
	}
	if a.json {
		a.printJSON(followedDocument{Undone: len(shown) - same, Events: d.Events[same:], Waits: waits})
		return
	}
	if shown == nil {
		fmt.Fprintln(a.out, a.screen.out.Paint(term.Bold, d.Title))
	}
	if same < len(shown) {
		fmt.Fprintf(a.out, "%s\n", a.screen.out.Paint(term.Dim, "undone, back to:"))
		same = max(0, lastOf(d.Events[:same], 3))
	}
	for _, e := range d.Events[same:] {
		if e.Text != "" {
			fmt.Fprintf(a.out, "%s%s\n", strings.Repeat("  ", e.Depth), e.Text)
		}
	}
	if waits != "" {
		fmt.Fprintf(a.out, "%s\n", a.screen.out.Paint(term.Dim, waits+" ..."))
	}
}

// lastOf is where the last lines of events begin.
func lastOf(events []replay.Event, lines int) int {
	i := len(events)
	for i > 0 && lines > 0 {
		if i--; events[i].Text != "" {
			lines--
		}
	}
	return i
}

// followedDocument is what has happened since the last one.
type followedDocument struct {
	Undone int            `json:"undone"` // events that were shown and have not happened
	Events []replay.Event `json:"events"`
	Waits  string         `json:"waits"` // the command that waits for a die or a choice; empty for none
}
