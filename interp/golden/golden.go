// Package golden runs golden tests: the tests of .tests files, encounters with expectations or transcripts, and the
// printed values of creatures in any file.
//
// Files run in parallel. The tests of a file run one after the other, each from a fresh state. With Update, the
// transcripts in the files are rewritten to the actual output. The package must never know what is tested.
package golden

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/files"
	"arbiter/interp/session"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// Options configures a run of tests. The zero value runs everything, with one worker per processor.
type Options struct {
	Library       fs.FS
	KnownCitation func(string) bool
	Store         *build.Store           // of built rules; nil: none
	With          []string               // house rules
	Without       []string               // rulesets to leave out
	Run           *regexp.Regexp         // only tests whose title matches
	Cites         []string               // only tests that cite one of these ids, or one below them; none: all
	First         func(file string) bool // files that run before the others; nil: none
	Update        bool                   // rewrite transcripts
	Verbose       bool                   // keep the output of passing tests, too
	Workers       int
	absent        *build.AbsentCounter
	prover        *prover                   // with Cover: tries each file without parts of its rules; nil: nobody does
	Cover         bool                      // record which parts of the rules ran
	Own           func(ruleset string) bool // with Cover: of which rulesets every part is reported; nil: of none
	Branches      bool                      // with Cover and Own: record which way conditions went, and which statements ran
	OnProgress    func(done, total int)
	OnPlayed      func(s *build.Script, t *Test, p *session.Played) // called by several workers at the same time
}

// Test is one test and its result.
type Test struct {
	File     string    `json:"file"`
	Title    string    `json:"title"`
	Line     int       `json:"line"`
	Passed   bool      `json:"passed"`
	Cites    []string  `json:"cites"`
	Failures diag.List `json:"-"`
	Output   string    `json:"-"`
	Seconds  float64   `json:"seconds"`

	covered  map[string][]int32 // by cited id: the parts that cite it and ran
	branches []Branch           // of the same rulesets, and what the test ran of them
	own      []OwnPart          // of the rulesets that Options.Own asks for
	ran      []bool             // which of these ran
}

// writtenTest is a test with what it does, which its result does not keep.
type writtenTest struct {
	Test
	givens  []*ast.Given
	node    *ast.Test
	printed *build.Printed
}

// Report is the result of a run.
type Report struct {
	Tests       []Test
	Diagnostics diag.List           // for files that could not be run; that of a ruleset once, though several files use it
	Covered     map[string][]string // with Cover: by catalogue id, the tests that cite it and ran a part that does
	Own         []OwnPart           // with Cover: the parts of the rulesets that Options.Own asks for
	Branches    []Branch            // with Branches: their conditions and statements
	Updated     []string            // rewritten files
}

// Failed returns the number of failed tests.
func (r *Report) Failed() int {
	n := 0
	for i := range r.Tests {
		if !r.Tests[i].Passed {
			n++
		}
	}
	return n
}

// BrokenFiles returns the errors because of which files could not be run, one list per file.
func (r *Report) BrokenFiles() []diag.List {
	var broken []diag.List
	for _, d := range r.Diagnostics {
		if d.Severity != diag.Error {
			continue
		}
		if n := len(broken); n > 0 && broken[n-1][0].File == d.File {
			broken[n-1] = append(broken[n-1], d)
			continue
		}
		broken = append(broken, diag.List{d})
	}
	return broken
}

// Extensions are the extensions of the files that contain tests.
var Extensions = []string{".tests", ".encounter", ".rules"}

