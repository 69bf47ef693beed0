package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
	"arbiter/interp/tournament"
)

// This file is `compare --matrix`: candidates against a set of foes, ranked.

// Limits of a matrix: files or values of foes, and fights that are held in memory, one for each candidate and each foe.
const (
	maxFoes  = 50
	maxCells = 400
)

// matrixFlags say who is ranked, and against whom.
type matrixFlags struct {
	matrix  []string // what the candidates differ in
	against []string // what the foes differ in
	top     int      // how many of the first places matter
	least   bool     // the lowest figure is the best
}

func (m *matrixFlags) addMatrix(a *app, c *cobra.Command) {
	c.Flags().StringArrayVar(&m.matrix, "matrix", nil, "rank the values of `'NAME = VALUES'`, over all FILEs and --against; repeated: all combinations")
	c.Flags().StringArrayVar(&m.against, "against", nil, "with --matrix: fight each of `'NAME = VALUES'`; repeated: all combinations")
	c.Flags().IntVar(&m.top, "top", 1, "with --matrix: find the first `N` places, not only the best")
	c.Flags().BoolVar(&m.least, "least", false, "with --matrix: the lowest figure is the best")
	mustComplete(c, "matrix", a.completeSweep)
	mustComplete(c, "against", a.completeSweep)
}

// checkWithoutMatrix reports what only a matrix has.
func (s *compareFlags) checkWithoutMatrix(args []string) error {
	switch {
	case len(args) > 1 && filepath.Ext(args[1]) == ".rules":
		return usageError("unexpected argument %q; add house rules by `--with %s`", args[1], args[1])
	case len(args) > 1:
		return usageError("unexpected argument %q; several fights are for --matrix 'NAME = VALUES'", args[1])
	case len(s.against) > 0 || s.least || s.top != 1:
		return usageError("--against, --top and --least need --matrix 'NAME = VALUES', which says what is ranked")
	}
	return nil
}

// checkMatrix reports flags that do not go together.
func (s *compareFlags) checkMatrix() error {
	switch {
	case len(s.sweep) > 0:
		return usageError("--matrix and --sweep cannot be combined: --against 'NAME = VALUES' varies the foes")
	case s.shard != "" || s.nats.URL != "":
		return usageError("--matrix cannot be combined with --shard or --nats: who plays on depends on all fights before")
	case s.top < 1:
		return usageError("--top is %d: it must be 1 or more", s.top)
	}
	return nil
}

// matrixDocument is what compare --matrix --json prints.
type matrixDocument struct {
	Title      string            `json:"title"`
	Seed       uint64            `json:"seed"`
	Figure     string            `json:"figure"`
	Share      bool              `json:"share"`
	Least      bool              `json:"least"`
	By         []string          `json:"by"` // what the candidates differ in
	Foes       []string          `json:"foes"`
	Candidates []matrixCandidate `json:"candidates"` // the best first
	Certainty  float64           `json:"certainty"`
	Fights     uint64            `json:"fights"`
	Equal      uint64            `json:"equal"`
	Settled    bool              `json:"settled"`
	Warnings   []string          `json:"warnings"`
}

// matrixCandidate is a candidate with its result.
type matrixCandidate struct {
	Values  []string  `json:"values"`
	Name    string    `json:"-"`
	First   int       `json:"first"` // the places that it may have
	Last    int       `json:"last"`
	Figure  float64   `json:"figure"` // the mean over all foes
	Low     float64   `json:"low"`
	High    float64   `json:"high"`
	Fights  uint64    `json:"fights"` // with each foe
	Dropped bool      `json:"dropped"`
	Against []float64 `json:"against"` // by foe
}

