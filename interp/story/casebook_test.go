package story_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/story"
	"arbiter/lang/ast"
	"arbiter/lang/format"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The casebook: small stories, each with the operations that it compiles to, and its points.
func TestCasebook(t *testing.T) {
	paths, err := filepath.Glob("testdata/casebook/*.adventure")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".adventure"), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s, diags, err := build.Source(path, src, build.Options{Library: os.DirFS("testdata")})
			if err != nil || diags.HasErrors() {
				t.Fatal(err, diags)
			}
			got := (&printer{s.Story}).story()
			golden := strings.TrimSuffix(path, ".adventure") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want, _ := os.ReadFile(golden); got != string(want) {
				t.Errorf("%s differs; got:\n%s", golden, got)
			}
		})
	}
}

// printer prints a story, one operation per line: its address, its source line, and what it does.
type printer struct{ s *story.Story }

func (p *printer) story() string {
	var b strings.Builder
	for i := range p.s.Code {
		for k := range p.s.Scenes {
			if s := &p.s.Scenes[k]; int(s.Entry) == i {
				fmt.Fprintf(&b, "\nscene %d  %s %q\n", k, s.Path, s.Title)
			}
		}
		o := &p.s.Code[i]
		fmt.Fprintf(&b, "%4d %3d  %s\n", i, o.Span.Start.Line, p.op(o))
		if o.Kind == story.Offer {
			p.choices(&b, &p.s.Choices[o.A])
		}
	}
	b.WriteString("\npoints\n")
	points := p.s.Points()
	for i := range points.List {
		x := &points.List[i]
		fmt.Fprintf(&b, "%4d %3d  %s\n", i, x.Span.Start.Line, p.point(x))
	}
	return strings.TrimLeft(b.String(), "\n")
}

func (p *printer) op(o *story.Op) string {
	switch o.Kind {
	case story.Tell:
		return "tell" + map[int32]string{1: " more"}[o.B] + " " + p.text(p.s.Texts[o.A])
	case story.Do:
		return p.statement(o.A)
	case story.Jump:
		return fmt.Sprintf("jump to %d", o.A)
	case story.Test:
		return map[bool]string{true: "while ", false: "test "}[o.Loop] + p.value(o.A) + fmt.Sprintf(", else to %d", o.B)
	case story.Switch:
		return "arm by " + p.value(o.A) + " to " + p.places(o.To) + map[int32]string{0: ", or on", 1: ""}[o.B]
	case story.Offer:
		return "offer"
	case story.Go:
		return "go to scene " + p.s.Scenes[o.A].Path
	case story.Visit:
		return "visit scene " + p.s.Scenes[o.A].Path
	case story.Back:
		return "back"
	case story.End:
		return "end of " + p.s.Scenes[o.A].Path
	case story.Finish:
		if o.B >= 0 {
			return fmt.Sprintf("finish %q %s", p.s.Endings[o.A], p.text(p.s.Texts[o.B]))
		}
		return fmt.Sprintf("finish %q", p.s.Endings[o.A])
	case story.Alternate:
		return p.counter(o.A) + " to " + p.places(o.To)
	case story.PassTime:
		return "pass " + p.value(o.A)
	}
	x := &p.s.Battles[o.A]
	switch o.Kind {
	case story.BeginBattle:
		return fmt.Sprintf("meet %d %q", o.A, x.Title)
	case story.SetMap:
		return "map " + format.Quoted(strings.Join(strings.Fields(x.Map.Rows.Value), "/"))
	case story.AddSide:
		var names []string
		for m := range ast.Members(x.Sides[o.B]) {
			if spot, ok := p.s.Spots[m]; ok {
				names = append(names, m.Name.Name+" at "+p.spot(&spot))
			} else {
				names = append(names, m.Name.Name)
			}
		}
		return "muster " + x.Sides[o.B].Name.Name + ": " + strings.Join(names, ", ")
	case story.PlaceCreature:
		return "stand " + p.value(x.Places[o.B].Who) + " at " + p.spot(&x.Places[o.B].At)
	case story.Follow:
		f := p.s.Battles[o.B].Follows[o.A]
		return f.Who.Name + " follows " + f.Tactics.Name
	case story.Fight:
		text := "fight: won, lost, otherwise to " + p.places(o.To) + fmt.Sprintf(", behind it %d", o.B)
		if x.BreakOff >= 0 {
			text += ", broken off when " + p.value(x.BreakOff)
		}
		return text
	case story.EndBattle:
		return "part"
	}
	return fmt.Sprintf("operation %d", o.Kind)
}

