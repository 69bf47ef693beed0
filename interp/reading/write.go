package reading

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"arbiter/lang/diag"
	"arbiter/lang/format"
	"arbiter/lang/parse"
	"arbiter/stdlib/statblock"
)

// This file writes drafts as rules.

// Marker begins the part of a file that an import leaves alone.
const Marker = "# ---- your own changes: an import keeps what stands below this line ----"

// File is what has been read of one source.
type File struct {
	Ruleset string // its name
	From    string // what the source is called
	Doc     string // of the ruleset; "" if it says from what it was read
	Made    bool   // once: no marker
	Drafts  []*Draft
	Rest    []statblock.Entry // what stands before the first block, such as its licence
	Own     []byte            // from the marker on
}

// OwnPart returns what stands below the marker of a file that has been written before.
func OwnPart(old []byte) []byte {
	if i := bytes.Index(old, []byte(Marker)); i >= 0 {
		return bytes.TrimLeft(old[i+len(Marker):], "\r\n")
	}
	return nil
}

// line is where a line of a trial comes from.
type line struct {
	draft *Draft
	item  *Item // nil: the frame of the creature, or a claim
	claim int   // of the draft, -1 if it is none
}

// maxTrials is how often a file is tried with less in it.
const maxTrials = 8

// Settle tries the drafts, and turns what the rules do not accept into comments.
func (r *Reader) Settle(f *File) error {
	for trial := range maxTrials {
		text, lines := r.trial(f.Drafts)
		s, diags, err := r.build(r.bases(f.Drafts), text)
		if err != nil {
			return err
		}
		if s.Rules != nil {
			f.keepClaims()
			f.count()
			return nil
		}
		refused := false
		for _, d := range diags {
			if d.Severity == diag.Error && r.refuse(f, lines, d, trial == maxTrials-2) {
				refused = true
			}
		}
		if !refused {
			return fmt.Errorf("what has been read of %s is not accepted: %s", f.From, diags[0].Message)
		}
	}
	return fmt.Errorf("what has been read of %s is not accepted", f.From)
}

// keepClaims makes comments of the figures that the rules do not accept.
func (f *File) keepClaims() {
	for _, d := range f.Drafts {
		for _, c := range d.Claims {
			if c.Kind == "" && c.Why != "" {
				d.Body = append(d.Body, Item{Text: c.Text, Line: c.Line, Note: Kept, Why: c.Why})
			}
		}
	}
}

// refuse turns what a diagnostic is about into a comment. If all else has failed, the whole creature.
func (r *Reader) refuse(f *File, lines []line, d diag.Diagnostic, all bool) bool {
	n := d.Span.Start.Line - 2 // below the header
	if n < 0 || n >= len(lines) || lines[n].draft == nil {
		return false
	}
	l := lines[n]
	switch {
	case l.item != nil && l.item.Note == None:
		l.item.Note, l.item.Why = Refused, d.Message
		return true
	case l.claim >= 0:
		c := &l.draft.Claims[l.claim]
		c.Kind, c.Why = "", d.Message
		return true
	case all || l.item == nil:
		if l.draft.Failure != "" {
			return false
		}
		l.draft.Failure = d.Message
		l.draft.Extends = ""
		for _, list := range [][]Item{l.draft.Declared, l.draft.Body, l.draft.Has} {
			for i := range list {
				if list[i].Note == None {
					list[i].Note, list[i].Why = Refused, d.Message
				}
			}
		}
		for i := range l.draft.Claims {
			l.draft.Claims[i].Kind = ""
		}
		return true
	}
	return false
}

// trial writes the drafts with one part a line.
func (r *Reader) trial(drafts []*Draft) (string, []line) {
	var b strings.Builder
	var lines []line
	put := func(l line, format string, args ...any) {
		fmt.Fprintf(&b, format+"\n", args...)
		lines = append(lines, l)
	}
	for _, d := range drafts {
		for i := range d.Declared {
			if d.Declared[i].Note == None {
				put(line{d, &d.Declared[i], -1}, "%s", oneLine(d.Declared[i].Text))
			}
		}
		put(line{d, nil, -1}, "%s {", d.head())
		for i := range d.Body {
			if d.Body[i].Note == None {
				put(line{d, &d.Body[i], -1}, "%s", oneLine(d.Body[i].Text))
			}
		}
		for i := range d.Has {
			if d.Has[i].Note == None {
				put(line{d, &d.Has[i], -1}, "has %s", oneLine(d.Has[i].Text))
			}
		}
		if len(d.Claims) > 0 {
			put(line{d, nil, -1}, "printed {")
			for i, c := range d.Claims {
				if c.Kind != "" {
					put(line{d, nil, i}, "%s", oneLine(c.Text))
				}
			}
			put(line{d, nil, -1}, "}")
		}
		put(line{d, nil, -1}, "}")
	}
	return b.String(), lines
}

