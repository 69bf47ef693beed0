package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"arbiter/interp/build"
	"arbiter/interp/piece"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
	"arbiter/rules"
)

func testBuild() build.Options { return build.Options{Library: rules.FS} }

const testProgram = "0123456789abcdef-test"

// example makes the jobs of a plan about a quick duel, cut into pieces of so many fights.
func example(t testing.TB, lines string, step uint64) (jobs []*piece.Job, files map[string][]byte) {
	t.Helper()
	duel, err := os.ReadFile("../../../../interp/piece/testdata/duel.encounter")
	if err != nil {
		t.Fatal(err)
	}
	plan, diags := sweep.ParsePlan("x.sweep", "sweep \"x\"\n"+lines)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	r := &piece.Recorder{Files: fstest.MapFS{"duel.encounter": {Data: duel}, "other.encounter": {Data: bytes.Replace(duel, []byte("strength: 14"), []byte("strength: 18"), 1)}}}
	jobs, diags = piece.Jobs(plan, "x.sweep", testProgram, r)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for _, j := range jobs {
		j.Block = 2
		if err := j.Describe(r, testBuild(), nil); err != nil {
			t.Fatal(err)
		}
	}
	data, err := r.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		j.Bundle, j.Step = piece.HashOf(data), step
	}
	return jobs, map[string][]byte{piece.HashOf(data): data}
}

// want are the sums as one process counts them.
func want(t testing.TB, jobs []*piece.Job, files map[string][]byte) (list [][]byte) {
	t.Helper()
	for _, j := range jobs {
		in, err := piece.OpenBundle(files[j.Bundle])
		if err != nil {
			t.Fatal(err)
		}
		whole := *j
		whole.Block, whole.Step = piece.MaxBlock, 50_000_000
		p, err := whole.Open(in, 0, testBuild())
		if err != nil {
			t.Fatal(err)
		}
		x := piece.Piece{Count: j.Fights}
		if j.Until > 0 { // as `sim --until` does
			sum := sim.NewDeciding(len(j.Arms), len(j.Casts[0].Sides))
			for x.Count = 0; x.Count < j.Fights && (x.Count == 0 || !sim.Within(sum, j.Until)); x.Count += sim.Batch {
				r, err := p.Play(piece.Piece{From: x.Count, Count: sim.Batch}, nil)
				if err != nil {
					t.Fatal(err)
				}
				for i, a := range r.Batches[0] {
					sum[i].AddDeciding(a)
				}
			}
		}
		r, err := p.Play(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if r, err = whole.DecodeResult(x, text); err != nil {
			t.Fatal(err)
		}
		s := whole.NewSum()
		if err := s.Add(x, r); err != nil {
			t.Fatal(err)
		}
		if text, err = s.Encode(); err != nil {
			t.Fatal(err)
		}
		list = append(list, text)
	}
	return list
}

// sums are the sums of a sweep that has ended.
func sums(t testing.TB, s *Sweep) (list [][]byte) {
	t.Helper()
	for i := range s.Tasks {
		sum, outcome, err := s.Sum(t.Context(), i)
		if err != nil || sum == nil || outcome == nil {
			t.Fatal(i, sum, outcome, err)
		}
		text, err := sum.Encode()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, text)
	}
	return list
}

func compareSums(t testing.TB, got, want [][]byte) {
	t.Helper()
	for i := range want {
		if len(got) != len(want) || !bytes.Equal(got[i], want[i]) {
			t.Errorf("job %d: the sum is not that of one process", i)
		}
	}
}

