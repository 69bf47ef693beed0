package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"arbiter/cmd/arbiter/internal/rulebook"
	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/build"
	"arbiter/interp/link"
	"arbiter/lang/diag"
)

type diffDocument struct {
	From        string                `json:"from"`
	To          string                `json:"to"`
	Related     bool                  `json:"related"`
	Differences []rulebook.Difference `json:"differences"`
}

func (a *app) rulesDiffCommand() *cobra.Command {
	var h houseRules
	c := &cobra.Command{
		Use:               "diff RULESET [RULESET]",
		Short:             "Show what a house rule changes, or how two rulesets differ",
		Args:              argCount(1, 2),
		ValidArgsFunction: completeRulesets,
	}
	h.add(c)
	c.RunE = runFunc(func(args []string) error {
		from, err := a.comparisonBase(args, h)
		if err != nil {
			return err
		}
		to, err := a.buildRuleset(args[len(args)-1], h)
		if err != nil {
			return err
		}
		d := diffDocument{from.Name, to.Name, link.Related(from, to.Set()), rulebook.Diff(from, to.Set())}
		if len(h.without) > 0 {
			d.To += " without " + strings.Join(h.without, ", ")
		}
		if d.To == d.From { // a script has the name of its rules
			d.To = args[len(args)-1]
		}
		if a.json {
			a.printJSON(d)
			return nil
		}
		a.printDifferences(d)
		return nil
	})
	return c
}

// comparisonBase returns the left side of the comparison: the first of two rulesets; for one ruleset, what it was
// without the house rules of the command line, or else what it extends.
func (a *app) comparisonBase(args []string, h houseRules) (*link.Set, error) {
	if len(args) == 2 || h.changesRules() {
		r, err := a.buildRuleset(args[0], houseRules{})
		if err != nil {
			return nil, err
		}
		r.Set().Name = r.Name
		return r.Set(), nil
	}
	var set *link.Set
	var diags diag.List
	var err error
	switch name := args[0]; {
	case isFolder(name):
		set, diags, err = build.ParentsNamed((&houseRules{with: []string{name}}).buildOptions())
	case isPath(name):
		set, diags, err = build.Parents(name, h.buildOptions())
	case isEmbedded(name):
		set, diags, err = build.ParentsNamed(h.buildOptions(), name)
	default:
		return nil, unknownRulesetError(name)
	}
	switch {
	case err != nil:
		return nil, err
	case diags.HasErrors() || set == nil:
		return nil, a.rejectScript(diags)
	}
	return set, nil
}

// printDifferences prints a comparison for a person: what was added, changed and removed.
func (a *app) printDifferences(d diffDocument) {
	bold := func(s string) string { return a.screen.out.Paint(term.Bold, s) }
	from := d.From
	if from == "" {
		from = "nothing"
	}
	fmt.Fprintf(a.out, "%s\n", bold(from+" -> "+d.To))
	if len(d.Differences) == 0 {
		fmt.Fprintln(a.out, "\nno differences")
		return
	}
	titles := []string{"added", "changed", "removed"}
	words := map[string]string{}
	for _, w := range []string{link.Added, link.Overridden, link.Extended, link.Changed, link.Removed} {
		words[w] = ", " + w
	}
	if !d.Related { // neither was derived from the other
		titles = []string{"only in " + d.To, "in both, differently", "only in " + from}
		words = map[string]string{link.Added: ", only in " + d.To, link.Removed: ", only in " + from}
	}
	for i, title := range titles {
		group := slices.DeleteFunc(slices.Clone(d.Differences), func(x rulebook.Difference) bool { return groupOf(x) != i })
		if len(group) == 0 {
			continue
		}
		fmt.Fprintf(a.out, "\n%s\n", bold(title))
		for _, x := range group {
			if !d.Related && i != 1 {
				title, columns := a.partTitle(x)
				fmt.Fprintf(a.out, "  %s\n", a.alignRight(title, columns, placeText(x)))
				continue
			}
			a.printDifference(x, words[x.What])
		}
	}
	fmt.Fprintf(a.out, "\n%s\n", tally(d))
}

// groupOf separates added definitions (0) from removed ones (2); 1 is everything in between.
func groupOf(x rulebook.Difference) int {
	switch {
	case x.Path == x.Definition && x.What == link.Added:
		return 0
	case x.Path == x.Definition && x.What == link.Removed:
		return 2
	}
	return 1
}

const (
	lineWidth    = 80 // of the smallest terminal that is supported
	maxTextLines = 12 // lines of a text that are shown
)

// partTitle is the kind of a part and its path, and its width in columns.
func (a *app) partTitle(x rulebook.Difference) (title string, columns int) {
	return a.dim(x.Kind) + " " + a.screen.out.Paint(term.Bold, x.Path), len(x.Kind) + 1 + len(x.Path)
}

