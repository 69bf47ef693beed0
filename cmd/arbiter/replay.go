package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"arbiter/cmd/arbiter/internal/replaypage"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/replay"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/stdlib/dice"
)

// This file writes what was played as pages to watch.

// checkPagePath says what is wrong with the file name of a page, as far as that can be known before anything is played.
func checkPagePath(flag, path string) error {
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case path == "":
		return nil
	case ext != ".html" && ext != ".htm":
		return usageError("%s is %s: the file name must end in .html", flag, path)
	}
	_, err := os.Stat(filepath.Dir(path))
	return err
}

// writeReplay writes the page of a replay, unless none was asked for. What it says goes to standard error: the output
// is the transcript.
func (a *app) writeReplay(path string, d *replay.Document) error {
	if path == "" {
		return nil
	}
	text, err := replaypage.Page(d)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return err
	}
	if d.Cut != nil {
		fmt.Fprintf(a.err, "the replay ends in round %d, before the fight does: %s\n", d.Cut.Round, d.Cut.Why)
	}
	if !a.json {
		fmt.Fprintf(a.err, "wrote %s; open it in a browser\n", path)
	}
	return nil
}

// writeSamples writes sampled fights as pages into a folder, with an index that shows the numbers of all fights.
func (a *app) writeSamples(folder string, script *build.Script, w *sim.Shard, r *sim.Report, most int) error {
	x := replaypage.Index{
		Title: term.Clean(r.Title), About: fmt.Sprintf("%s, seed %d", countText(r.Fights, "fight"), r.Seed), Warnings: r.Warnings,
		Chart: replaypage.Chart{SVG: plotOfReport(r).svg(), About: "who wins, and how many rounds the fights last"},
	}
	for _, s := range r.Sides {
		text := rateText(s.Wins)
		x.Rows = append(x.Rows, replaypage.Row{Name: s.Name, Value: text[0], Interval: text[1]})
	}
	if text := rateText(r.Undecided); r.Undecided.Rate > 0 {
		x.Rows = append(x.Rows, replaypage.Row{Name: "nobody", Value: text[0], Interval: text[1]})
	}
	for _, f := range w.Tally.Samples(w.Cast, most) {
		seed := dice.FightSeed(w.Seed, f.Fight)
		played := session.Run(script, session.Options{FightSeed: &seed, Unchecked: true, Record: true})
		x.Samples = append(x.Samples, replaypage.Sample{Fight: uint64(f.Fight), Why: f.Why, Replay: played.Replay})
	}
	written, err := replaypage.WriteFolder(folder, &x)
	if err == nil && len(written) > 0 {
		fmt.Fprintf(a.err, "wrote %s and %s; open it in a browser\n", written[0], countText(uint64(len(written)-1), "replay"))
	}
	return err
}