// local starts a server in a folder.
func local(t testing.TB, dir string, storage int64) *Cluster {
	t.Helper()
	c, err := Local(t.Context(), LocalOptions{Dir: dir, Lease: 2 * time.Second, Storage: storage})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// begin stores a sweep.
func begin(t testing.TB, c *Cluster, id string, jobs []*piece.Job, files map[string][]byte) *Sweep {
	t.Helper()
	info := Info{ID: id, Title: "x", Program: testProgram, Begun: time.Unix(1e9, 0).UTC()}
	for _, j := range jobs {
		info.Fights += j.Fights * uint64(len(j.Arms))
	}
	s, err := c.New(t.Context(), info, jobs, make([]float64, len(jobs)), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const mixed = "encounters duel.encounter, other.encounter\ntry Alia.strength = 10, 14, 18\nfights 400"

// One process with a server inside: the bytes are those of one process without.
func TestOneProcess(t *testing.T) {
	for _, lines := range []string{mixed, "encounters duel.encounter\nfights 6000\nuntil 2.3%"} {
		step := uint64(90)
		if strings.Contains(lines, "until") {
			step = sim.Batch
		}
		jobs, files := example(t, lines, step)
		c := local(t, t.TempDir(), 0)
		s := begin(t, c, "aa", jobs, files)
		if err := s.Run(t.Context(), RunOptions{Build: testBuild(), Cores: 2}); err != nil {
			t.Fatal(err)
		}
		compareSums(t, sums(t, s), want(t, jobs, files))
		if info, err := c.Find(t.Context(), ""); err != nil || info.State != Done || info.Played == 0 {
			t.Error(info, err)
		}
		c.Close()
	}
}

// A sweep that is stopped goes on in another process, with another server on the same folder; what has been counted is
// not played again.
func TestResume(t *testing.T) {
	jobs, files := example(t, mixed, 20)
	dir := t.TempDir()
	c := local(t, dir, 0)
	s := begin(t, c, "aa", jobs, files)
	ctx, end := context.WithCancel(t.Context())
	err := s.Run(ctx, RunOptions{Build: testBuild(), Cores: 1, OnProgress: func(p Progress) {
		if p.Pieces > 3 {
			end()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal("it was not stopped:", err)
	}
	c.Close()

	c = local(t, dir, 0)
	if s, err = c.Load(t.Context(), "aa"); err != nil || s.State != Running || s.Played == 0 {
		t.Fatal(s, err)
	}
	var mu sync.Mutex
	first := uint64(0)
	if err := s.Run(t.Context(), RunOptions{Build: testBuild(), Cores: 1, OnProgress: func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		if first == 0 {
			first = p.Played
		}
	}}); err != nil {
		t.Fatal(err)
	}
	compareSums(t, sums(t, s), want(t, jobs, files))
	if err := c.Cancel(t.Context(), "aa"); err != nil {
		t.Fatal(err)
	}
	if list, err := c.List(t.Context()); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
	objects, err := c.files.List(t.Context())
	if !errors.Is(err, jetstream.ErrNoObjectsFound) && len(objects) > 0 {
		t.Error("objects are left:", len(objects))
	}
}

// A worker that counts wrongly is found and named, and what it did is done again.
func TestLiar(t *testing.T) {
	jobs, files := example(t, mixed, 20)
	dir := t.TempDir()
	c := local(t, dir, 0)
	s := begin(t, c, "aa", jobs, files)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	other, err := Local(ctx, LocalOptions{Dir: dir, Join: true}) // over the loopback, as another process
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lies := 0
	liar := &Worker{Program: testProgram, Build: testBuild(), Cores: 1, Name: "liar", Tamper: func(r *piece.Result) {
		lies++
		for _, a := range r.Arms { // it looks right, and is not
			h := a.Tally.Rounds
			for rounds, n := range h {
				delete(h, rounds)
				h[rounds+1] += n
				break
			}
		}
	}}
	wait, err := liar.Start(ctx, other)
	if err != nil {
		t.Fatal(err)
	}
	honest := &Worker{Program: testProgram, Build: testBuild(), Cores: 1, Name: "honest"}
	waitHonest, err := honest.Start(ctx, other)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var said []string
	if err := s.Run(t.Context(), RunOptions{Build: testBuild(), Verify: 0.05, Log: func(text string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, text)
	}}); err != nil {
		t.Fatal(err)
	}
	end()
	_, _ = wait(), waitHonest()
	compareSums(t, sums(t, s), want(t, jobs, files))
	if lies == 0 {
		t.Fatal("the liar was not asked")
	}
	if len(s.Distrusted) != 1 || s.Distrusted[0] != liar.ID() || len(said) == 0 || !strings.Contains(said[0], liar.ID()) {
		t.Errorf("%d lies of %s: %q distrusts %q", lies, liar.ID(), said, s.Distrusted)
	}
	for i := range s.Tasks {
		if _, o, _ := s.Sum(t.Context(), i); strings.Contains(fmt.Sprint(o.Workers), "liar") {
			t.Errorf("job %d counts what the liar did: %v", i, o.Workers)
		}
	}
}

// The chance to find a liar grows with the lies as it is stated.
// foundChance is the chance that a worker is found out who counts wrongly so many times, if a share is verified.
func foundChance(share float64, wrong int) float64 { return 1 - math.Pow(1-share, float64(wrong)) }

func TestFoundChance(t *testing.T) {
	for _, x := range []struct {
		wrong int
		found string
	}{{1, "0.05"}, {14, "0.51"}, {45, "0.90"}, {59, "0.95"}, {90, "0.99"}} {
		if got := fmt.Sprintf("%.2f", foundChance(0.05, x.wrong)); got != x.found {
			t.Errorf("%d wrong pieces are found with %s, want %s", x.wrong, got, x.found)
		}
	}
	n := 0
	for range 10_000 {
		if chosen(0.05) {
			n++
		}
	}
	if n < 350 || n > 650 {
		t.Errorf("of 10000 pieces 5 %% are %d", n)
	}
}

// Another version of the program gets nothing of a sweep, and says why; other rules are refused, too.
func TestOtherVersion(t *testing.T) {
	jobs, files := example(t, "encounters duel.encounter\nfights 60", 20)
	dir := t.TempDir()
	c := local(t, dir, 0)
	s := begin(t, c, "aa", jobs, files)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	said := make(chan string, 10)
	w := &Worker{Program: "another-program-of-this", Build: testBuild(), Cores: 1, Log: func(text string) { said <- text }}
	wait, err := w.Start(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	if text := <-said; !strings.Contains(text, "sweep aa (x) is refused") || !strings.Contains(text, shortProgram(testProgram)) {
		t.Error(text)
	}
	strange := &Worker{Program: testProgram, Build: build.Options{Library: fstest.MapFS{"srd35.rules": {Data: []byte("ruleset srd35\n")}}}, Cores: 1, Log: func(text string) { said <- text }}
	waitStrange, err := strange.Start(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, RunOptions{Build: testBuild()}) }() // nobody who can play is there
	if text := <-said; !strings.Contains(text, "a piece of sweep aa is refused") {
		t.Error(text)
	}
	honest := &Worker{Program: testProgram, Build: testBuild(), Cores: 1}
	waitHonest, err := honest.Start(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	compareSums(t, sums(t, s), want(t, jobs, files))
	if strange.Presence().Refused == 0 || strange.Presence().Pieces+w.Presence().Pieces != 0 {
		t.Error(strange.Presence(), w.Presence())
	}
	end()
	_, _, _ = wait(), waitStrange(), waitHonest()
}

// What is written under the name of another, for another piece, or by nobody, is not used.
func TestForged(t *testing.T) {
	jobs, files := example(t, "encounters duel.encounter\nfights 60", 20)
	c := local(t, t.TempDir(), 0)
	s := begin(t, c, "aa", jobs, files)
	o := &order{Version: piece.Version, Program: testProgram, Sweep: "aa", Job: s.Tasks[0].Job, Piece: piece.Piece{Count: 20}}
	w := &Worker{Program: testProgram, Build: testBuild(), c: c, players: players{most: 2, made: map[string]*madePlayer{}}}
	o.Files = jobs[0].Bundle
	w.private, w.name = newKey(t)
	r, err := w.play(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := r.Encode()
	good := seal(o.key(), w.name, w.private, o.Piece, "", piece.Pack(text))
	if _, _, err := open(o.key(), good); err != nil {
		t.Fatal(err)
	}
	other, _ := newKey(t)
	for name, value := range map[string][]byte{
		"of another name":    seal(o.key(), "x"+w.name[1:len(w.name)-3]+"abc", w.private, o.Piece, "", piece.Pack(text)),
		"of another key":     seal(o.key(), w.name, other, o.Piece, "", piece.Pack(text)),
		"for another piece":  seal("aa.0.00000000000000000000000000000000", w.name, w.private, o.Piece, "", piece.Pack(text)),
		"changed":            append(bytes.Clone(good[:len(good)-1]), good[len(good)-1]^1),
		"cut off":            good[:len(good)/2],
		"empty":              nil,
		"no result":          []byte("{}\nx"),
		"elsewhere":          seal(o.key(), w.name, w.private, o.Piece, "aa.no.such", piece.Pack(text)),
		"of a bomb":          seal(o.key(), w.name, w.private, o.Piece, "", piece.Pack(make([]byte, 80<<20))),
		"of too many fights": seal(o.key(), w.name, w.private, piece.Piece{Count: 60}, "", piece.Pack(text)),
	} {
		_, _, openErr := open(o.key(), value)
		x := &run{Sweep: s, o: RunOptions{}}
		_, result, readErr := x.read(t.Context(), o.key(), value, 0)
		if openErr == nil && readErr == nil || result != nil && readErr == nil {
			t.Errorf("a result %s is used", name)
		}
		if _, err := c.results.Put(t.Context(), o.key(), value); err != nil {
			t.Fatal(err)
		}
		if _, err := c.results.Put(t.Context(), "aa.7.x", value); err != nil { // of no job
			t.Fatal(err)
		}
		s.Distrusted, s.State = nil, Running
		_ = c.files.Delete(t.Context(), sumObject("aa", 0))
		if err := s.Run(t.Context(), RunOptions{Build: testBuild(), Cores: 1}); err != nil {
			t.Fatal(name, err)
		}
		compareSums(t, sums(t, s), want(t, jobs, files))
	}
}

// A disk that is full stops a sweep with a message; once there is room, it goes on.
func TestFullDisk(t *testing.T) {
	jobs, files := example(t, "encounters duel.encounter, other.encounter\ntry Alia.strength = 8..18 by 2\nfights 150", 3)
	dir := t.TempDir()
	c := local(t, dir, 300<<10)
	s := begin(t, c, "aa", jobs, files)
	err := s.Run(t.Context(), RunOptions{Build: testBuild(), Cores: 2, Patience: time.Second})
	if err == nil || !strings.Contains(err.Error(), "full") || !strings.Contains(err.Error(), "sweep resume") {
		t.Fatal("no room:", err)
	}
	c.Close()
	c = local(t, dir, 0)
	if s, err = c.Load(t.Context(), "aa"); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), RunOptions{Build: testBuild(), Cores: 2}); err != nil {
		t.Fatal(err)
	}
	compareSums(t, sums(t, s), want(t, jobs, files))
}

// What is larger than it may be is not read.
func TestLargeObjects(t *testing.T) {
	c := local(t, t.TempDir(), 0)
	if err := c.putObject(t.Context(), "x", make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	if data, err := c.getObject(t.Context(), "x", 100); err != nil || len(data) != 100 {
		t.Error(len(data), err)
	}
	if _, err := c.getObject(t.Context(), "x", 99); err == nil || !strings.Contains(err.Error(), "x has 100 bytes, and at most 99 are allowed") {
		t.Error(err)
	}
}

// The server of a process listens on the loopback, with a token that only the user can read, and only while it runs.
func TestLoopback(t *testing.T) {
	dir := t.TempDir()
	c := local(t, dir, 0)
	path := dir + "/" + addressFile
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Fatal(info.Mode(), err)
	}
	text, _ := os.ReadFile(path)
	var a address
	if err := json.Unmarshal(text, &a); err != nil || !strings.HasPrefix(a.URL, "nats://127.0.0.1:") || len(a.Token) < 20 {
		t.Fatal(string(text), err)
	}
	if _, err := Connect(t.Context(), Options{URL: a.URL}); err == nil || !strings.Contains(err.Error(), "uthorization") {
		t.Error("without the token:", err)
	}
	second, err := Local(t.Context(), LocalOptions{Dir: dir})
	if err != nil {
		t.Fatal("another process cannot join:", err)
	}
	second.Close()
	c.Close()
	if _, err := Local(t.Context(), LocalOptions{Dir: dir, Join: true}); !errors.Is(err, ErrNoServer) {
		t.Error("it still runs:", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("its address is still there")
	}
}

// A clock that jumps changes what is estimated, and nothing else.
func TestMeter(t *testing.T) {
	now := time.Unix(1e9, 0)
	m := meter{clock: func() time.Time { return now }}
	for i := range 100 {
		m.note(float64(10 * i))
		now = now.Add(time.Second)
	}
	if r := m.rate(); r < 9.9 || r > 10.1 {
		t.Error("ten a second are", r)
	}
	for _, jump := range []time.Duration{-time.Hour, 24 * time.Hour, -100 * 365 * 24 * time.Hour} {
		now = now.Add(jump)
		m.note(1000)
		if r := m.rate(); r != 0 {
			t.Error("after a jump it is not known, but is", r)
		}
		now = now.Add(time.Second)
		m.note(1010)
		if r := m.rate(); r < 9.9 || r > 10.1 {
			t.Error("ten a second are", r)
		}
	}
	if got := redact("nats://user:secret@a:4222, tls://token@b"); strings.Contains(got, "secret") || strings.Contains(got, "token") {
		t.Error(got)
	}
}
