package walk

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/story"
	"arbiter/lang/ast"
)

// This file reports what a walk has seen and what it has not.

// Report is what `arbiter test --walk --json` prints of an adventure; spec/json.md describes it.
type Report struct {
	Title    string  `json:"title"`
	File     string  `json:"file"`
	Seed     uint64  `json:"seed"`
	Walks    uint64  `json:"playthroughs"`
	Choices  float64 `json:"choices"` // mean number per playthrough
	Steps    float64 `json:"steps"`   // mean number of operations per playthrough
	Covered  float64 `json:"covered"` // share of all points that count
	Coverage []Kind  `json:"coverage"`
	Scenes   []Scene `json:"scenes"`
	Ways     []Way   `json:"ways"`
	Ends     []End   `json:"endings"`
	Missed   []Miss  `json:"missed"`
	Behind   int     `json:"behind"` // points that were not seen because the story was never near them
	Failures []Fault `json:"failures"`
}

// Kind is the coverage of one kind of points.
type Kind struct {
	What string `json:"what"` // scenes, ways, checks, fights, conditions, turns, endings
	Seen int    `json:"seen"`
	Of   int    `json:"of"`
}

// Place is a position in a file.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Scene is how often a scene was entered.
type Scene struct {
	Place
	Scene   string  `json:"scene"`
	Title   string  `json:"title"`
	Entered uint64  `json:"entered"`
	Share   float64 `json:"share"` // of the playthroughs
}

// Way is how often a choice was offered and taken.
type Way struct {
	Place
	Scene   string `json:"scene"`
	Label   string `json:"label"` // as written in the source
	Offered uint64 `json:"offered"`
	Taken   uint64 `json:"taken"`
}

// End is how often the story reached an ending.
type End struct {
	Ending string  `json:"ending"`
	Times  uint64  `json:"times"`
	Share  float64 `json:"share"` // of the playthroughs
}

// Miss is something that did not happen although the story came near it.
type Miss struct {
	Place
	What string `json:"what"`
}

// Fault is a mistake that stopped playthroughs.
type Fault struct {
	Failure `json:"-"`
	Place
	Message string `json:"message"`
	Times   uint64 `json:"times"`
	Walk    uint64 `json:"playthrough"` // number of the first playthrough, from 1
	Seed    uint64 `json:"seed"`
	Again   string `json:"replay"` // flags of `arbiter run` that replay it
}

// kinds groups the points for the report.
var kinds = []struct {
	name string
	of   []story.What
}{
	{"scenes", []story.What{story.Entered}},
	{"ways", []story.What{story.Taken, story.Otherwise}},
	{"checks", []story.What{story.Arms}},
	{"fights", []story.What{story.Fights}},
	{"conditions", []story.What{story.Sides}},
	{"turns", []story.What{story.Turns}},
	{"endings", []story.What{story.Endings}},
}

// NewReport makes a report from a tally; source returns the text of a file of the adventure.
func NewReport(t *Tally, file string, source func(file string) []byte) *Report {
	r := &reporter{t: t, source: source}
	x := &Report{
		Title: t.Story.Title, File: file, Seed: t.Seed, Walks: t.Walks, Coverage: []Kind{}, Scenes: []Scene{}, Ways: []Way{}, Ends: []End{},
		Missed: []Miss{}, Failures: []Fault{},
	}
	walks := float64(max(1, t.Walks))
	x.Choices, x.Steps = float64(t.Choices)/walks, float64(t.Steps)/walks
	x.Covered = float64(t.Seen()) / float64(t.Goals())
	for _, k := range kinds {
		n := Kind{What: k.name}
		for i, p := range t.Points.List {
			if p.Goal && slices.Contains(k.of, p.What) {
				n.Of++
				n.Seen += int(min(1, t.Times(int32(i))))
			}
		}
		if n.Of > 0 {
			x.Coverage = append(x.Coverage, n)
		}
	}
	for i := range t.Story.Scenes {
		s := &t.Story.Scenes[i]
		x.Scenes = append(x.Scenes, Scene{Place: place(s.File, s.Span), Scene: s.Path, Title: s.Title, Entered: t.Counts[i], Share: float64(t.Entered[i]) / walks})
	}
	for i, p := range t.Points.List {
		if p.What == story.Taken {
			x.Ways = append(x.Ways, Way{
				Place: place(p.File, p.Span), Scene: t.Story.Scenes[t.Story.Where(p.Of)].Path, Label: r.words(p.File, p.Span),
				Offered: t.Counts[t.Points.OfOffer(t.Story, p.Of, int(p.Way))], Taken: t.Counts[i],
			})
		}
	}
	for i, name := range t.Story.Endings {
		x.Ends = append(x.Ends, End{Ending: name, Times: t.Ended[i], Share: float64(t.Ended[i]) / walks})
	}
	r.missed(x)
	for _, f := range t.Failures {
		d := &f.Diagnostic
		x.Failures = append(x.Failures, Fault{Failure: f, Place: place(d.File, d.Span), Message: d.Message, Times: f.Times, Walk: f.Walk + 1, Seed: f.Seed, Again: f.again()})
	}
	return x
}

