package repl

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/interp/view"
)

// This file answers the questions of commands.

// Answerer answers for a table that is created later: session.NewLive needs an Asker first.
type Answerer struct{ repl *repl }

// Answer implements session.Asker.
func (a *Answerer) Answer(q *session.Request) (int64, error) {
	if a.repl == nil {
		return q.Default, nil
	}
	return a.repl.answer(q)
}

// answer returns the face of a die or the index of a choice: one given in advance, the user's answer, or the default.
func (t *repl) answer(q *session.Request) (int64, error) {
	if t.stopped() {
		return 0, session.ErrDrop
	}
	if q.Die && len(t.nextFaces) > 0 && !q.AskedBefore {
		v := t.nextFaces[0]
		if v < 1 || v > int64(q.Sides) {
			return 0, fmt.Errorf("the next die was to show %d, but %s is rolled on a d%d; `:dice seed` returns to random dice", v, rollerName(q), q.Sides)
		}
		t.nextFaces = t.nextFaces[1:]
		return v, nil
	}
	if !t.mustAsk(q) && !q.AskedBefore {
		return q.Default, nil
	}
	soFar, err := q.SoFar()
	if err != nil {
		return 0, err
	}
	t.show(soFar)
	for _, g := range q.OpenRolls {
		t.show(fmt.Sprintf("  %s: %d\n", g.Address(), g.Value))
	}
	if t.JSON == nil {
		for _, p := range q.Plans {
			t.show(fmt.Sprintf("  %s waits: %s, %s\n", q.Who, p.When, p.Do))
		}
	}
	t.printQuestion(q)
	for {
		text, err := t.Console.Read(ReadOptions{Prompt: "  " + questionText(q), IsAnswer: true, Complete: t.completeAnswer(q)})
		switch {
		case errors.Is(err, ErrInterrupted):
			return 0, session.ErrDrop
		case errors.Is(err, io.EOF):
			t.quit = true
			return 0, session.ErrLeave
		case err != nil:
			return 0, err
		}
		switch text = strings.TrimSpace(text); text {
		case ":undo", ":back", "back":
			return 0, session.ErrBack
		case ":drop", "drop":
			return 0, session.ErrDrop
		}
		if v, ok := readAnswer(q, text); ok {
			return v, nil
		}
		if !t.runAside(q, text) {
			t.show("  " + answerHelp(q) + "\n")
			continue
		}
		switch {
		case t.quit:
			return 0, session.ErrLeave
		case t.saveError != nil:
			return 0, &session.UnsavedError{Err: t.saveError}
		}
		if v, answered := t.answerBySettings(q); answered {
			return v, nil
		}
		t.printQuestion(q)
	}
}

// mustAsk reports whether the user is asked a question; otherwise it has its default.
func (t *repl) mustAsk(q *session.Request) bool {
	switch {
	case q.Die:
		return t.diceByHand
	case q.Kind == machine.RulingChoice:
		return true // only the user can decide it
	}
	return t.AskChoices && !t.isAutoPlayed(t.Live.SideOf(q.Who)) && (!q.ByTactics || len(t.autoSides) > 0 || t.inAutoTurn)
}

// answerBySettings answers a question that the settings of the table, which have just been changed, no longer ask.
func (t *repl) answerBySettings(q *session.Request) (int64, bool) {
	if q.Die && len(t.nextFaces) > 0 && t.nextFaces[0] >= 1 && t.nextFaces[0] <= int64(q.Sides) {
		v := t.nextFaces[0]
		t.nextFaces = t.nextFaces[1:]
		return v, true
	}
	return q.Default, !t.mustAsk(q)
}

// questionDocument is a question as JSON.
type questionDocument struct {
	Kind    string      `json:"kind"` // question
	Who     string      `json:"who"`  // who rolls or decides; "" is the game master
	Label   string      `json:"label"`
	Sides   int         `json:"sides,omitempty"` // of a die
	Options []string    `json:"ways,omitempty"`  // of a choice, its labels
	Plans   []view.Plan `json:"plans,omitempty"` // that the one who decides holds ready, if one of them is the reason
	Default *int64      `json:"default"`         // a face, or an option from 0; null: there is none
}

