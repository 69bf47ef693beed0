package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/interp/split"
	"arbiter/lang/words"
)

// This file is `sim --rare`: how likely something is that hardly ever happens.

// rareAttempts is how many attempts there are if nothing else is asked for: enough for most.
const rareAttempts = 100_000

// rareDocument is what sim --rare --json prints.
type rareDocument struct {
	Title       string    `json:"title"`
	Seed        uint64    `json:"seed"`
	Event       string    `json:"event"`
	Probability sim.Rate  `json:"probability"`
	OneIn       float64   `json:"oneIn"` // 0: it has not happened
	Repetitions int       `json:"repetitions"`
	Hits        int       `json:"hits"` // repetitions in which it happened
	Attempts    uint64    `json:"attempts"`
	Plain       float64   `json:"plain"`   // fights that are as exact without splitting; 0: not known
	Chances     []float64 `json:"chances"` // of reaching each level from the one before, and of the event from the last
	Warnings    []string  `json:"warnings"`
}

// maxRareRounds bounds the rounds that a fight may be asked to take.
const maxRareRounds = 1_000_000

// parseRare reads what may happen: `west wins`, `Alia falls`, `fight rounds at least 30`.
func parseRare(text string, c *session.Cast) (e session.RareEvent, name string, err error) {
	name = strings.Join(strings.Fields(text), " ")
	if at := strings.LastIndex(name, " at least "); at >= 0 {
		if f := name[:at]; f == "fight rounds" || f == "rounds" {
			n, err := strconv.Atoi(name[at+len(" at least "):])
			if err != nil || n < 1 || n > maxRareRounds {
				return e, name, fmt.Errorf("%s is not a number of rounds, from 1 to %d", name[at+len(" at least "):], maxRareRounds)
			}
			return session.RareEvent{Kind: session.LongFight, Most: n}, name, nil
		}
	}
	var names []string
	for _, f := range sim.FiguresOf(c) {
		var kind session.RareKind
		switch {
		case f.Kind == sim.Wins && f.Who < len(c.Sides):
			kind = session.SideWins
		case f.Kind == sim.Falls:
			kind = session.Falls
		default:
			continue
		}
		if names = append(names, f.Name); f.Name == name {
			return session.RareEvent{Kind: kind, Who: f.Who}, name, nil
		}
	}
	names = append(names, "rounds at least 30")
	hint := "use one of: " + strings.Join(names, ", ")
	if near := words.Nearest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return e, name, fmt.Errorf("there is nothing called %s that could be rare; %s", name, hint)
}

// checkRare rejects flags that say nothing about it.
func (s *simFlags) checkRare() error {
	switch {
	case s.rare == "":
		return nil
	case s.adjust || s.shard != "" || s.sample > 0 || s.nats.URL != "" || s.plot != "":
		return usageError("--rare estimates one probability by fights that are copied midway: it cannot be combined with --adjust, --nats, --plot, --sample or --shard")
	}
	return nil
}

// simulateRare estimates the probability of something rare.
func (a *app) simulateRare(t *session.Trials, s *simFlags, o sim.Options) error {
	cast := t.Cast()
	event, name, err := parseRare(s.rare, cast)
	if err != nil {
		return usageError("--rare: %w", err)
	}
	first, err := t.Rare(event)
	if err != nil {
		return usageError("--rare: %w", err)
	}
	processes := []split.Process{first}
	for range o.Workers - 1 {
		p, err := first.Clone()
		if err != nil {
			return err
		}
		processes = append(processes, p)
	}
	stopped, end := stopWorkOnInterrupt()
	defer end()
	progress := &term.Progress{Out: a.err, Screen: a.screen.err, Noun: "attempts", AtMost: o.Until > 0}
	e, err := split.Run(processes, split.Options{
		Seed: o.Seed, Most: o.Fights, Until: o.Until, Stop: stopped,
		OnProgress: func(done, all uint64) { progress.Set(int(done), int(all)) },
	})
	progress.Clear()
	switch {
	case errors.Is(err, split.ErrStopped):
		return errPartial
	case err != nil:
		return a.reportFightError(&sim.FightError{Err: err})
	}
	d := &rareDocument{Title: cast.Title, Seed: o.Seed, Event: name, Probability: sim.Rate{Rate: e.Value, Low: e.Low, High: e.High}, Repetitions: e.Repetitions, Hits: e.Hits, Attempts: e.Attempts, Plain: e.Plain(), Chances: e.Chances, Warnings: rareWarnings(e, s, o)}
	if e.Value > 0 {
		d.OneIn = 1 / e.Value
	}
	if err := a.outputResult(&s.outputFormat, d, nil, func() [][]string {
		return [][]string{{"of", "what", "value", "low", "high"}, {name, "probability", exactly(e.Value), exactly(e.Low), exactly(e.High)}}
	}, func() { a.printRare(d) }); err != nil {
		return err
	}
	if stopped() {
		return errPartial
	}
	return nil
}

