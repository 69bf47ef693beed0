package piece

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"arbiter/interp/build"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
	"arbiter/interp/walk"
	"arbiter/rules"
)

// duel is an encounter whose fights are short.
//
//go:embed testdata/duel.encounter
var duel string

func options() build.Options { return build.Options{Library: rules.FS} }

// files are those of a plan in a test.
func files(list map[string]string) memory {
	m := memory{}
	for name, text := range list {
		m[name] = &entry{name: name[strings.LastIndexByte(name, '/')+1:], text: []byte(text)}
	}
	return m
}

// example is a plan with two things that vary, cut into small pieces.
func example(t testing.TB, lines string) (*Job, fs.FS) {
	t.Helper()
	in := files(map[string]string{"fights/duel.encounter": duel, "harsh.rules": "ruleset harsh extends srd35\noverride massive-damage-threshold = 5\n"})
	p, diags := sweep.ParsePlan("x.sweep", "sweep \"x\"\nencounters fights/*.encounter\n"+lines)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	r := &Recorder{Files: in}
	jobs, diags := Jobs(p, "x.sweep", "program", r)
	if len(diags) > 0 || len(jobs) != 1 {
		t.Fatal(diags, jobs)
	}
	j := jobs[0]
	j.Block = 2
	if err := j.Describe(r, options(), nil); err != nil {
		t.Fatal(err)
	}
	data, err := r.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	j.Bundle = HashOf(data)
	bundle, err := OpenBundle(data)
	if err != nil {
		t.Fatal(err)
	}
	return j, bundle
}

// players plays pieces of all blocks.
type testPlayers map[int]*Player