// matrix ranks candidates.
func (a *app) matrix(paths []string, s *compareFlags, c *cobra.Command) error {
	o, err := a.simOptions(&s.simFlags, c)
	if err := cmp.Or(err, s.checkMatrix()); err != nil {
		return err
	}
	h := s.arms()[0].houseRules
	for _, w := range s.with { // they apply throughout
		h.with = append(slices.Clip(h.with), splitWith(w)...)
	}
	for _, w := range s.without {
		h.without = append(slices.Clip(h.without), strings.Split(w, "+")...)
	}
	stopped, end := stopWorkOnInterrupt()
	defer end()
	o.Stop = stopped
	m := &matrixField{app: a, options: o, figure: s.figure, sign: 1, document: &matrixDocument{Seed: o.Seed, Least: s.least, By: []string{}, Foes: []string{}, Candidates: []matrixCandidate{}, Warnings: []string{}}}
	if s.least {
		m.sign = -1
	}
	for _, path := range paths {
		if err := m.addFile(path, h, s, len(paths) > 1); err != nil {
			return err
		}
	}
	result, err := m.play(s.top)
	if err != nil {
		return err
	}
	var partial error
	if stopped() {
		fmt.Fprintln(a.err, "stopped; these are the results so far")
		partial = errPartial
	}
	m.report(result)
	d := m.document
	return cmp.Or(a.outputResult(&s.outputFormat, d, func() *picture { return plotOfMatrix(d) }, func() [][]string { return matrixCSV(d) }, func() { a.printMatrix(d, s.top) }), partial)
}

// matrixField is the candidates and foes of a matrix.
type matrixField struct {
	*app
	options  sim.Options
	figure   string
	sign     int64
	document *matrixDocument
	foes     []matrixFoe
	sums     [][]int64 // by candidate, then by foe, of the figure
	played   []uint64  // by candidate: fights with each foe
}

// matrixFoe is one foe, with the fight of each candidate.
type matrixFoe struct {
	figure sim.NamedFigure
	names  sim.Names
	fights []*session.Trials
}