// rareWarnings says why the number may mislead.
func rareWarnings(e *split.Estimate, s *simFlags, o sim.Options) (list []string) {
	list = []string{}
	switch {
	case e.Hits == 0:
		list = append(list, "it has not happened once: it is rarer than can be told, or nothing that is looked at leads to it; a larger -n tries more often")
	case 2*e.Hits < e.Repetitions:
		list = append(list, fmt.Sprintf("it happened in %d of %d repetitions only, so the interval is wide: a larger -n narrows it", e.Hits, e.Repetitions))
	}
	if o.Until > 0 && !e.Reached {
		list = append(list, fmt.Sprintf("%s (-n) are not enough for --until %s", countText(e.Attempts, "attempt"), s.until))
	}
	return list
}

// printRare prints the estimate for a person.
func (a *app) printRare(d *rareDocument) {
	fmt.Fprintf(a.out, "%s: %s, seed %d\n", a.screen.out.Paint(term.Bold, term.Clean(d.Title)), d.Event, d.Seed)
	for _, w := range d.Warnings {
		a.printWarning(w)
	}
	fmt.Fprintln(a.out)
	if d.Hits == 0 {
		a.printParagraph(fmt.Sprintf("Not once in %s.", countText(d.Attempts, "attempt")))
		return
	}
	a.printParagraph(fmt.Sprintf("%s: about one in %s fights; 95 %% interval %s to %s.", smallShare(d.Probability.Rate), roundNumber(d.OneIn), smallShare(d.Probability.Low), smallShare(d.Probability.High)))
	text := fmt.Sprintf("%s in %s", countText(d.Attempts, "attempt"), countText(d.Repetitions, "repetition"))
	if d.Plain > 0 {
		text += fmt.Sprintf("; without splitting it takes about %s fights to know it as well", roundNumber(d.Plain))
	}
	a.printParagraph(text + ".")
	if len(d.Chances) > 1 {
		rows := [][]string{{"level", "reached"}}
		for i, c := range d.Chances {
			name := fmt.Sprint(i + 1)
			if i == len(d.Chances)-1 {
				name = d.Event
			}
			rows = append(rows, []string{a.screen.out.Cut(name, maxNameWidth), sim.Percent(c)})
		}
		a.printNumberTable(rows, 1)
	}
}

// smallShare formats a share that may be far below one percent.
func smallShare(v float64) string {
	if v >= 0.001 || v == 0 {
		return strconv.FormatFloat(100*v, 'g', 3, 64) + " %"
	}
	return strconv.FormatFloat(v, 'e', 1, 64)
}

// roundNumber formats a large number by its first two digits.
func roundNumber(v float64) string {
	if v >= 1e15 {
		return strconv.FormatFloat(v, 'e', 1, 64)
	}
	text := strconv.FormatFloat(v, 'f', 0, 64)
	if len(text) <= 2 {
		return text
	}
	n, _ := strconv.ParseFloat(text[:3], 64)
	digits := []byte(strconv.Itoa(int(n+5) / 10))
	digits = append(digits, strings.Repeat("0", len(text)-2)...)
	var b strings.Builder
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(c)
	}
	return b.String()
}