func (all testPlayers) play(t testing.TB, j *Job, files fs.FS, p Piece) []byte {
	t.Helper()
	if all[p.Block] == nil {
		x, err := j.Open(files, p.Block, options())
		if err != nil {
			t.Fatal(err)
		}
		all[p.Block] = x
	}
	r, err := all[p.Block].Play(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// oneProcess is the sum as one process counts it.
func oneProcess(t testing.TB, j *Job, files fs.FS) []byte {
	t.Helper()
	whole := *j
	whole.Block = MaxBlock
	p, err := whole.Open(files, 0, options())
	if err != nil {
		t.Fatal(err)
	}
	arms, err := sim.Compare(p.variants, sim.Options{Seed: j.Seed, Fights: j.Fights, Workers: 2, Until: j.Until})
	if err != nil {
		t.Fatal(err)
	}
	s := &Sum{job: j, Arms: arms}
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// run plays a job by its course: pieces come back in any order, some twice, some late.
func run(t testing.TB, j *Job, files fs.FS, seed uint64, atATime int) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	c, players := j.NewCourse(), testPlayers{}
	results := map[Piece]*Result{}
	var out []Piece
	for !c.Ended() {
		for len(out) < atATime {
			p, ok := c.Next()
			if !ok {
				break
			}
			out = append(out, p)
		}
		if len(out) == 0 {
			t.Fatal("nothing is left to do, and the course has not ended")
		}
		i := random.IntN(len(out))
		p := out[i]
		if random.IntN(4) > 0 { // else it comes again
			out = slices.Delete(out, i, i+1)
		}
		r, err := j.DecodeResult(p, players.play(t, j, files, p))
		if err != nil {
			t.Fatal(p, err)
		}
		results[p] = r
		c.Done(p, r)
	}
	if f := c.Failed(); f != nil {
		return []byte(fmt.Sprint(*f))
	}
	s := j.NewSum()
	for _, p := range c.Counted() {
		if err := s.Add(p, results[p]); err != nil {
			t.Fatal(err)
		}
	}
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := j.DecodeSum(text)
	if err != nil {
		t.Fatal(err)
	}
	if x, _ := again.Encode(); !bytes.Equal(x, text) {
		t.Error("a sum that was read is another")
	}
	return text
}

// However a job is cut, and in whichever order its pieces come: the sum has the bytes of one process.
func TestPiecesAsWhole(t *testing.T) {
	for _, lines := range []string{
		"fights 70\nseed 5",
		"with harsh.rules\ntry Alia.strength = 10, 20\nfights 60",
		"try Alia.strength = 8..20 by 4\ntry Bron.level = 1, 3\nfights 30",
		"fights 9000\nuntil 2.3%\nseed 3",
		"try Alia.strength = 10, 20, 24\nfights 3000\nuntil 4%",
	} {
		j, bundle := example(t, lines)
		want := oneProcess(t, j, bundle)
		for _, step := range []uint64{7, 1000, 2000} {
			if j.Until > 0 && step%sim.Batch > 0 || j.Fights > 1000 && step < 1000 {
				continue
			}
			j.Step = step
			for seed := range uint64(2) {
				if got := run(t, j, bundle, seed, int(1+4*seed)); !bytes.Equal(got, want) {
					t.Errorf("%q in pieces of %d, order %d: %d bytes unlike the %d of one process", lines, step, seed, len(got), len(want))
				}
			}
		}
	}
}

// What decides is found at the first batch with which there are enough, at any place of a range and in any round.
func TestCourse(t *testing.T) {
	j, bundle := example(t, "fights 40000\nuntil 2.3%\nseed 9")
	whole := oneProcess(t, j, bundle)
	var d sumDocument
	if err := json.Unmarshal(whole, &d); err != nil {
		t.Fatal(err)
	}
	if n := d.Arms[0].Tally.Fights; n%sim.Batch != 0 || n == 0 || n == 40000 {
		t.Fatalf("one process plays %d fights", n)
	}
	j.Step = sim.Batch
	c, players := j.NewCourse(), testPlayers{}
	handed := uint64(0)
	for !c.Ended() {
		p, ok := c.Next()
		if !ok {
			t.Fatal("stuck")
		}
		handed += p.Count
		r, err := j.DecodeResult(p, players.play(t, j, bundle, p))
		if err != nil {
			t.Fatal(err)
		}
		c.Done(p, r)
	}
	if !c.Enough() || handed > 3*d.Arms[0].Tally.Fights+firstRound*j.Step {
		t.Errorf("%d fights were played for %d", handed, d.Arms[0].Tally.Fights)
	}
}

// A fight that fails ends a job, with the earliest of them; what is enough before it is enough.
func TestFailures(t *testing.T) {
	j, _ := example(t, "fights 9000\nuntil 3%")
	j.Step = 3000
	sides := len(j.Casts[0].Sides)
	result := func(p Piece, failed *Failed, won uint64) *Result {
		r := &Result{Fights: p.Count, Failed: failed}
		if failed != nil {
			return r
		}
		for n := uint64(0); n < p.Count; n += sim.Batch {
			batch := sim.NewDeciding(1, sides)
			batch[0].Tally.Fights = sim.Batch
			batch[0].Tally.Wins[0], batch[0].Tally.Wins[1] = won, sim.Batch-won
			r.Batches = append(r.Batches, batch)
		}
		return r
	}
	for _, x := range []struct {
		at     uint64 // the fight that fails
		won    uint64 // of each batch, by one side
		failed bool
		fights uint64
	}{
		{100, 500, true, 0},
		{2500, 500, false, 2000}, // two batches are before it, and they are enough
		{1500, 500, true, 0},
		{8000, 500, false, 2000},
		{8000, 999, false, 1000},
	} {
		c := j.NewCourse()
		for !c.Ended() {
			p, ok := c.Next()
			if !ok {
				t.Fatal("stuck")
			}
			var f *Failed
			if x.at >= p.From && x.at < p.From+p.Count {
				f = &Failed{Fight: x.at}
			}
			c.Done(p, result(p, f, x.won))
		}
		fights := uint64(0)
		for _, p := range c.Counted() {
			fights += p.Count
		}
		if (c.Failed() != nil) != x.failed || !x.failed && fights != x.fights {
			t.Errorf("%+v: %v, %d fights", x, c.Failed(), fights)
		}
	}
}

// A bundle is a world of its own: what is not in it is not there, whatever a script names.
func TestClosed(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"secret.rules": "ruleset secret extends srd35\n", "secret.encounter": duel} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ script, text string }{
		{"a.encounter", strings.Replace(duel, "with srd35", "with secret", 1)},
		{"secret/a.encounter", strings.Replace(duel, "with srd35", "with secret", 1)},
		{"secret.encounter", ""},
		{"../secret.encounter", ""},
		{dir + "/secret.encounter", ""},
	} {
		in := files(map[string]string{"other.encounter": duel})
		if c.text != "" {
			in[c.script] = &entry{name: "a.encounter", text: []byte(c.text)}
		}
		j := &Job{Version: Version, Script: c.script, Arms: []Arm{{}}, Block: 1, Step: 1, Fights: 1}
		if _, err := j.Open(in, 0, options()); err == nil {
			t.Errorf("%s has read a file outside of the bundle", c.script)
		}
	}
	j := &Job{Version: Version, Script: "other.encounter", Arms: []Arm{{With: []string{"secret.rules"}}}, Block: 1, Step: 1, Fights: 1}
	if _, err := j.Open(files(map[string]string{"other.encounter": duel}), 0, options()); err == nil {
		t.Error("house rules outside of the bundle have been read")
	}
}