func (p *printer) choices(b *strings.Builder, c *story.Choices) {
	for _, w := range c.Ways {
		text := p.text(p.s.Texts[w.Label])
		if w.Once >= 0 {
			text += " " + p.counter(w.Once)
		}
		if w.Open >= 0 {
			text += " when " + p.value(w.Open)
		}
		for _, cost := range w.Costs {
			text += " cost " + p.value(cost.Amount) + " " + cost.Of + " if " + p.value(cost.Afford) + ", " + p.statement(cost.Pay)
		}
		if w.Check.Name != "" {
			text += fmt.Sprintf(" check %s of %s dc %s", w.Check.Name, w.Check.Who, p.value(w.Check.DC))
		}
		fmt.Fprintf(b, "     %3d    %s to %d\n", w.Span.Start.Line, text, w.To)
	}
	fmt.Fprintf(b, "            otherwise to %d, behind them %d\n", c.Otherwise, c.After)
}

func (p *printer) value(id int32) string { return "`" + format.Expr(p.s.Values[id].Node) + "`" }

// statement returns a statement on one line.
func (p *printer) statement(id int32) string {
	d := &p.s.Statements[id]
	text := strings.Join(strings.Fields(format.Node(d.Node)), " ")
	if most := 90; len(text) > most {
		text = text[:most] + "..."
	}
	return map[bool]string{true: "note ", false: "do "}[d.Hidden] + "`" + text + "`"
}

func (p *printer) counter(id int32) string {
	c := &p.s.Counters[id]
	return fmt.Sprintf("%s.%d (%d ways, %s)", c.Word, id, c.Ways, c.Name)
}

func (p *printer) spot(x *story.Spot) string {
	if len(x.Square) == 0 {
		return "mark " + format.Expr(x.Node)
	}
	var xyz []string
	for _, id := range x.Square {
		xyz = append(xyz, p.value(id))
	}
	return strings.Join(xyz, ", ")
}

func (p *printer) places(to []int32) string { return strings.Trim(fmt.Sprint(to), "[]") }

func (p *printer) text(t story.Text) string {
	var b strings.Builder
	for _, x := range t {
		var ways []string
		for _, w := range x.Ways {
			ways = append(ways, p.text(w))
		}
		switch {
		case x.If:
			b.WriteString("{if " + p.value(x.Value) + ": " + strings.Join(ways, " | ") + "}")
		case x.Counter >= 0:
			b.WriteString("{" + p.counter(x.Counter) + ": " + strings.Join(ways, " | ") + "}")
		case x.Value >= 0:
			b.WriteString("{" + p.value(x.Value) + "}")
		default:
			b.WriteString(x.Words)
		}
	}
	return strings.ReplaceAll(b.String(), "\n", `\n`)
}

func (p *printer) point(x *story.Point) string {
	what := []string{"entered", "taken", "offered", "otherwise", "arm", "fight", "side", "turn", "ending"}
	text := what[x.What] + " " + fmt.Sprint(x.Of)
	if !slices.Contains([]story.What{story.Entered, story.Endings}, x.What) {
		text += "." + fmt.Sprint(x.Way)
	}
	if x.InText {
		text += " in a text"
	}
	if !x.Goal {
		text += ", no goal"
	}
	return text
}
