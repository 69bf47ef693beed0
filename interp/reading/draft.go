package reading

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"go.starlark.net/starlark"

	"arbiter/interp/sandbox"
	"arbiter/stdlib/pattern"
	"arbiter/stdlib/statblock"
)

// tooLong is a number with which nothing can be computed.
var tooLong = pattern.New(`\d{13,}`)

// Draft is a creature in parts, as a reading makes it of a sheet.
type Draft struct {
	Title    string
	Name     string // of the creature in the language
	Extends  string
	Doc      string
	Declared []Item // what stands beside the creature: its weapons, its effects
	Body     []Item // fields and flags
	Has      []Item // effects, without the word
	Claims   []Claim
	Suspects []Suspect
	Borrows  []string // rulesets that it needs besides those that all do
	Failure  string   // why there is no more of it; "" if there is
	Steps    []Step   // how it was made, of a Maker
	Figures  []string // expressions that are worth showing, of a Maker

	Line       int // of the sheet
	Words      int // of the sheet
	Understood int // of the words
}

// Item is a part of a draft: a clause in the language, or a comment.
type Item struct {
	Text string
	Line int // in the source
	Note Note
	Why  string // of a comment
}

// Note is what a comment is.
type Note uint8

// The kinds of notes.
const (
	None      Note = iota // a clause
	Kept                  // text that was not understood
	Ambiguous             // text that could be read otherwise
	Refused               // a clause that the rules do not accept
)

// Claim is a figure that the sheet states, as a condition of the language.
type Claim struct {
	Kind string // of figure, for the table of agreement; "" if the rules do not accept it
	Text string
	Line int
	Why  string // the rules do not accept it
}

// Suspect is a way in which a sheet may have been meant: a part that is not there, or that is different.
type Suspect struct {
	Says string
	Text string // a clause of the creature's body
	Kind string // of the figures that it may explain
}

// Read makes a draft of a sheet. Whatever goes wrong, the draft has every word.
func (r *Reader) Read(sheet *statblock.Sheet) *Draft {
	entries := make([]starlark.Value, len(sheet.Entries))
	var absurd []Item
	for i, e := range sheet.Entries {
		if n := tooLong().FindString(e.Text); n != "" && e.Value == nil && e.Key != statblock.Name {
			absurd = append(absurd, Item{Text: fmt.Sprintf("%s has a number of %d digits, and is kept as a comment", cmp.Or(e.Label, "the text"), len(n)), Line: e.At.Line, Note: Ambiguous})
			e.Key, e.Label, e.Text = statblock.Prose, "", labelled(e.Label, e.Text)
		}
		d := dict("key", starlark.String(e.Key), "label", starlark.String(e.Label), "text", starlark.String(e.Text), "line", starlark.MakeInt(e.At.Line))
		if e.Value != nil {
			d.SetKey(starlark.String("value"), valueOf(e.Value, 0))
		}
		entries[i] = d
	}
	d, err := r.draft(starlark.NewList(entries))
	if err != nil {
		d = r.unread(sheet, err)
	} else {
		d.Body = append(d.Body, absurd...)
		r.keepUnused(sheet, d)
	}
	d.Words = sheet.Words()
	d.Line = 1
	if len(sheet.Entries) > 0 {
		d.Line = sheet.Entries[0].At.Line
	}
	return d
}

// draft calls the function of the reading.
func (r *Reader) draft(entries starlark.Value) (*Draft, error) {
	v, err := r.thread.Run(r.function, starlark.Tuple{entries}, nil)
	if err != nil {
		return nil, failed(r.File, err)
	}
	x, ok := v.(*starlark.Dict)
	if !ok {
		return nil, fmt.Errorf("%s: read returned a %s instead of a dict", r.File, v.Type())
	}
	if problem := text(x, "problem"); problem != "" {
		return nil, errors.New(problem)
	}
	return r.draftOf(x)
}