// again returns the flags that replay a playthrough.
func (f *Failure) again() string {
	if f.Takes == nil {
		return fmt.Sprintf("--habit chance --seed %d", f.Seed)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--seed %d", f.Seed)
	for _, n := range f.Takes {
		fmt.Fprintf(&b, " --take %d", n)
	}
	return b.String()
}

func place(file string, span ast.Span) Place {
	return Place{File: file, Line: span.Start.Line, Column: span.Start.Column}
}

type reporter struct {
	t      *Tally
	source func(file string) []byte
	texts  map[string][]byte
}

// words returns the source of a span, on one line.
func (r *reporter) words(file string, span ast.Span) string {
	text, known := r.texts[file]
	if !known {
		if text = r.source(file); r.texts == nil {
			r.texts = map[string][]byte{}
		}
		r.texts[file] = text
	}
	if span.Start.Offset < 0 || span.End.Offset > len(text) || span.Start.Offset > span.End.Offset {
		return ""
	}
	return string(bytes.Join(bytes.Fields(text[span.Start.Offset:span.End.Offset]), []byte(" ")))
}

// missed lists what was not seen although the story reached the place where it happens. What lies beyond something unseen
// is only counted.
func (r *reporter) missed(x *Report) {
	t := r.t
	came := r.came()
	for i := range t.Points.List {
		p := &t.Points.List[i]
		if !p.Goal || t.Times(int32(i)) > 0 {
			continue
		}
		what := ""
		switch p.What {
		case story.Entered:
			what = "the scene " + t.Story.Scenes[p.Of].Path + " is never entered"
		case story.Endings: // it was never reached, but that is worth a line unless the ending occurs elsewhere
			if t.Ended[t.Story.Code[p.Of].A] == 0 {
				what = strings.TrimSpace("the story never ends at `finish "+t.Story.Endings[t.Story.Code[p.Of].A]) + "`"
			}
		case story.Sides:
			told := p.InText && t.Counts[t.Points.OfText(p.Of, 0)]+t.Counts[t.Points.OfText(p.Of, 1)] > 0
			if told || !p.InText && came[p.Of] {
				what = "`" + r.words(p.File, p.Span) + "` " + [...]string{"never holds", "always holds"}[p.Way]
				if !p.InText && t.Story.Code[p.Of].Loop {
					what = "the loop never has anything to do"
				}
			}
		default:
			if came[p.Of] {
				what = r.branch(p)
			}
		}
		if what == "" {
			x.Behind++
			continue
		}
		x.Missed = append(x.Missed, Miss{place(p.File, p.Span), what})
	}
	slices.SortStableFunc(x.Missed, func(a, b Miss) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return a.Line - b.Line
	})
}

func (r *reporter) branch(p *story.Point) string {
	t := r.t
	words := "`" + strings.TrimRight(r.words(p.File, p.Span), " :{") + "`"
	switch p.What {
	case story.Taken:
		if t.Counts[t.Points.OfOffer(t.Story, p.Of, int(p.Way))] == 0 {
			return r.words(p.File, p.Span) + " is never offered"
		}
		return r.words(p.File, p.Span) + " is never taken"
	case story.Otherwise:
		return "`otherwise`: a choice is always available"
	case story.Arms:
		if p.Way == 0 {
			return "some arm of the check is always taken"
		}
		return words + " never happens"
	case story.Fights:
		return words + ": the fight never ends like that"
	case story.Turns:
		return fmt.Sprintf("variant %d of `%s` is never told", p.Way+1, t.Story.Counters[t.Story.Code[p.Of].A].Word)
	}
	return ""
}

// came finds the operations that the story has reached, judging by the points seen.
func (r *reporter) came() []bool {
	s, p := r.t.Story, r.t.Points
	came := make([]bool, len(s.Code))
	var work []int32
	to := func(at int32) {
		if at >= 0 && !came[at] {
			came[at] = true
			work = append(work, at)
		}
	}
	for to(0); len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		s.Ahead(at, func(way int, next int32) {
			if way < 0 || r.t.Counts[p.OfOp(at, way)] > 0 {
				to(next)
			}
		})
		if o := &s.Code[at]; o.Kind == story.Go || o.Kind == story.Visit {
			to(s.Scenes[o.A].Entry)
		}
	}
	return came
}