// What a stranger can ask for is bounded, and what he can answer has the form of an answer.
func TestHostileJobs(t *testing.T) {
	j, bundle := example(t, "try Alia.strength = 10, 20\nfights 40")
	j.Step = 20
	good, err := j.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := DecodeJob(good); err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{
		`{"version":2}`, `{"script":"../x"}`, `{"script":"/etc/passwd"}`, `{"script":"."}`, `{"arms":[]}`, `{"block":0}`, `{"block":101}`, `{"step":0}`, `{"step":1000000000}`,
		`{"fights":9999999999999}`, `{"casts":[null]}`, `{"casts":[]}`, `{"digests":[]}`, `{"until":2}`, `{"walk":true}`,
		`{"arms":[{"rules":"","with":["../x.rules"]},{"rules":"a","values":[0]},{"rules":"b","values":[1]}]}`,
		`{"arms":[{"rules":""},{"rules":"a","values":[0,1]},{"rules":"b","values":[1]}]}`,
		`{"arms":[{"rules":""},{"rules":"a","values":[-1]},{"rules":"b","values":[1]}]}`,
		`{"arms":[{"rules":"","values":[0]},{"rules":"a","values":[0]},{"rules":"b","values":[1]}]}`, `[]`, ``,
	} {
		bad := []byte(change)
		if strings.HasPrefix(change, "{") {
			bad = append(append(good[:len(good)-1:len(good)-1], ','), change[1:]...)
		}
		if _, err := DecodeJob(bad); err == nil {
			t.Errorf("a job with %s is taken", change)
		}
	}
	if _, err := DecodeJob(make([]byte, maxJobSize+1)); err == nil || !strings.Contains(err.Error(), "the job has more than 67108864 bytes") {
		t.Error(err)
	}
	crowded := *j
	crowded.Arms = slices.Clone(j.Arms)
	crowded.Arms[1].With = strings.Fields(strings.Repeat("x.rules ", maxListed+1))
	if text, err := crowded.Encode(); err != nil {
		t.Error(err)
	} else if _, err = DecodeJob(text); err == nil || !strings.Contains(err.Error(), "has 101 house rules, and at most 100 are allowed") {
		t.Error(err)
	}
	for i := range 200 { // a job that was changed anywhere is refused, or is a job
		bad := bytes.Clone(good)
		bad[(i*7919)%len(bad)] ^= byte(1 + i%127)
		_, _ = DecodeJob(bad)
	}

	p := Piece{Block: 0, From: 20, Count: 20}
	result := testPlayers{}.play(t, j, bundle, p)
	if _, err := j.DecodeResult(p, result); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ from, to string }{
		{`{"fights":20`, `{"fights":21`}, {`"wins":[`, `"wins":[9`}, {`"firsts":[{"side":0`, `"firsts":[{"side":7`}, {`"fight":2`, `"fight":9`}, {`"rounds":{`, `"rounds":{"3":1,"3":1,`},
		{`"cause":{`, `"cause":{"x":1,`}, {`"pairs":{"winners":[[`, `"pairs":{"winners":[[[`}, {`"tally":{`, ` "tally":{`}, {`"arms":[{`, `"arms":[null,{`},
		{`"by":0`, `"by":99`}, {`"what":`, `"what":99999`}, {`"members":[`, `"members":[{},`}, {`"left":{"`, `"left":{"999":{"1":1},"`},
	} {
		bad := strings.Replace(string(result), x.from, x.to, 1)
		if bad == string(result) {
			continue // this result has nothing of the kind
		}
		if _, err := j.DecodeResult(p, []byte(bad)); err == nil {
			t.Errorf("a result with %s is taken", x.to)
		}
	}
	for _, q := range []Piece{{Block: 0, From: 0, Count: 20}, {Block: 5, From: 20, Count: 20}, {Block: -1, From: 20, Count: 20}, {Block: 0, From: 1 << 63, Count: 1 << 63}} {
		if _, err := j.DecodeResult(q, result); err == nil {
			t.Errorf("the result of %v is taken for that of %v", p, q)
		}
	}
	if x := (&Job{Version: Version, Script: "x", Arms: []Arm{{}}, Block: 1, Step: 5, Fights: 10}); x.Ranges() != 2 || x.Blocks() != 1 {
		t.Error("a job of ten fights in fives has", x.Ranges(), x.Blocks())
	}
}

