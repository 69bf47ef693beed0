package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arbiter/interp/check"
)

type eventsDocument struct {
	Ruleset string       `json:"ruleset"`
	Events  []eventEntry `json:"events"`
}

type eventEntry struct {
	Event string   `json:"event"`
	Sort  string   `json:"sort"` // moment, check, action, procedure, step
	Forms []string `json:"forms"`
	Knows []string `json:"knows"`
	Doc   string   `json:"doc"`
}

func (a *app) rulesEventsCommand() *cobra.Command {
	var h houseRules
	c := &cobra.Command{
		Use:               "events RULESET [WORD ...]",
		SuggestFor:        []string{"hooks", "triggers"},
		Short:             "List what rules can respond to, and what they know then",
		Args:              argCount(1, math.MaxInt),
		ValidArgsFunction: completeRuleset,
		RunE: runFunc(func(args []string) error {
			r, err := a.buildRuleset(args[0], h)
			if err != nil {
				return err
			}
			words := searchWords(args[1:])
			d := eventsDocument{Ruleset: r.Name, Events: []eventEntry{}}
			found := eventsAbout(r.Checked.Events(), words)
			for _, e := range found {
				d.Events = append(d.Events, eventEntry{e.Path, e.Sort, e.Forms, append([]string{}, e.Knows...), e.Doc})
			}
			if a.json {
				a.printJSON(d)
				return nil
			}
			if len(d.Events) == 0 {
				return usageError("nothing that happens in %s has %s in its name, its sentence or what is known then", args[0], strings.Join(words, " and "))
			}
			a.printEvents(found)
			if len(words) == 0 {
				fmt.Fprintf(a.out, "\nA word shows the steps of what is about it: `arbiter rules events %s %s`.\n", args[0], "damage")
			}
			return nil
		}),
	}
	h.add(c)
	return c
}

// searchWords splits arguments into words: one of several words in quotes is as good as several.
func searchWords(args []string) (words []string) {
	for _, arg := range args {
		words = append(words, strings.FieldsFunc(strings.ToLower(arg), func(r rune) bool { return r == ' ' || r == ',' })...)
	}
	return words
}

// eventsAbout returns the events about each of the words: by their paths, their sentences, or what is known then. The
// steps of a procedure belong to it, and it to them. Without words, steps are left out.
func eventsAbout(all []check.Event, words []string) (found []check.Event) {
	whole, listed := 0, false // the procedure of the steps that follow: its index, and whether it has been found
	for i, e := range all {
		text := strings.ToLower(e.Path + " " + e.Doc + " " + strings.Join(e.Knows, " "))
		about := !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
		switch {
		case e.Sort != "step":
			whole, listed = i, about
		case len(words) == 0 || !about && !listed:
			continue
		case !listed:
			found, listed = append(found, all[whole]), true
		}
		if about || e.Sort == "step" {
			found = append(found, e)
		}
	}
	return found
}

// printEvents prints a table of events. A step is shown with what it binds: the rest is known to its whole procedure.
func (a *app) printEvents(list []check.Event) {
	rows := [][]string{{"event", "a rule knows", "what it is"}}
	for _, e := range list {
		path, known := e.Path, e.Knows
		if e.Sort == "step" {
			path, known = "  "+path, known[len(known)-e.Binds:]
		}
		var names []string
		for _, k := range known {
			name, _, _ := strings.Cut(k, ":")
			names = append(names, name)
		}
		rows = append(rows, []string{path, strings.Join(names, ", "), e.Doc})
	}
	a.printTable(rows)
}

// printCoreEvents prints the events that need no ruleset, and where the others are listed.
func (a *app) printCoreEvents() {
	a.printEvents(check.CoreEvents())
	fmt.Fprint(a.out, "\nEvery procedure, action and step of the rules is an event as well: `arbiter rules events RULESET [WORD ...]`\n"+
		"lists them. A trigger is written `before EVENT`, `after EVENT` or `instead of EVENT`, a moment `at start of turn`:\n\n"+
		"    rule NAME before EVENT by self when COND { STATEMENTS }\n")
}