// draftOf makes a draft of the dict that describes it.
func (r *Reader) draftOf(x *starlark.Dict) (*Draft, error) {
	d := &Draft{Title: text(x, "title"), Name: text(x, "name"), Extends: text(x, "extends"), Doc: text(x, "doc")}
	if d.Name == "" {
		return nil, fmt.Errorf("%s: read gives the creature no name", r.File)
	}
	for _, list := range []struct {
		key  string
		into *[]Item
	}{{"declare", &d.Declared}, {"body", &d.Body}, {"has", &d.Has}} {
		for _, v := range elements(x, list.key) {
			item, err := itemOf(v)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", r.File, list.key, err)
			}
			*list.into = append(*list.into, item)
		}
	}
	borrowed, _, _ := x.Get(starlark.String("borrows"))
	var err error
	if d.Borrows, err = stringsOf(borrowed, "borrows"); err != nil {
		return nil, fmt.Errorf("%s: %w", r.File, err)
	}
	for _, name := range d.Borrows {
		if !slices.Contains(r.lends, name) {
			return nil, fmt.Errorf("%s: borrows: %s is not among what it lends", r.File, name)
		}
	}
	for _, v := range elements(x, "claims") {
		parts, err := tuple(v, 3)
		if err != nil {
			return nil, fmt.Errorf("%s: claims: %w", r.File, err)
		}
		d.Claims = append(d.Claims, Claim{Kind: str(parts[0]), Text: str(parts[1]), Line: intOf(parts[2])})
	}
	for _, v := range elements(x, "suspects") {
		parts, err := tuple(v, 3)
		if err != nil {
			return nil, fmt.Errorf("%s: suspects: %w", r.File, err)
		}
		d.Suspects = append(d.Suspects, Suspect{str(parts[0]), str(parts[1]), str(parts[2])})
	}
	return d, nil
}

// unread is the draft of a sheet whose reading failed: all of it is a comment.
func (r *Reader) unread(sheet *statblock.Sheet, err error) *Draft {
	d := &Draft{Failure: err.Error(), Title: "unnamed"}
	if e := sheet.Get(statblock.Name); e != nil {
		d.Title = e.Text
	}
	d.Name = r.freshName(nameOf(d.Title))
	for _, e := range sheet.Entries {
		d.Body = append(d.Body, Item{Text: labelled(e.Label, e.Text), Line: e.At.Line, Note: Kept})
	}
	return d
}

func labelled(label, text string) string {
	switch {
	case label == "":
		return text
	case text == "":
		return label + ":"
	}
	return label + ": " + text
}

// itemOf reads an item: a clause, a pair of a clause and its line, or a comment as a tuple of what it is, its text, its
// line and why it is one.
func itemOf(v starlark.Value) (Item, error) {
	if s, ok := starlark.AsString(v); ok {
		return Item{Text: s}, nil
	}
	t, ok := v.(starlark.Tuple)
	if !ok || len(t) < 2 {
		return Item{}, fmt.Errorf("an item is a string or a tuple, and not a %s", v.Type())
	}
	if len(t) == 2 {
		return Item{Text: str(t[0]), Line: intOf(t[1])}, nil
	}
	item := Item{Text: str(t[1]), Line: intOf(t[2])}
	switch str(t[0]) {
	case "kept":
		item.Note = Kept
	case "ambiguous":
		item.Note = Ambiguous
	default:
		return Item{}, fmt.Errorf("a comment is \"kept\" or \"ambiguous\", and not %s", t[0])
	}
	if len(t) > 3 {
		item.Why = str(t[3])
	}
	return item, nil
}

func text(d *starlark.Dict, key string) string {
	v, _, _ := d.Get(starlark.String(key))
	return str(v)
}

func str(v starlark.Value) string {
	s, _ := starlark.AsString(orNone(v))
	return s
}

func elements(d *starlark.Dict, key string) []starlark.Value {
	v, _, _ := d.Get(starlark.String(key))
	seq, ok := v.(starlark.Iterable)
	if !ok {
		return nil
	}
	var list []starlark.Value
	it := seq.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		list = append(list, x)
	}
	return list
}

func tuple(v starlark.Value, n int) (starlark.Tuple, error) {
	if t, ok := v.(starlark.Tuple); ok && len(t) == n {
		return t, nil
	}
	return nil, fmt.Errorf("an element is not a tuple of %d", n)
}

// fresh(name) returns a name that neither the rules nor what was read before have: the same, or with a word or a number
// behind it.
func (r *Reader) fresh(args starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := texts("fresh", args, &name); err != nil {
		return nil, err
	}
	if r.oracle == nil {
		return nil, sandbox.Refuse("ask inside of a function", "fresh: the rules are not there yet")
	}
	return starlark.String(r.freshName(name)), nil
}

func (r *Reader) freshName(name string) string {
	if name == "" {
		name = "unnamed"
	}
	known := func(name string) bool { return r.oracle != nil && r.oracle.KindOf(name) != "" }
	if known(name) {
		name += "-read"
	}
	wanted := name
	for i := 2; r.taken[name] || known(name); i++ {
		name = wanted + "-" + strconv.Itoa(i)
	}
	r.taken[name] = true
	return name
}
