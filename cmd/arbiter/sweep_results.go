package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/cluster"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/piece"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
)

// This file is the results of a sweep: one table of numbers, in several forms, and charts.

// resultFlags say in which form results are printed.
type resultFlags struct {
	csv, lines bool
	parquet    string // a file
	plots      string // a folder
}

func (r *resultFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&r.csv, "csv", false, "print the numbers as comma-separated values")
	c.Flags().BoolVar(&r.lines, "jsonl", false, "print the numbers as lines of JSON")
	c.Flags().StringVar(&r.parquet, "parquet", "", "write the numbers to `FILE`, in the format Parquet")
	c.Flags().StringVar(&r.plots, "plots", "", "write a chart of each encounter to the folder `DIR`, as SVG")
}

func (a *app) checkResultFlags(r *resultFlags) error {
	if r.csv && (r.lines || a.json) || r.lines && a.json {
		return usageError("--csv, --jsonl and --json cannot be combined: each replaces the whole output")
	}
	return nil
}

// sweepRow is one number: of one encounter under one set of rules and values.
type sweepRow struct {
	Encounter   string            `json:"encounter"`
	Rules       string            `json:"rules"`  // "" for the script as written
	Values      map[string]string `json:"values"` // by the name of what is varied; none: as written
	Fights      uint64            `json:"fights"`
	Of          string            `json:"of"`
	What        string            `json:"what"`
	Value       float64           `json:"value"`
	Low         float64           `json:"low"` // of the 95 % interval
	High        float64           `json:"high"`
	Change      *float64          `json:"change"` // from the script as written, on the same dice
	ChangeLow   *float64          `json:"change_low"`
	ChangeHigh  *float64          `json:"change_high"`
	Different   *uint64           `json:"different"` // fights in which it differs
	PValue      *float64          `json:"p_value"`
	Significant *bool             `json:"significant"`
}

// jobResult is what is known of one encounter.
type jobResult struct {
	task    *cluster.Task
	outcome *cluster.Outcome // nil: it has not ended
	arms    []*sim.Arm       // nil: there are no numbers
}

