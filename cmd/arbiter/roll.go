package main

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"arbiter/cmd/arbiter/internal/show"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/stdlib/dice"
)

// maxRolls is how often one command may roll.
const maxRolls = 100_000

// maxSeed bounds generated seeds: every JSON reader represents such a number exactly.
const maxSeed = 1 << 53

type rollDocument struct {
	Expression string       `json:"expression"`
	Comment    string       `json:"comment"`
	Seed       uint64       `json:"seed"`
	Rolls      []rollResult `json:"rolls"`
}

type rollResult struct {
	Total    int64     `json:"total"`
	Compared []string  `json:"compared,omitempty"`
	Dice     []rollDie `json:"dice"`
}

type rollDie struct {
	Face  int32    `json:"face"`
	Sides int32    `json:"sides"`
	Value int64    `json:"value"`
	Marks []string `json:"marks"`
}

func (a *app) rollCommand() *cobra.Command {
	var times int
	var seed uint64
	var odds rollOddsFlags
	c := &cobra.Command{
		Use:        "roll EXPR",
		SuggestFor: []string{"dice", "throw"},
		Short:      "Roll dice",
		Args:       argCount(1, math.MaxInt),
	}
	c.Flags().IntVarP(&times, "times", "n", 1, "roll `N` times")
	c.Flags().Uint64Var(&seed, "seed", 0, "the seed `N` of the dice (default: random)")
	c.Flags().BoolVar(&odds.wanted, "odds", false, "print the exact distribution instead of rolling")
	c.Flags().BoolVar(&odds.atLeast, "at-least", false, "with --odds: add the chance of at least each total")
	c.Flags().BoolVar(&odds.atMost, "at-most", false, "with --odds: add the chance of at most each total")
	odds.addFormatFlags(c, "with --odds: ")
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if wrong := (*pflag.NotExistError)(nil); errors.As(err, &wrong) && !strings.HasPrefix(err.Error(), "unknown flag") {
			return fmt.Errorf("%w; before an expression that begins with a minus write --, as in: arbiter roll -- -1d6", err)
		}
		return err
	})
	c.RunE = runFunc(func(args []string) error {
		if err := a.checkFormat(&odds.outputFormat); err != nil {
			return err
		}
		switch {
		case odds.wanted && (c.Flags().Changed("times") || c.Flags().Changed("seed")):
			return usageError("--odds rolls nothing: it cannot be combined with -n or --seed")
		case !odds.wanted && (odds.atLeast || odds.atMost || odds.csv || odds.plot != ""):
			return usageError("--at-least, --at-most, --csv and --plot need --odds")
		}
		if times < 1 || times > maxRolls {
			return usageError("-n is %d: it must be from 1 to %d", times, maxRolls)
		}
		if !c.Flags().Changed("seed") {
			seed = rand.Uint64N(maxSeed)
		}
		text := strings.Join(args, " ")
		e, err := dice.Parse(text)
		if err != nil {
			return a.rejectDice(text, err)
		}
		if odds.wanted {
			return a.outputRollOdds(text, e, &odds)
		}
		d := rollDocument{Expression: e.String(), Comment: e.Comment(), Seed: seed, Rolls: []rollResult{}}
		for i := range times {
			faces := rollFaces(e, dice.FightSeed(seed, uint64(i)))
			if a.json {
				d.Rolls = append(d.Rolls, newRollResult(e, faces))
				continue
			}
			fmt.Fprintln(a.out, a.rollLine(e, faces))
		}
		if a.json {
			a.printJSON(d)
		}
		return nil
	})
	return c
}

// rejectDice shows where the notation is wrong. The expression is part of the command line, so that is at fault.
func (a *app) rejectDice(text string, err error) error {
	var e *dice.Error
	if !errors.As(err, &e) {
		return usageError("%s", err)
	}
	if strings.HasPrefix(e.Hint, "several rolls") {
		e.Hint += "; -n 6 rolls one 6 times"
	}
	at := ast.Pos{Line: 1, Column: e.Column, Offset: e.Column - 1}
	list := diag.List{{File: "dice", Span: ast.Span{Start: at, End: at}, Severity: diag.Error, Code: "bad-dice", Message: e.Message, Hint: e.Hint}}
	if a.json {
		a.printJSON(diagnosticsDocument{show.JSON(list)})
	} else {
		p := show.Printer{Out: a.err, Screen: a.screen.err, Source: func(string) []byte { return []byte(text) }}
		p.PrintAll(list)
	}
	return &exitError{status: exitUsageError}
}

// rollFaces returns the faces of one roll.
func rollFaces(e *dice.Expr, seed uint64) []int32 {
	label := dice.Hash("roll")
	faces, _ := e.Roll(func(n int, sides int32) int32 { return dice.Face(seed, 0, label, uint32(n), sides) }, nil)
	return faces
}

func newRollResult(e *dice.Expr, faces []int32) rollResult {
	r := rollResult{Total: e.Total(faces), Dice: []rollDie{}}
	if left, right := e.Compared(faces); left != nil {
		r.Compared = []string{decimalText(left), decimalText(right)}
	}
	for _, d := range e.Trace(faces) {
		die := rollDie{Face: d.Face, Sides: d.Sides, Value: d.Value, Marks: append([]string{}, d.Marks.Words()...)}
		r.Dice = append(r.Dice, die)
	}
	return r
}

// rollLine formats one roll for a person: 2d6 + 1d8: [3 5] [7] = 15. The dice of one term of the expression share
// brackets.
func (a *app) rollLine(e *dice.Expr, faces []int32) string {
	var b strings.Builder
	b.WriteString(e.String() + ":")
	column := int32(-1)
	for _, d := range e.Trace(faces) {
		switch {
		case column < 0:
			b.WriteString(" [")
		case d.Column != column:
			b.WriteString("] [")
		default:
			b.WriteByte(' ')
		}
		column = d.Column
		b.WriteString(a.paintDie(d))
	}
	if column >= 0 {
		b.WriteByte(']')
	}
	result := fmt.Sprint(e.Total(faces))
	if left, right := e.Compared(faces); left != nil {
		result = fmt.Sprintf("%s against %s: %s", decimalText(left), decimalText(right), yesNoText(e.Total(faces)))
	}
	b.WriteString(" = " + a.screen.out.Paint(term.Bold, result))
	if c := e.Comment(); c != "" {
		b.WriteString("  " + a.dim("# "+term.Clean(c)))
	}
	return b.String()
}

// yesNoText is the result of a comparison in words.
func yesNoText(holds int64) string {
	if holds == 0 {
		return "no"
	}
	return "yes"
}

// decimalText is a number with as many decimals as it has, and no more than anybody reads.
func decimalText(v *big.Rat) string {
	text := v.FloatString(4)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// paintDie colors a die by what happened to it.
func (a *app) paintDie(d dice.Die) string {
	text := d.String()
	switch {
	case d.Marks.Has(dice.Dropped), d.Marks.Has(dice.Rerolled):
		return a.dim(text)
	case d.Marks.Has(dice.Critical):
		return a.screen.out.Paint(term.Green, text)
	case d.Marks.Has(dice.Fumbled), d.Marks.Has(dice.Failed):
		return a.screen.out.Paint(term.Red, text)
	case d.Marks.Has(dice.Counted):
		return a.screen.out.Paint(term.Bold, text)
	case d.Marks.Has(dice.Exploded):
		return a.screen.out.Paint(term.Yellow, text)
	}
	return text
}
