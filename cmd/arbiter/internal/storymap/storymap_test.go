package storymap

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/story"
	"arbiter/interp/walk"
	"arbiter/rules"
)

func open(t *testing.T) *build.Script {
	t.Helper()
	s, diags, err := build.File("../../../../interp/walk/testdata/keep.adventure", build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	return s
}

func source(file string) []byte {
	text, _ := os.ReadFile(file)
	return text
}

func find(t *testing.T, nodes []*Node, id string) *Node {
	t.Helper()
	for _, n := range nodes {
		if n.ID == id {
			return n
		}
	}
	t.Fatalf("there is no %s", id)
	return nil
}

// Which scene leads to which, and by which choices.
func TestGraph(t *testing.T) {
	nodes := buildGraph(open(t).Story, source, nil)
	for _, c := range []struct {
		from, to string
		visit    bool
		labels   string
	}{
		{"scene-moor", "scene-road", false, "Take the road"},
		{"scene-moor", "scene-postern", false, "Go through the bog"},
		{"scene-moor", "scene-moor", false, ""},
		{"scene-road", "scene-beggar", true, "Pay the beggar"},
		{"scene-gate", "scene-alarm", false, "Say who you are; Break it open"},
		{"scene-alarm", "end-dead", false, ""},
		{"scene-yard", "end-poor", false, "Leave with what there is"},
	} {
		from, to := find(t, nodes, c.from), find(t, nodes, c.to)
		found := false
		for _, e := range from.Out {
			if e.To == to {
				if found = true; e.Visit != c.visit || e.All() != c.labels {
					t.Errorf("%s to %s: %q, visit %v", c.from, c.to, e.All(), e.Visit)
				}
			}
		}
		if !found {
			t.Errorf("%s does not lead to %s", c.from, c.to)
		}
	}
	if n := find(t, nodes, "scene-tower"); !n.Fight || n.Fights[0] != "Before the throne" {
		t.Errorf("the fight of the tower: %v", n.Fights)
	}
}

// Every edge leads down, except for back edges, and no two boxes of a layer touch.
func TestLayout(t *testing.T) {
	nodes := buildGraph(open(t).Story, source, nil)
	p := layOut(nodes)
	for _, r := range p.routes {
		if down := r.edge.From.layer < r.edge.To.layer; down == r.back {
			t.Errorf("%s to %s goes the wrong way", r.edge.From.Name, r.edge.To.Name)
		}
	}
	for i, a := range nodes {
		if a.x-a.w/2 < 0 || a.x+a.w/2 > p.width || a.y+nodeHeight/2 > p.height {
			t.Errorf("%s lies outside", a.Name)
		}
		for _, b := range nodes[:i] {
			if a.layer == b.layer && math.Abs(a.x-b.x) < (a.w+b.w)/2 {
				t.Errorf("%s lies over %s", a.Name, b.Name)
			}
		}
	}
}

// A graph that consists only of cycles is laid out, too.
func TestCircles(t *testing.T) {
	s := &story.Story{Scenes: []story.Scene{{Path: "a", Entry: 1}, {Path: "b", Entry: 2}}, Code: []story.Op{{Kind: story.Go}, {Kind: story.Go, A: 1}, {Kind: story.Go, A: 0}}}
	if _, err := HTML(s, source, nil); err != nil {
		t.Error(err)
	}
}

// The page is the same each time; it fetches nothing, and the text of a story cannot inject anything.
func TestPage(t *testing.T) {
	s := open(t)
	tally, err := walk.Walk(s, walk.Options{Seed: 1, Walks: 20, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	s.Story.Scenes[0].Title = "<script>"
	seen := walk.NewReport(tally, "keep.adventure", source)
	seen.Scenes[1].Share = 0.001 // a rare scene is not one that is never entered
	first, err := HTML(s.Story, source, seen)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := HTML(s.Story, source, seen); !bytes.Equal(first, again) {
		t.Error("two pages of one story differ")
	}
	text := string(first)
	for _, want := range []string{`href="#scene-tower"`, `id="scene-tower"`, `class="scene fight"`, `class="visit"`, "&lt;script&gt;", "100 %", "&lt; 1 %"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, no := range []string{"<script", "src=", "https://", "ZgotmplZ"} {
		if strings.Contains(text, no) {
			t.Errorf("the page has %s", no)
		}
	}
}