// jobResults reads the results of a sweep one by one.
func jobResults(ctx context.Context, s *cluster.Sweep, each func(*jobResult) error) error {
	for i := range s.Tasks {
		sum, outcome, err := s.Sum(ctx, i)
		if err != nil {
			return err
		}
		r := &jobResult{task: &s.Tasks[i], outcome: outcome}
		if sum != nil {
			r.arms = sum.Arms
		}
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

// comparison compares the arms; nil if there is only one.
func (r *jobResult) comparison(figure ...sim.Figure) *sim.Comparison {
	if len(r.arms) < 2 {
		return nil
	}
	return sim.NewComparison(r.task.Doc.Seed, r.arms, figure...)
}

// rows are the numbers of an encounter: first of the script as written, then of all others.
func (r *jobResult) rows() (list []sweepRow) {
	if r.arms == nil {
		return nil
	}
	first := sweepRow{Encounter: r.task.Doc.Script, Values: map[string]string{}, Fights: r.outcome.Fights}
	for _, x := range reportCSV(sim.NewReport(r.arms[0].Cast, r.task.Doc.Seed, r.arms[0].Tally))[2:] {
		row := first
		row.Of, row.What = x[0], x[1]
		for k, to := range []*float64{&row.Value, &row.Low, &row.High} {
			*to, _ = strconv.ParseFloat(x[2+k], 64)
		}
		list = append(list, row)
	}
	c := r.comparison()
	if c == nil {
		return list
	}
	for i, x := range c.Rules {
		arm := &r.task.Doc.Arms[i+1]
		values := r.values(arm)
		for k := range x.Figures {
			f := &x.Figures[k]
			list = append(list, sweepRow{
				Encounter: first.Encounter, Rules: arm.Set, Values: values, Fights: first.Fights, Of: f.Of, What: f.What, Value: f.After.Value, Low: f.After.Low, High: f.After.High,
				Change: &f.Change, ChangeLow: &f.Low, ChangeHigh: &f.High, Different: &f.Different, PValue: &f.PValue, Significant: &f.Significant,
			})
		}
	}
	return list
}

// values are the values of an arm.
func (r *jobResult) values(arm *piece.Arm) map[string]string {
	values := map[string]string{}
	for k, v := range arm.Values {
		if s, diags := sweep.Parse("", r.task.Doc.Sweeps[k]); len(diags) == 0 && v < len(s.Values) {
			values[s.Name] = s.Values[v].Text
		}
	}
	return values
}

// sweepDocument is what sweep results --json prints.
type sweepDocument struct {
	cluster.Info
	Encounters []encounterDocument `json:"encounters"`
	Numbers    []sweepRow          `json:"numbers"`
}

// encounterDocument is what became of one encounter.
type encounterDocument struct {
	Encounter string        `json:"encounter"`
	Ended     bool          `json:"ended"`
	Fights    uint64        `json:"fights"`
	Enough    bool          `json:"enough"`
	Failed    *piece.Failed `json:"failed"`
	Workers   []string      `json:"workers"`
}

// outputSweepResults prints results in the form that was asked for.
func (a *app) outputSweepResults(ctx context.Context, s *cluster.Sweep, f *resultFlags) error {
	var view planView
	if err := json.Unmarshal(s.View, &view); err != nil {
		return err
	}
	var writers []func(r *jobResult) error
	var ends []func() error
	switch {
	case a.json:
		d := sweepDocument{Info: s.Info, Encounters: []encounterDocument{}, Numbers: []sweepRow{}}
		writers = append(writers, func(r *jobResult) error {
			e := encounterDocument{Encounter: r.task.Doc.Script, Workers: []string{}}
			if o := r.outcome; o != nil {
				e.Ended, e.Fights, e.Enough, e.Failed, e.Workers = true, o.Fights, o.Enough, o.Failed, append(e.Workers, o.Workers...)
			}
			d.Encounters, d.Numbers = append(d.Encounters, e), append(d.Numbers, r.rows()...)
			return nil
		})
		ends = append(ends, func() error { a.printJSON(d); return nil })
	case f.lines:
		a.out.raw = true
		writers = append(writers, func(r *jobResult) error { return writeLines(a.out, r.rows()) })
	case f.csv:
		a.out.raw = true
		w := csv.NewWriter(a.out)
		if err := w.Write(sweepColumns(view.Tries)); err != nil {
			return err
		}
		writers = append(writers, func(r *jobResult) error {
			for _, row := range r.rows() {
				if err := w.Write(row.cells(view.Tries)); err != nil {
					return err
				}
			}
			return nil
		})
		ends = append(ends, func() error { w.Flush(); return w.Error() })
	default:
		fmt.Fprintf(a.out, "%s: %s, %s\n", a.screen.out.Paint(term.Bold, term.Clean(s.Title)), countText(len(s.Tasks), "encounter"), s.State)
		writers = append(writers, func(r *jobResult) error { return a.printJobResult(r, &view) })
	}
	if f.parquet != "" {
		write, end, err := newParquet(f.parquet, view.Tries)
		if err != nil {
			return err
		}
		writers, ends = append(writers, func(r *jobResult) error { return write(r.rows()) }), append(ends, end)
	}
	if f.plots != "" {
		if err := os.MkdirAll(f.plots, 0o777); err != nil {
			return err
		}
		writers = append(writers, func(r *jobResult) error { return a.plotJobResult(r, &view, f.plots) })
	}
	var failed, unfinished []string
	err := jobResults(ctx, s, func(r *jobResult) error {
		switch {
		case r.outcome == nil:
			unfinished = append(unfinished, r.task.Doc.Script)
		case r.outcome.Failed != nil:
			failed = append(failed, fmt.Sprintf("%s: fight %d: %s", r.task.Doc.Script, r.outcome.Failed.Fight, r.outcome.Failed.Message))
		}
		for _, write := range writers {
			if err := write(r); err != nil {
				return err
			}
		}
		return nil
	})
	for _, end := range ends {
		if endErr := end(); err == nil {
			err = endErr
		}
	}
	if err != nil {
		return err
	}
	if n := len(unfinished); n > 0 {
		fmt.Fprintf(a.err, "%s of %d not ended yet; `arbiter sweep resume %s` goes on\n", countText(n, "encounter"), len(s.Tasks), s.ID)
	}
	if len(failed) > 0 {
		return &exitError{exitScriptError, fmt.Errorf("%s could not be played to the end:\n%s", countText(len(failed), "encounter"), strings.Join(failed, "\n"))}
	}
	return nil
}

// writeLines writes each row as a line of JSON.
func writeLines(w io.Writer, rows []sweepRow) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range rows {
		if err := e.Encode(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// sweepColumns are the names of the columns, with one for each thing that is varied.
func sweepColumns(tries []string) []string {
	return slices.Concat([]string{"encounter", "rules"}, tries, []string{"fights", "of", "what", "value", "low", "high", "change", "change_low", "change_high", "different", "p_value", "significant"})
}

// cells is the row in these columns.
func (r *sweepRow) cells(tries []string) []string {
	cells := []string{r.Encounter, r.Rules}
	for _, name := range tries {
		cells = append(cells, r.Values[name])
	}
	cells = append(cells, strconv.FormatUint(r.Fights, 10), r.Of, r.What, exactly(r.Value), exactly(r.Low), exactly(r.High))
	if r.Change == nil {
		return append(cells, "", "", "", "", "", "")
	}
	return append(cells, exactly(*r.Change), exactly(*r.ChangeLow), exactly(*r.ChangeHigh), strconv.FormatUint(*r.Different, 10), exactly(*r.PValue), strconv.FormatBool(*r.Significant))
}

// figureOf finds the figure that is shown by its name; the first if none was asked for, or if this encounter has none of
// that name.
func figureOf(r *jobResult, name string) sim.NamedFigure {
	list := sim.FiguresOf(r.task.Doc.Casts[0])
	if f, err := sim.FigureNamed(name, list); err == nil {
		return f
	}
	return list[0]
}

// checkFigure wants some encounter to have the figure.
func checkFigure(jobs []*piece.Job, name string) error {
	if name == "" {
		return nil
	}
	v := &sweepView{}
	var err error
	for _, j := range jobs {
		if err = v.find(name, j.Casts[0]); err == nil {
			return nil
		}
	}
	return err
}

// printJobResult prints the figure of an encounter under each set of rules and values.
func (a *app) printJobResult(r *jobResult, view *planView) error {
	fmt.Fprintln(a.out)
	head := a.screen.out.Paint(term.Bold, term.Clean(r.task.Doc.Script))
	switch o := r.outcome; {
	case o == nil:
		fmt.Fprintf(a.out, "%s: not ended yet\n", head)
		return nil
	case o.Failed != nil:
		fmt.Fprintf(a.out, "%s: could not be played to the end\n", head)
		return nil
	case !o.Enough:
		fmt.Fprintf(a.out, "%s: %s, not enough for the precision that was asked for\n", head, countText(o.Fights, "fight"))
	default:
		fmt.Fprintf(a.out, "%s: %s\n", head, countText(o.Fights, "fight"))
	}
	c := r.comparison()
	if c == nil {
		report := sim.NewReport(r.arms[0].Cast, r.task.Doc.Seed, r.arms[0].Tally)
		rows := [][]string{{"wins", "", "95 % interval"}}
		for _, s := range report.Sides {
			rows = append(rows, append([]string{s.Name}, rateText(s.Wins)...))
		}
		if report.Undecided.Rate > 0 {
			rows = append(rows, append([]string{"nobody"}, rateText(report.Undecided)...))
		}
		a.printNumberTable(rows, 2)
		return nil
	}
	figure := figureOf(r, view.Figure)
	c = r.comparison(figure.Figure)
	rows := [][]string{append([]string{a.screen.out.Cut(figure.Name, maxRulesWidth), ""}, changeHead...)}
	for i := range c.Rules {
		f := c.Rules[i].Find(figure.Figure)
		if f == nil {
			continue
		}
		if len(rows) == 1 {
			rows = append(rows, []string{"as written", figureText(f.Share, f.Before.Value), "", "", ""})
		}
		rows = append(rows, append([]string{a.screen.out.Cut(c.Rules[i].Rules, maxRulesWidth), figureText(f.Share, f.After.Value)}, changeCells(f)...))
	}
	a.printNumberTable(rows, 3)
	return nil
}

// plotJobResult draws the chart of an encounter.
func (a *app) plotJobResult(r *jobResult, view *planView, dir string) error {
	if r.arms == nil {
		return nil
	}
	name := strings.NewReplacer("/", "-", ".encounter", "").Replace(r.task.Doc.Script) + ".svg"
	return r.picture(view).write(filepath.Join(dir, name))
}

// picture is a chart of lines for one or two things that are varied, else of bars.
func (r *jobResult) picture(view *planView) *picture {
	if len(r.arms) < 2 {
		return plotOfReport(sim.NewReport(r.arms[0].Cast, r.task.Doc.Seed, r.arms[0].Tally))
	}
	figure := figureOf(r, view.Figure)
	c := r.comparison(figure.Figure)
	oneSet := !slices.ContainsFunc(r.task.Doc.Arms, func(a piece.Arm) bool { return a.Set != "" })
	if n := len(view.Tries); oneSet && (n == 1 || n == 2) {
		v := &sweepView{figure: figure, isDefault: view.Figure == ""}
		for _, text := range r.task.Doc.Sweeps {
			if s, diags := sweep.Parse("", text); len(diags) == 0 {
				v.sweeps = append(v.sweeps, s)
			}
		}
		c.Sweeps = v.described()
		return plotOfSweep(c, v)
	}
	return plotOfComparison(c)
}