// printQuestion prints a question where prompts are not shown.
func (t *repl) printQuestion(q *session.Request) {
	if t.JSON != nil {
		d := questionDocument{Kind: "question", Who: q.Who, Label: q.Label, Options: q.Options, Plans: q.Plans, Default: &q.Default}
		if q.Die {
			d.Sides = q.Sides
		} else if q.Kind == machine.RulingChoice {
			d.Default = nil
		}
		t.encode(d)
	} else if t.EchoQuestions {
		t.show("  " + strings.TrimSpace(questionText(q)) + "\n")
	}
}

func rollerName(q *session.Request) string { return strings.TrimSpace(q.Who + " " + q.Label) }

// questionText is the question.
func questionText(q *session.Request) string {
	switch {
	case q.Die:
		return fmt.Sprintf("%s, d%d [%d]: ", rollerName(q), q.Sides, q.Default)
	case q.Kind == machine.RulingChoice:
		return rollerName(q) + ", a number: "
	}
	list := make([]string, len(q.Options))
	for i, w := range q.Options {
		list[i] = w
		if int64(i) == q.Default {
			list[i] = "[" + w + "]"
		}
	}
	return rollerName(q) + ": " + strings.Join(list, ", ") + "? "
}

// answerCommands are what can be typed in place of an answer.
const answerCommands = "`back` returns to the previous question, `drop` cancels the command; `:status`, `:map`, `?NAME` and whatever else only shows something work as usual, `:quit` keeps the question"

// answerHelp says how the question can be answered.
func answerHelp(q *session.Request) string {
	what := "an answer, its first letters, or its number from 1"
	switch {
	case q.Die:
		what = fmt.Sprintf("the face rolled, 1 to %d", q.Sides)
	case q.Kind == machine.RulingChoice:
		return "a number; " + answerCommands
	}
	return what + "; Enter for the one in brackets; " + answerCommands
}

// readAnswer reads an answer.
func readAnswer(q *session.Request, text string) (int64, bool) {
	if text == "" {
		return q.Default, q.Die || q.Kind != machine.RulingChoice
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case q.Die:
		return n, err == nil && n >= 1 && n <= int64(q.Sides)
	case q.Kind == machine.RulingChoice:
		return n, err == nil
	case err == nil:
		return n - 1, n >= 1 && n <= int64(len(q.Options))
	}
	if q.Kind >= machine.OfferChoice && len(q.Options) == 2 {
		switch strings.ToLower(text) {
		case "y", "yes":
			return 1, true
		case "n", "no":
			return 0, true
		}
	}
	found := int64(-1)
	for i, w := range q.Options {
		switch {
		case strings.EqualFold(w, text):
			return int64(i), true
		case strings.HasPrefix(strings.ToLower(w), strings.ToLower(text)):
			if found >= 0 {
				return 0, false
			}
			found = int64(i)
		}
	}
	return found, found >= 0
}

// completeAnswer completes the answer to a choice, and what can be typed in its place.
func (t *repl) completeAnswer(q *session.Request) func(string, int) (int, []session.Candidate) {
	return func(text string, at int) (int, []session.Candidate) {
		if strings.HasPrefix(text, ":") || strings.HasPrefix(text, "?") {
			from, list := t.complete(text, at)
			if !strings.Contains(text[:min(at, len(text))], " ") && text[0] == ':' {
				list = slices.DeleteFunc(list, func(c session.Candidate) bool { return !worksAnytime(c.Text) })
			}
			return from, list
		}
		var list []session.Candidate
		for _, w := range q.Options {
			if strings.HasPrefix(w, text[:min(at, len(text))]) {
				list = append(list, session.Candidate{Text: w})
			}
		}
		return 0, list
	}
}