// printDifference prints one part: its path, what happened to it in one word, and what the two sides say.
func (a *app) printDifference(x rulebook.Difference, what string) {
	title, columns := a.partTitle(x)
	if groupOf(x) == 1 {
		title += what
		columns += len(what)
	}
	if x.By != nil {
		by := " by " + x.By.String()
		if columns+len(by) > lineWidth-2 {
			title += "\n   "
		}
		title += a.dim(by)
	}
	fmt.Fprintf(a.out, "  %s\n", title)
	var was, now []string
	if x.Was != nil {
		was = strings.Split(x.Was.Narrow(lineWidth-6), "\n")
	}
	if x.Now != nil {
		now = strings.Split(x.Now.Narrow(lineWidth-6), "\n")
	}
	if len(was) > 1 && len(now) > 1 {
		a.printLineDiff(x, was, now)
		return
	}
	a.printSide("-", term.Red, was, x.Was)
	a.printSide("+", term.Green, now, x.Now)
}

// placeText is where a definition is that only one side has.
func placeText(x rulebook.Difference) string {
	if x.Now != nil {
		return x.Now.Place.String()
	}
	return x.Was.Place.String()
}

func (a *app) dim(s string) string { return a.screen.out.Paint(term.Dim, s) }

// alignRight right-aligns a place on a line whose text has that many columns, or puts it directly after the text.
func (a *app) alignRight(text string, columns int, place string) string {
	return text + strings.Repeat(" ", max(2, lineWidth-2-columns-len(place))) + a.dim(place)
}

// printSide prints what one side says, with its place: after it when both fit on a line, else above it.
func (a *app) printSide(sign string, style term.Style, lines []string, s *rulebook.Side) {
	if s == nil {
		return
	}
	place := s.Place.String()
	if n := len(lines[0]); len(lines) == 1 && n+len(place) < lineWidth-10 {
		fmt.Fprintf(a.out, "    %s\n", a.alignRight(a.screen.out.Paint(style, sign+" "+lines[0]), n+4, place))
		return
	}
	fmt.Fprintf(a.out, "    %s %s\n", a.screen.out.Paint(style, sign), a.dim(place))
	for i, line := range lines {
		if i == maxTextLines-1 && len(lines) > maxTextLines {
			fmt.Fprintf(a.out, "      %s\n", a.dim(fmt.Sprintf("... and %s more", countText(len(lines)-i, "line"))))
			break
		}
		fmt.Fprintf(a.out, "      %s\n", a.screen.out.Paint(style, line))
	}
}

// printLineDiff prints a line diff of two texts, with signs before the lines that only one of them has.
func (a *app) printLineDiff(x rulebook.Difference, was, now []string) {
	fmt.Fprintf(a.out, "    %s %s\n", a.screen.out.Paint(term.Red, "-"), a.dim(x.Was.Place.String()))
	fmt.Fprintf(a.out, "    %s %s\n", a.screen.out.Paint(term.Green, "+"), a.dim(x.Now.Place.String()))
	text := func(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }
	lines := strings.Split(strings.TrimRight(string(diff.Diff("", text(was), "", text(now))), "\n"), "\n")
	for i, line := range lines[min(3, len(lines)):] { // three lines of header
		style := term.Style("")
		switch {
		case strings.HasPrefix(line, "@@"):
			if i > 0 {
				fmt.Fprintln(a.out, a.dim("      ..."))
			}
			continue
		case line[0] == '-':
			style = term.Red
		case line[0] == '+':
			style = term.Green
		}
		fmt.Fprintf(a.out, "    %s\n", strings.TrimRight(a.paintLine(style, line[:1]+" "+line[1:]), " "))
	}
}

func (a *app) paintLine(style term.Style, line string) string {
	if style == "" {
		return line
	}
	return a.screen.out.Paint(style, line)
}

// tally is the last line, such as "2 definitions added, 3 parts changed".
func tally(d diffDocument) string {
	var n [3]int
	for _, x := range d.Differences {
		n[groupOf(x)]++
	}
	words := [3]string{"added", "changed", "removed"}
	if !d.Related {
		words = [3]string{"only in " + d.To, "different", "only in " + d.From}
	}
	var parts []string
	for i, noun := range []string{"definition", "part", "definition"} {
		if n[i] > 0 {
			parts = append(parts, countText(n[i], noun)+" "+words[i])
		}
	}
	return strings.Join(parts, ", ")
}

// completeRulesets completes the names of the embedded rulesets, or files.
func completeRulesets(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return rulesetNames(), cobra.ShellCompDirectiveDefault
}
