package board

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/view"
)

// This file prints the page of one combatant, and the log.

// Who prints everything about one combatant.
func (b Board) Who(x *view.Sheet) string {
	p := &page{b: b}
	title := term.Clean(x.Name)
	if x.Template != "" {
		title += ", " + x.Template
	}
	title += " of " + term.Clean(x.Side)
	if x.Position != nil {
		title += fmt.Sprintf(", at (%d, %d)", x.Position[0], x.Position[1])
	}
	if x.Down {
		title += ", out of the fight"
	}
	p.out.WriteString(b.paint(term.Bold, b.screen.Cut(title, b.width)) + "\n")
	p.pools(x)
	p.cells("Turn", amountCells(slices.Concat(x.Turn, x.WholeTurn), true))
	p.cells("Reactions", amountCells(x.Reactions, true))
	p.cells("Counts", amountCells(x.Counts, false))
	p.effectList("Conditions", x.Conditions)
	p.effectList("Effects", x.Effects)
	for _, plan := range x.Plans {
		p.list("Waits", fmt.Sprintf("%s, %s (%s)", plan.When, plan.Do, plan.Lasts))
	}
	p.list("Feats", strings.Join(x.Feats, ", "))
	p.cells("Carries", namedCells(x.Carries))
	var stats, fields []cell
	var zeros []string
	for _, st := range x.Stats {
		if st.Value == 0 {
			zeros = append(zeros, st.Name)
		} else {
			stats = append(stats, cell{st.Name, st.Shown})
		}
	}
	p.cells("Stats", stats)
	p.list("Stats that are 0", strings.Join(zeros, ", "))
	for _, f := range x.Fields {
		if !f.Usual {
			fields = append(fields, cell{f.Name, strings.Trim(f.Value, "[]")})
		}
	}
	p.cells("Made with", fields)
	return p.out.String()
}

// page is printed section by section.
type page struct {
	b   Board
	out strings.Builder
}

// cell is a name and its value.
type cell struct{ name, value string }

func namedCells(list []view.Named) []cell {
	var out []cell
	for _, n := range list {
		out = append(out, cell{n.Name, n.Value})
	}
	return out
}

// amountCells lists resources; those that are zero only if all is set.
func amountCells(list []view.Amount, all bool) []cell {
	var out []cell
	for _, a := range list {
		if all || a.Value != 0 {
			out = append(out, cell{a.Name, amountText(a)})
		}
	}
	return out
}

func (p *page) heading(text string) { p.out.WriteString(p.b.paint(term.Yellow, text) + "\n") }

// pools draws the pools, with bars.
func (p *page) pools(x *view.Sheet) {
	widest := 0
	for _, a := range x.Pools {
		widest = max(widest, term.Columns(a.Name))
	}
	widest = min(widest, p.b.width/3)
	for _, a := range x.Pools {
		p.out.WriteString("  " + term.Pad(p.b.screen.Cut(a.Name, widest), widest) + "  " + p.b.bar(a, 2*maxBarWidth) + " " + amountText(a) + "\n")
	}
}

// list prints a heading and a list; nothing if the list is empty.
func (p *page) list(heading, text string) {
	if text = term.Clean(text); text == "" {
		return
	}
	p.heading(heading)
	p.out.WriteString(strings.Join(p.b.wrapHard(text, "  ", "  "), "\n") + "\n")
}

// cells prints names and values in columns, row by row. The column width fits most of them; a longer one takes several
// columns.
func (p *page) cells(heading string, list []cell) {
	if len(list) == 0 {
		return
	}
	p.heading(heading)
	room := p.b.width - 2
	var widths []int
	for i, c := range list {
		list[i] = cell{term.Clean(c.name), p.b.screen.Cut(term.Clean(c.value), room/2)}
		widths = append(widths, term.Columns(list[i].name)+1+term.Columns(list[i].value)+2)
	}
	sorted := slices.Sorted(slices.Values(widths))
	width := min(sorted[len(sorted)*4/5], room)
	line, used := "  ", 0
	for i, c := range list {
		takes := min((widths[i]+width-1)/width*width, room)
		if used > 0 && used+takes > room+2 {
			p.out.WriteString(strings.TrimRight(line, " ") + "\n")
			line, used = "  ", 0
		}
		value := p.b.paint(term.Bold, c.value)
		line += p.b.screen.Cut(c.name, room-1-term.Columns(c.value)) + " " + value + strings.Repeat(" ", max(takes-widths[i], 0)+2)
		used += takes
	}
	p.out.WriteString(strings.TrimRight(line, " ") + "\n")
}

// effectList lists effects, one per line: name, duration, and origin.
func (p *page) effectList(heading string, list []view.Effect) {
	if len(list) == 0 {
		return
	}
	p.heading(heading)
	name := 0
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = term.Clean(strings.TrimSpace(e.Name + " " + e.With))
		name = max(name, term.Columns(texts[i]))
	}
	name = min(name, p.b.width/3)
	for i, e := range list {
		description := e.Lasts
		if e.From != "" {
			description += ", from " + e.From
		}
		for _, k := range e.Keeps {
			description += ", " + k.Name + " " + k.Value
		}
		if e.Doc != "" {
			description += ". " + e.Doc
		}
		first := "  " + term.Pad(p.b.screen.Cut(texts[i], name), name) + "  "
		rest := p.b
		rest.width -= term.Columns(first)
		for k, line := range rest.wrapHard(term.Clean(description), "", "") {
			if k > 0 {
				first = strings.Repeat(" ", 4+name)
			}
			p.out.WriteString(first + line + "\n")
		}
	}
}

// Log prints lines of the transcript, with the headings of their rounds. Lines that are too long are wrapped with an
// indent.
func (b Board) Log(lines []view.Line) string {
	var out strings.Builder
	for _, x := range lines {
		text := strings.TrimLeft(x.Text, " ")
		if x.Round > 0 {
			out.WriteString(b.paint(term.Yellow, text) + "\n")
			continue
		}
		indent := strings.Repeat(" ", min(len(x.Text)-len(text), b.width/2))
		inner := b
		inner.width -= len(indent)
		for _, line := range inner.wrapHard(term.Clean(text), "", "    ") {
			out.WriteString(indent + line + "\n")
		}
	}
	return out.String()
}
