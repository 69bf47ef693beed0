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
	Title     string          `json:"title"`
	File      string          `json:"file"`
	Seed      uint64          `json:"seed"`
	Walks     uint64          `json:"playthroughs"`
	Choices   float64         `json:"choices"` // mean number per playthrough
	Steps     float64         `json:"steps"`   // mean number of operations per playthrough
	Covered   float64         `json:"covered"` // share of all points that count
	Coverage  []KindCoverage  `json:"coverage"`
	Scenes    []SceneReport   `json:"scenes"`
	Ways      []ChoiceReport  `json:"ways"`
	Ends      []EndingReport  `json:"endings"`
	Gaps      []Gap           `json:"missed"`
	Unreached int             `json:"behind"` // points that were not seen because the story was never near them
	Failures  []FailureReport `json:"failures"`
}

// KindCoverage is the coverage of one kind of points.
type KindCoverage struct {
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

// SceneReport is how often a scene was entered.
type SceneReport struct {
	Place
	Scene   string  `json:"scene"`
	Title   string  `json:"title"`
	Entered uint64  `json:"entered"`
	Share   float64 `json:"share"` // of the playthroughs
}

// ChoiceReport is how often a choice was offered and taken.
type ChoiceReport struct {
	Place
	Scene   string `json:"scene"`
	Label   string `json:"label"` // as written in the source
	Offered uint64 `json:"offered"`
	Taken   uint64 `json:"taken"`
}

// EndingReport is how often the story reached an ending.
type EndingReport struct {
	Ending string  `json:"ending"`
	Times  uint64  `json:"times"`
	Share  float64 `json:"share"` // of the playthroughs
}

// Gap is something that did not happen although the story came near it.
type Gap struct {
	Place
	What string `json:"what"`
}

// FailureReport is a mistake that stopped playthroughs.
type FailureReport struct {
	Failure `json:"-"`
	Place
	Message string `json:"message"`
	Times   uint64 `json:"times"`
	Walk    uint64 `json:"playthrough"` // number of the first playthrough, from 1
	Seed    uint64 `json:"seed"`
	Replay  string `json:"replay"` // flags of `arbiter run` that replay it
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
	r := &reporter{tally: t, source: source}
	x := &Report{
		Title: t.Story.Title, File: file, Seed: t.Seed, Walks: t.Walks, Coverage: []KindCoverage{}, Scenes: []SceneReport{}, Ways: []ChoiceReport{}, Ends: []EndingReport{},
		Gaps: []Gap{}, Failures: []FailureReport{},
	}
	walks := float64(max(1, t.Walks))
	x.Choices, x.Steps = float64(t.Choices)/walks, float64(t.Steps)/walks
	x.Covered = float64(t.Seen()) / float64(t.Goals())
	for _, k := range kinds {
		n := KindCoverage{What: k.name}
		for i, p := range t.Points.List {
			if p.Goal && slices.Contains(k.of, p.What) {
				n.Of++
				n.Seen += int(min(1, t.times(int32(i))))
			}
		}
		if n.Of > 0 {
			x.Coverage = append(x.Coverage, n)
		}
	}
	for i := range t.Story.Scenes {
		s := &t.Story.Scenes[i]
		x.Scenes = append(x.Scenes, SceneReport{Place: place(s.File, s.Span), Scene: s.Path, Title: s.Title, Entered: t.Counts[i], Share: float64(t.Entered[i]) / walks})
	}
	for i, p := range t.Points.List {
		if p.What == story.Taken {
			x.Ways = append(x.Ways, ChoiceReport{
				Place: place(p.File, p.Span), Scene: t.Story.Scenes[t.Story.Where(p.Of)].Path, Label: r.sourceText(p.File, p.Span),
				Offered: t.Counts[t.Points.OfOffer(t.Story, p.Of, int(p.Way))], Taken: t.Counts[i],
			})
		}
	}
	for i, name := range t.Story.Endings {
		x.Ends = append(x.Ends, EndingReport{Ending: name, Times: t.Ended[i], Share: float64(t.Ended[i]) / walks})
	}
	r.addGaps(x)
	for _, f := range t.Failures {
		d := &f.Diagnostic
		x.Failures = append(x.Failures, FailureReport{Failure: f, Place: place(d.File, d.Span), Message: d.Message, Times: f.Times, Walk: f.Walk + 1, Seed: f.Seed, Replay: f.replayFlags()})
	}
	return x
}

// replayFlags returns the flags that replay a playthrough.
func (f *Failure) replayFlags() string {
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
	tally  *Tally
	source func(file string) []byte
	texts  map[string][]byte
}

// sourceText returns the source of a span, on one line.
func (r *reporter) sourceText(file string, span ast.Span) string {
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

// addGaps lists what was not seen although the story reached the place where it happens. What lies beyond something
// unseen is only counted.
func (r *reporter) addGaps(x *Report) {
	t := r.tally
	reached := r.reached()
	for i := range t.Points.List {
		p := &t.Points.List[i]
		if !p.Goal || t.times(int32(i)) > 0 {
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
			shown := p.InText && t.Counts[t.Points.OfText(p.Of, 0)]+t.Counts[t.Points.OfText(p.Of, 1)] > 0
			if shown || !p.InText && reached[p.Of] {
				what = "`" + r.sourceText(p.File, p.Span) + "` " + [...]string{"never holds", "always holds"}[p.Way]
				if !p.InText && t.Story.Code[p.Of].Loop {
					what = "the loop never has anything to do"
				}
			}
		default:
			if reached[p.Of] {
				what = r.branchGap(p)
			}
		}
		if what == "" {
			x.Unreached++
			continue
		}
		x.Gaps = append(x.Gaps, Gap{place(p.File, p.Span), what})
	}
	slices.SortStableFunc(x.Gaps, func(a, b Gap) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		return a.Line - b.Line
	})
}

func (r *reporter) branchGap(p *story.Point) string {
	t := r.tally
	source := "`" + strings.TrimRight(r.sourceText(p.File, p.Span), " :{") + "`"
	switch p.What {
	case story.Taken:
		if t.Counts[t.Points.OfOffer(t.Story, p.Of, int(p.Way))] == 0 {
			return r.sourceText(p.File, p.Span) + " is never offered"
		}
		return r.sourceText(p.File, p.Span) + " is never taken"
	case story.Otherwise:
		return "`otherwise`: a choice is always available"
	case story.Arms:
		if p.Way == 0 {
			return "some arm of the check is always taken"
		}
		return source + " never happens"
	case story.Fights:
		return source + ": the fight never ends like that"
	case story.Turns:
		return fmt.Sprintf("variant %d of `%s` is never told", p.Way+1, t.Story.Counters[t.Story.Code[p.Of].A].Word)
	}
	return ""
}

// reached finds the operations that the story has reached, judging by the points seen.
func (r *reporter) reached() []bool {
	s, p := r.tally.Story, r.tally.Points
	reached := make([]bool, len(s.Code))
	var work []int32
	to := func(at int32) {
		if at >= 0 && !reached[at] {
			reached[at] = true
			work = append(work, at)
		}
	}
	for to(0); len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		s.Ahead(at, func(way int, next int32) {
			if way < 0 || r.tally.Counts[p.OfOp(at, way)] > 0 {
				to(next)
			}
		})
		if o := &s.Code[at]; o.Kind == story.Go || o.Kind == story.Visit {
			to(s.Scenes[o.A].Entry)
		}
	}
	return reached
}