// oneLine keeps a text from adding lines to what it is a part of.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (d *Draft) head() string {
	head := "creature " + d.Name
	if d.Extends != "" {
		head += " extends " + d.Extends
	}
	if d.Doc != "" {
		head += " " + format.Quoted(oneLine(d.Doc))
	}
	return head
}

// count counts the words that have been understood: all that are in no comment.
func (f *File) count() {
	for _, d := range f.Drafts {
		d.Understood = d.Words
		for _, list := range [][]Item{d.Declared, d.Body, d.Has} {
			for _, item := range list {
				if item.Note == Kept {
					d.Understood -= statblock.Words(item.Text)
				}
			}
		}
		d.Understood = max(0, d.Understood)
	}
}

// Text is the file in canonical form.
func (r *Reader) Text(f *File) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "ruleset %s extends %s\n  %s\n\n", f.Ruleset, strings.Join(r.bases(f.Drafts), ", "), format.Quoted(cmp.Or(f.Doc, "Read from "+f.From+".")))
	for _, e := range f.Rest {
		comment(&b, "", labelled(e.Label, e.Text))
	}
	if len(f.Rest) > 0 {
		b.WriteString("\n")
	}
	for _, d := range f.Drafts {
		d.write(&b)
	}
	if !f.Made {
		b.WriteString(Marker + "\n\n")
		b.Write(f.Own)
	}
	src := []byte(b.String())
	parsed, diags := parse.File(f.Ruleset+".rules", src)
	if diags.HasErrors() { // of the author's own part
		return src
	}
	return format.Format(parsed, src)
}

// write writes one creature.
func (d *Draft) write(b *strings.Builder) {
	if d.Failure != "" {
		comment(b, "", "Not understood: "+d.Failure)
	}
	for i := range d.Declared {
		d.Declared[i].write(b, "")
	}
	fmt.Fprintf(b, "%s {\n", d.head())
	for i := range d.Body {
		d.Body[i].write(b, "  ")
	}
	var has []string
	for i := range d.Has {
		if item := &d.Has[i]; item.Note == None {
			has = append(has, oneLine(item.Text))
		} else {
			item.write(b, "  ")
		}
	}
	if len(has) > 0 {
		fmt.Fprintf(b, "  has %s\n", strings.Join(has, ", "))
	}
	var claims []string
	for _, c := range d.Claims {
		if c.Kind != "" {
			claims = append(claims, oneLine(c.Text))
		}
	}
	if len(claims) > 0 {
		b.WriteString("  printed {\n")
		fill(b, claims)
		b.WriteString("  }\n")
	}
	b.WriteString("}\n\n")
}

// fill writes clauses, as many in a line as fit.
func fill(b *strings.Builder, clauses []string) {
	const width = 96
	n := 0
	for i, c := range clauses {
		switch {
		case i == 0:
			b.WriteString("    ")
			n = 4
		case n+2+len(c) > width:
			b.WriteString("\n    ")
			n = 4
		default:
			b.WriteString("; ")
			n += 2
		}
		b.WriteString(c)
		n += len(c)
	}
	b.WriteString("\n")
}

func (i *Item) write(b *strings.Builder, indent string) {
	switch i.Note {
	case None:
		b.WriteString(indent + oneLine(i.Text) + "\n")
	case Kept:
		text := i.Text
		if i.Why != "" {
			text += "  (" + i.Why + ")"
		}
		comment(b, indent, text)
	case Ambiguous:
		comment(b, indent, "ambiguous: "+i.Text)
	case Refused:
		comment(b, indent, "not accepted: "+i.Text+"  ("+i.Why+")")
	}
}

// comment writes a text as comment lines.
func comment(b *strings.Builder, indent, text string) {
	const width = 100
	line := ""
	flush := func() {
		b.WriteString(indent + "# " + line + "\n")
		line = ""
	}
	for _, w := range strings.Fields(text) {
		if line != "" && len(indent)+3+len(line)+len(w) > width {
			flush()
			line = "  "
		}
		if strings.TrimSpace(line) != "" {
			line += " "
		}
		line += w
	}
	if line != "" {
		flush()
	}
}
