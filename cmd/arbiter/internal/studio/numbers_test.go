package studio

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// courtyard is a fight of eight on a map, by all the tactics of the rules.
func courtyard(t testing.TB) string {
	text, err := os.ReadFile("../../../../interp/session/testdata/courtyard.encounter")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What a change moves is told after the first hundred fights and at the end, and the fights are the same each time.
func TestCompare(t *testing.T) {
	text := courtyard(t)
	s := serve(t, map[string]string{"yard.encounter": text, "b.rules": "ruleset b extends d20 \"It changes nothing.\"\n"})
	p := connect(t, s)
	changed := strings.Replace(text, "full-hit-points: ", "full-hit-points: 1", 1)
	ask := func(texts map[string]string, with []string, against string) (d comparisonDocument, sofar int) {
		t.Helper()
		began := time.Now()
		answer, err := p.ask("compare", trialParams{fight: fight{Path: "yard.encounter", Texts: texts, With: with}, Fights: 120, Against: against})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("120 pairs in %v", time.Since(began).Round(time.Millisecond))
		if err := json.Unmarshal([]byte(answer), &d); err != nil {
			t.Fatal(err)
		}
		for len(p.notes) > 0 {
			if r := <-p.notes; r.Method == "sofar" {
				sofar++
			}
		}
		return d, sofar
	}
	d, sofar := ask(map[string]string{"yard.encounter": changed}, nil, "saved")
	if d.Same || d.Report == nil || d.Report.Fights != 120 || d.Report.Rules[0].Different.Rate == 0 || sofar != 1 {
		t.Errorf("a change: %+v, %d reports in between", d, sofar)
	}
	again, _ := ask(map[string]string{"yard.encounter": changed}, nil, "saved")
	a, _ := json.Marshal(d)
	b, _ := json.Marshal(again)
	if string(a) != string(b) {
		t.Error("the same question has another answer")
	}
	if d, _ := ask(nil, nil, "saved"); !d.Same {
		t.Error("no change, and yet another fight")
	}
	if d, _ := ask(nil, []string{"b.rules"}, "without"); d.Same || d.Report.Rules[0].Different.Rate != 0 {
		t.Errorf("rules that change nothing: %+v", d)
	}
	if _, err := p.ask("compare", trialParams{fight: fight{Path: "yard.encounter"}, Fights: 120, Against: "other"}); err == nil {
		t.Error("compared with nothing")
	}
}

// A question that is taken back ends at once, and with it the work.
func TestCancel(t *testing.T) {
	text := courtyard(t)
	s := serve(t, map[string]string{"yard.encounter": text})
	p := connect(t, s)
	call, err := p.conn.DispatchCall(t.Context(), "simulate", trialParams{fight: fight{Path: "yard.encounter"}, Fights: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	var id string
	select {
	case r := <-p.notes: // it is being played
		var note struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(*r.Params, &note); err != nil || r.Method != "sofar" {
			t.Fatal(r.Method, err)
		}
		id = note.ID
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was played")
	}
	began := time.Now()
	if err := p.conn.Notify(t.Context(), "cancel", map[string]string{"id": id}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if err := call.Wait(ctx, nil); err == nil || ctx.Err() != nil {
		t.Errorf("it went on: %v", err)
	}
	t.Logf("cancelled in %v", time.Since(began))
}

// BenchmarkCompare measures how soon the page sees what a change of the courtyard moves: the first hundred pairs, and a
// thousand.
func BenchmarkCompare(b *testing.B) {
	text := courtyard(b)
	dir := b.TempDir()
	if err := os.WriteFile(dir+"/yard.encounter", []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
	s, l, err := Listen(testOptions(dir, b.TempDir()), 0)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	for i := 0; b.Loop(); i++ {
		changed := strings.Replace(text, "full-hit-points: ", "full-hit-points: 1", 1) + strings.Repeat("\n", i)
		began := time.Now()
		var first time.Duration
		q := question{desk: &desk{s: s.Studio, tell: func(any) {
			if first == 0 {
				first = time.Since(began)
			}
		}}}
		if _, err := s.compare(context.Background(), q, trialParams{fight: fight{Path: "yard.encounter", Texts: map[string]string{"yard.encounter": changed}}, Fights: 1000, Against: "saved"}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(first.Seconds(), "s/first-hundred")
		b.ReportMetric(time.Since(began).Seconds(), "s/thousand")
	}
}