// addFile builds the fights of all candidates with the foes of a file.
func (m *matrixField) addFile(path string, h houseRules, s *compareFlags, several bool) error {
	script, warnings, err := m.buildFight(path, h)
	if err != nil {
		return err
	}
	if !m.json && !s.csv {
		m.printDiagnostics(warnings)
	}
	first, err := m.newTrials(script, session.Options{})
	if err != nil {
		return err
	}
	v := sweepView{isDefault: s.figure == ""}
	if err := v.find(s.figure, first.Cast()); err != nil {
		return err
	}
	by, err := m.parseSweeps("--matrix", s.matrix, script)
	if err != nil {
		return err
	}
	against, err := m.parseSweeps("--against", s.against, script)
	if err != nil {
		return err
	}
	for _, x := range against {
		if slices.ContainsFunc(by, func(y *sweep.Sweep) bool { return x.Name == y.Name }) {
			return usageError("%s is both ranked and fought against", x.Name)
		}
	}
	candidates, foes := (&sweepView{sweeps: by}).arms(h), []arm{{houseRules: h}}
	if len(against) > 0 {
		foes = (&sweepView{sweeps: against}).arms(h)
	}
	switch {
	case len(candidates) < 2:
		return usageError("there is nothing to rank: --matrix needs several values")
	case m.options.Until > 0 && !v.figure.IsShare():
		return usageError("--until is about rates, and %s is none: -n says how much is played", v.figure.Name)
	}
	if n := len(candidates) * (len(m.foes) + len(foes)); n > maxCells {
		return usageError("%d candidates with %d foes are %d fights to be built: at most %d", len(candidates), len(m.foes)+len(foes), n, maxCells)
	}
	d := m.document
	if len(m.foes) == 0 {
		d.Title, d.Figure, d.Share = first.Cast().Title, v.figure.Name, v.figure.IsShare()
		for _, x := range by {
			d.By = append(d.By, x.Name)
		}
		for _, x := range candidates {
			y := matrixCandidate{Values: []string{}}
			for k, i := range x.values {
				y.Values = append(y.Values, by[k].Values[i].Text)
			}
			y.Name = strings.Join(y.Values, ", ")
			d.Candidates = append(d.Candidates, y)
		}
	} else if d.Figure != v.figure.Name {
		d.Figure = "wins" // of sides with different names
	}
	progress := &term.Progress{Out: m.err, Screen: m.screen.err, Noun: "fights built"}
	defer progress.Clear()
	for _, foe := range foes {
		x := matrixFoe{figure: v.figure, names: sim.JoinNames([]*session.Cast{first.Cast()})}
		for _, candidate := range candidates {
			progress.Set(len(x.fights), len(candidates))
			own := h
			own.swept = slices.Concat(candidate.swept, foe.swept)
			t, err := m.fightOf(path, script, own)
			if err != nil {
				return err
			}
			x.fights = append(x.fights, t)
		}
		m.foes = append(m.foes, x)
		var name []string
		if several {
			name = append(name, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
		}
		for k, i := range foe.values {
			name = append(name, against[k].Values[i].Text)
		}
		d.Foes = append(d.Foes, strings.Join(name, ", "))
	}
	return nil
}

// fightOf builds a fight with other values.
func (a *app) fightOf(path string, script *build.Script, h houseRules) (*session.Trials, error) {
	if s, quick := script.Amended(h.amendments()); quick {
		return a.newTrials(s, session.Options{})
	}
	s, _, err := a.buildFight(path, h)
	if err == errMistakes { // without the value there were no mistakes
		err = &exitError{status: exitUsageError}
	}
	if err != nil {
		return nil, err
	}
	return a.newTrials(s, session.Options{})
}

// play plays the tournament.
func (m *matrixField) play(top int) (*tournament.Result, error) {
	n := len(m.document.Candidates)
	m.played, m.sums = make([]uint64, n), make([][]int64, n)
	for i := range m.sums {
		m.sums[i] = make([]int64, len(m.foes))
	}
	progress := &term.Progress{Out: m.err, Screen: m.screen.err, Noun: "fights", AtMost: true}
	defer progress.Clear()
	done := 0
	o := tournament.Options{Candidates: n, Places: min(top, n), Fights: m.options.Fights, Within: m.options.Until * float64(len(m.foes))}
	return tournament.Run(o, func(list []int, from, fights uint64) ([][]int64, error) {
		progress.Set(done, int(m.options.Fights)*n*len(m.foes))
		all, least := make([][][]int64, len(m.foes)), fights
		for k := range m.foes {
			foe := &m.foes[k]
			var variants []sim.Variant
			for _, i := range list {
				variants = append(variants, sim.Variant{Rules: m.document.Candidates[i].Name, Trials: foe.fights[i]})
			}
			run := m.options
			run.From, run.Fights, run.Names, run.Until = from, fights, foe.names, 0
			values, err := sim.Values(variants, foe.figure.Figure, run)
			if err != nil {
				return nil, m.reportFightError(err)
			}
			all[k], least = values, min(least, uint64(len(values[0])))
		}
		scores := make([][]int64, len(list))
		for at, i := range list {
			scores[at] = make([]int64, least)
			for k := range all {
				for n, v := range all[k][at][:least] {
					scores[at][n] += m.sign * v
					m.sums[i][k] += v
				}
			}
			m.played[i] += least
			done += int(least) * len(m.foes)
		}
		return scores, nil
	})
}

// report puts the result into the document.
func (m *matrixField) report(r *tournament.Result) {
	d := m.document
	foes := float64(len(m.foes))
	d.Certainty, d.Fights, d.Equal, d.Settled = r.Certainty, r.Fights*uint64(len(m.foes)), r.Equal*uint64(len(m.foes)), r.Settled
	named := d.Candidates
	d.Candidates = []matrixCandidate{}
	for _, s := range r.Standings {
		x := named[s.Candidate]
		x.First, x.Last, x.Fights, x.Dropped, x.Against = s.First, s.Last, s.Fights, s.Dropped, []float64{}
		if x.Fights == 0 { // stopped before anything was played
			continue
		}
		x.Figure, x.Low, x.High = s.Mean/foes, s.Low/foes, s.High/foes
		if m.sign < 0 {
			x.Figure, x.Low, x.High = -x.Figure, -x.High, -x.Low
		}
		if d.Share {
			x.Low, x.High = max(x.Low, 0), min(x.High, 1)
		}
		for k := range m.foes {
			x.Against = append(x.Against, float64(m.sums[s.Candidate][k])/float64(x.Fights))
		}
		d.Candidates = append(d.Candidates, x)
	}
	if !d.Settled && !r.Stopped {
		d.Warnings = append(d.Warnings, fmt.Sprintf("%s of each with each foe (-n) are not enough to tell the first of them apart; --until 1%% ends it once a difference is surely smaller", countText(m.options.Fights, "fight")))
	}
}