// Rules that differ from those that the job was made with are refused.
func TestOtherRules(t *testing.T) {
	j, bundle := example(t, "with harsh.rules\nfights 10")
	in := bundle.(memory)
	in["harsh.rules"] = &entry{name: "harsh.rules", text: []byte("ruleset harsh extends srd35\noverride massive-damage-threshold = 6\n")}
	_, err := j.Open(in, 0, options())
	if m := (*mismatchError)(nil); !errors.As(err, &m) || m.Rules != "harsh" {
		t.Errorf("other rules: %v", err)
	}
	data := []byte("no archive")
	if _, err := OpenBundle(data); err == nil {
		t.Error("a bundle of nonsense is opened")
	}
}

// Playthroughs add up as those of one process.
func TestWalkInPieces(t *testing.T) {
	dir := "../../examples/adventures/reading-room"
	const name = "reading-room.adventure"
	j := &Job{Version: Version, Walk: true, Script: name, Arms: []Arm{{}}, Block: 1, Step: 7, Fights: 30, Seed: 4}
	r := &Recorder{Files: os.DirFS(dir)}
	if err := j.Describe(r, options(), nil); err != nil {
		t.Fatal(err)
	}
	s, _, err := build.File(dir+"/"+name, options())
	if err != nil || s.Rules == nil {
		t.Fatal(err)
	}
	whole, err := walk.Walk(s, walk.Options{Seed: 4, Walks: 30, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	want, _ := (&Sum{job: j, Walk: whole}).Encode()
	if got := run(t, j, r, 3, 3); !bytes.Equal(got, want) {
		t.Errorf("in pieces\n%s\nat once\n%s", got, want)
	}
}

// A clock that jumps makes pieces of another size, and nothing else.
func TestClock(t *testing.T) {
	j, bundle := example(t, "fights 5000")
	p, err := j.Open(bundle, 0, options())
	if err != nil {
		t.Fatal(err)
	}
	now, jump := time.Unix(1e9, 0), 0
	perFight, err := p.Measure(func() time.Time {
		jump++
		now = now.Add(time.Duration(jump%3-1) * time.Hour)
		return now
	}, time.Second)
	if err != nil || perFight <= 0 {
		t.Fatal(perFight, err)
	}
	for _, perFight := range []float64{0, 1e-300, 1e-6, 1, 1e300} {
		for _, until := range []float64{0, 0.01} {
			j.Until = until
			if j.Cut(perFight, 2); j.Step < 1 || j.Step > maxPieceFights || until > 0 && j.Step%sim.Batch != 0 {
				t.Errorf("a perFight of %g gives pieces of %d", perFight, j.Step)
			}
		}
	}
}

// A plan and what it carries to other machines are as large as they may be, and no larger.
func TestLimitsOfPlans(t *testing.T) {
	many := files(map[string]string{"duel.encounter": duel})
	r := &Recorder{Files: many}
	for i := range maxBundleFiles + 1 {
		name := fmt.Sprintf("f%d.encounter", i)
		many[name] = &entry{name: name}
		if i == maxBundleFiles {
			if _, err := r.Bundle(); err != nil {
				t.Error(err)
			}
		}
		f, err := r.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	if _, err := r.Bundle(); err == nil || !strings.Contains(err.Error(), "have at most 2000 files to be carried to other machines: these have 2001") {
		t.Error(err)
	}
	large := &Recorder{Files: memory{}}
	for i := range 9 {
		name := fmt.Sprint("large", i)
		large.Files.(memory)[name] = &entry{name: name, text: make([]byte, 4<<20)}
		if f, err := large.Open(name); err == nil {
			f.Close()
		}
	}
	if _, err := large.Bundle(); err == nil || !strings.Contains(err.Error(), "have at most 33554432 bytes to be carried to other machines") {
		t.Error(err)
	}
	plan := func(lines string) string {
		p, diags := sweep.ParsePlan("x.sweep", "sweep \"x\"\n"+lines)
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		if _, diags = Jobs(p, "x.sweep", "program", many); len(diags) > 0 {
			return diags[0].Message
		}
		return ""
	}
	if got := plan("encounters duel.encounter\ntry a = 1..100\ntry b = 1..100"); got != "" {
		t.Error(got)
	}
	if got := plan("encounters duel.encounter\ntry a = 1..100\ntry b = 1..100\nwith x.rules"); !strings.HasSuffix(got, "sets of rules and values, and at most 10000 are allowed") {
		t.Error(got)
	}
	for i := range maxJobs {
		name := fmt.Sprintf("g%d.encounter", i)
		many[name] = &entry{name: name}
	}
	if got := plan("encounters g*.encounter"); got != "" {
		t.Error(got)
	}
	if got := plan("encounters g*.encounter, duel.encounter"); got != "a plan has at most 10000 encounters" {
		t.Error(got)
	}
}