// Run runs the tests of files and folders.
func Run(paths []string, o Options) (*Report, error) {
	found, err := files.Find(paths, Extensions)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, hasNoTests)
	if o.First != nil {
		slices.SortStableFunc(found, func(a, b string) int { return btoi(o.First(b)) - btoi(o.First(a)) })
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.absent = &build.AbsentCounter{}
	type outcome struct {
		tests   []Test
		diags   diag.List
		err     error
		updated bool
	}
	results := make([]outcome, len(found))
	var next, done int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range min(o.Workers, max(1, len(found))) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(found) {
					return
				}
				r := &results[i]
				r.tests, r.diags, r.updated, r.err = o.runFile(found[i])
				mu.Lock()
				done++
				if o.OnProgress != nil {
					o.OnProgress(done, len(found))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := o.absent.AbsentFromAll(len(found)); err != nil {
		return nil, err
	}
	rep := &Report{Covered: map[string][]string{}}
	reported := map[string]bool{}
	for i := range results {
		if results[i].err != nil {
			return nil, results[i].err
		}
		rep.Tests = append(rep.Tests, results[i].tests...)
		for _, d := range results[i].diags {
			if text := d.String(); !reported[text] {
				reported[text] = true
				rep.Diagnostics = append(rep.Diagnostics, d)
			}
		}
		if results[i].updated {
			rep.Updated = append(rep.Updated, found[i])
		}
	}
	at, branches := map[string]int{}, map[branchKey]int{}
	for i := range rep.Tests {
		t := &rep.Tests[i]
		rep.addOwn(t, at)
		rep.addBranches(t, branches)
		if !t.Passed {
			continue
		}
		for id := range t.covered {
			rep.Covered[id] = append(rep.Covered[id], fmt.Sprintf("%s:%d", t.File, t.Line))
		}
	}
	rep.sortOwn()
	rep.sortBranches()
	return rep, nil
}

// build builds a file of tests.
func (o *Options) build(path string) (*build.Script, diag.List, error) {
	return build.File(path, build.Options{Library: o.Library, KnownCitation: o.KnownCitation, Store: o.Store, With: o.With, Without: o.Without, Absent: o.absent, Compile: o.compile(nil), Unsaved: true})
}

// compile returns the options for compiling the rules of tests, with the neutral parts disabled. A test takes less time
// to run than to optimize. Where coverage is measured, the code is that of the simulations.
func (o *Options) compile(neutral map[int32]bool) compile.Options {
	return compile.Options{Cover: o.Cover, Neutral: neutral, AnnounceAll: true, Unoptimized: !o.Cover}
}

// runFile runs the tests of one file.
func (o *Options) runFile(path string) (tests []Test, diags diag.List, updated bool, err error) {
	built, diags, err := o.build(path)
	if err != nil || built.Rules == nil {
		return nil, diags, false, err
	}
	s := &branched{Script: built}
	if err := o.markBranches(s); err != nil {
		return nil, diags, false, err
	}
	var edits []edit
	for _, t := range testsOf(s.Script) {
		if o.Run != nil && !o.Run.MatchString(t.Title) || !o.citesWanted(t.Cites) {
			continue
		}
		played := o.play(s.Script, &t)
		t.branches = s.ranBy(played)
		if o.Update {
			edits = append(edits, editsOf(played)...)
		}
		played.Close()
		tests = append(tests, t.Test)
	}
	if o.prover != nil {
		if err := o.prover.try(*o, s.Script, tests); err != nil {
			return tests, diags, false, err
		}
	}
	if len(edits) > 0 {
		src := s.Rules.Sources[path]
		if out := rewrite(src, edits); !bytes.Equal(out, src) {
			if err := files.Replace(path, out); err != nil {
				return tests, diags, false, err
			}
			again := *o // what fails is now at other lines
			again.Update = false
			tests, diags, _, err = again.runFile(path)
			return tests, diags, true, err
		}
	}
	return tests, diags, false, nil
}

// btoi orders yes after no.
func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// citesWanted reports whether some id is one of those that are asked for, or lies below one.
func (o *Options) citesWanted(ids []string) bool {
	return len(o.Cites) == 0 || slices.ContainsFunc(ids, func(id string) bool {
		return slices.ContainsFunc(o.Cites, func(want string) bool {
			return id == want || strings.HasPrefix(id, strings.TrimSuffix(want, ".")+".")
		})
	})
}

// hasNoTests reports whether a file of rules has nothing to test, without building it: most do not.
func hasNoTests(path string) bool {
	if filepath.Ext(path) != ".rules" {
		return false
	}
	src, err := build.ReadFile(path)
	return err == nil && !bytes.Contains(src, []byte("printed"))
}

// testsOf lists the tests of a file. An encounter is one test, and so are all printed values of one creature.
func testsOf(s *build.Script) []writtenTest {
	if s.Head == nil {
		return nil
	}
	tests := writtenTests(s)
	for _, x := range build.PrintedIn(s.File) {
		t := Test{File: s.Path, Title: x.Creature.Name + " as printed", Line: x.Creature.Start.Line}
		tests = append(tests, writtenTest{Test: t, printed: &x})
	}
	return tests
}

// writtenTests lists the tests that are written out in a script.
func writtenTests(s *build.Script) []writtenTest {
	if s.Head.Word.Name == "encounter" {
		t := Test{File: s.Path, Title: s.Head.Title.Value, Line: s.Head.Span.Start.Line}
		t.Cites, _ = s.Rules.Checked.ExpandCites(s.Path, s.Head.Cites)
		return []writtenTest{{Test: t}}
	}
	givens := build.Givens(s.File)
	var tests []writtenTest
	for _, cl := range s.File.Body {
		n, ok := cl.(*ast.Test)
		if !ok {
			continue
		}
		t := writtenTest{Test: Test{File: s.Path, Title: n.Title.Value, Line: n.Span.Start.Line}, node: n}
		for _, id := range n.Given {
			if g := givens[id.Name]; g != nil { // the build reports an unknown one
				t.givens = append(t.givens, g)
			}
		}
		if n.Body != nil {
			for _, b := range n.Body.Clauses {
				if d, ok := b.(*ast.Documentation); ok {
					ids, _ := s.Rules.Checked.ExpandCites(s.Path, d.Cites) // the build reports unknown ones
					t.Cites = append(t.Cites, ids...)
				}
			}
		}
		tests = append(tests, t)
	}
	return tests
}

// play runs one test and records its result.
func (o *Options) play(s *build.Script, t *writtenTest) *session.Played {
	began := time.Now()
	var played *session.Played
	// Where coverage is measured, what the final state is computed from counts as well.
	how := session.Options{Strict: t.printed != nil || t.node != nil, Stateless: !o.Cover && o.OnPlayed == nil}
	if t.printed != nil {
		played = session.PlayPrinted(s, *t.printed, how)
	} else {
		how.Update, how.Origins = o.Update, true
		played = session.Play(s, clausesOf(s, t), how)
	}
	t.Seconds = time.Since(began).Seconds()
	if o.OnPlayed != nil {
		o.OnPlayed(s, &t.Test, played)
	}
	t.Failures = append(t.Failures, played.Failures...)
	t.Passed = len(t.Failures) == 0
	if o.Verbose || !t.Passed {
		t.Output = played.Output
	}
	if o.Cover {
		t.own, t.ran = o.ownParts(s, played)
		t.covered = map[string][]int32{}
		for _, id := range t.Cites {
			for _, p := range s.Rules.Checked.Parts {
				for _, c := range p.Cites {
					if c == id && played.Covered(p.ID) {
						t.covered[id] = append(t.covered[id], p.ID)
					}
				}
			}
		}
	}
	return played
}

// clausesOf returns the clauses of a written test: its givens, then its own statements.
func clausesOf(s *build.Script, t *writtenTest) []ast.Clause {
	var clauses []ast.Clause
	if t.node == nil {
		clauses = s.File.Body
	} else {
		for _, g := range t.givens {
			if g.Body != nil {
				clauses = append(clauses, g.Body.Clauses...)
			}
		}
		if t.node.Body != nil {
			clauses = append(clauses, t.node.Body.Clauses...)
		}
	}
	return clauses
}
