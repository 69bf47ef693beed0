package build

import (
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/interp/program"
	"arbiter/lang/diag"
	"arbiter/rules"
)

var everyScript = flag.Bool("every", false, "build every script of the repository, not a selection")

// TestSharedAsApart builds scripts of the repository on shared rules, on rules that a store has kept, and apart: the diagnostics are the same, and so is
// every number that a session or a seed depends on. Several scripts are built at once, so that the race detector sees
// what they share.
func TestSharedAsApart(t *testing.T) {
	var paths []string
	for _, root := range []string{"../../examples", "../../spec"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if slices.Contains([]string{".tests", ".encounter", ".adventure"}, filepath.Ext(path)) {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !*everyScript {
		every := paths
		paths = nil
		for i := 0; i < len(every); i += 5 {
			paths = append(paths, every[i])
		}
	}
	stored := t.TempDir()
	if NewStore(stored) == nil {
		t.Fatal("the test program cannot be told from others")
	}
	var wg sync.WaitGroup
	next := make(chan string)
	for range 2 {
		wg.Go(func() {
			for path := range next {
				store := NewStore(stored) // of a process each, since one writes only a few
				o := Options{Library: rules.FS, Apart: true}
				o.Compile.Unoptimized = true
				want, wantDiags, err := File(path, o)
				if err != nil {
					t.Error(path, err)
					continue
				}
				o.Apart, o.Store = false, store
				kept := false // what rests on files is kept only the second time
				for _, how := range []string{"shared", "from the store", "from the store at last"} {
					if how != "shared" {
						store.Wait()
						Forget()
					}
					if kept {
						continue
					}
					got, diags, err := File(path, o)
					if err != nil {
						t.Error(path, err)
						continue
					}
					kept = got.Rules != nil && fromStore(got)
					compareDiags(t, path, how, diags, wantDiags)
					if got.Rules != nil && want.Rules != nil {
						comparePrograms(t, path, how, got.Rules, want.Rules)
					} else if got.Rules != nil || want.Rules != nil {
						t.Errorf("%s: one of two has mistakes", path)
					}
				}
			}
		})
	}
	for _, path := range paths {
		next <- path
	}
	close(next)
	wg.Wait()
}

func compareDiags(t *testing.T, path, how string, got, want diag.List) {
	if !slices.EqualFunc(got, want, func(a, b diag.Diagnostic) bool {
		return a.Code == b.Code && a.File == b.File && a.Span == b.Span && a.Message == b.Message && a.Hint == b.Hint
	}) {
		t.Errorf("%s: %s:\n%v\napart:\n%v", path, how, got, want)
	}
}

// comparePrograms compares what has a number: things with their values, procedures, labels, effects, fields, tactics.
func comparePrograms(t *testing.T, path, how string, got, want *Rules) {
	describe := func(r *Rules) []string {
		var list []string
		p := r.Program
		for _, x := range p.Templates {
			list = append(list, "thing "+x.Name)
			for i, v := range x.Values {
				f := p.Kinds[x.Kind].Fields[i]
				list = append(list, f.Name+" "+describeValue(p, f.Type, v))
			}
			for _, e := range x.Effects {
				list = append(list, "has "+p.Effects[e.Effect].Name)
			}
		}
		for _, x := range p.Procs {
			list = append(list, "procedure "+x.Name)
			for _, w := range x.Ways {
				list = append(list, p.Procs[w].Name)
			}
		}
		for _, x := range p.Effects {
			list = append(list, "effect "+x.Name)
		}
		for _, x := range p.Rules {
			list = append(list, fmt.Sprint("rule ", x.Name, x.Order))
		}
		for _, x := range p.Permissions {
			list = append(list, fmt.Sprint("permission ", x.Name, x.Proc))
		}
		ofScript := len(list)
		for _, x := range p.Parts {
			text := fmt.Sprint("part ", x.Path, r.Checked.Files[x.Pos.File], x.Pos.Span, x.From, x.Cites)
			if x.From == link.ScriptName { // in another order: things that are added come last
				list = append(list, text)
			} else {
				list = slices.Insert(list, ofScript, text)
				ofScript++
			}
		}
		slices.Sort(list[ofScript:])
		for i, x := range p.Tactics {
			list = append(list, "tactics "+r.Checked.Ruleset.Tactics[i].Name)
			for _, c := range x.Commands {
				list = append(list, p.Procs[c.Proc].Name)
			}
		}
		for _, dice := range []bool{false, true} {
			list = append(list, r.Checked.Labels(dice)...)
		}
		return append(list, r.Name, strings.Join(r.Set().Rulesets, " "))
	}
	a, b := describe(got), describe(want)
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			t.Errorf("%s: %s %q, apart %q", path, how, a[i:min(i+3, len(a))], b[min(i, len(b)):min(i+3, len(b))])
			return
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s: %d %s, %d apart", path, len(a), how, len(b))
	}
}

// describeValue tells what texts, dice and lists stand for, whose indexes may differ.
func describeValue(p *program.Program, typ int32, v int64) string {
	switch x := p.Types[typ]; {
	case v == program.None:
		return "none"
	case x.Kind == ir.Text:
		return p.Texts[v]
	case x.Kind == ir.Dice:
		d := ir.UnpackDice(v)
		return fmt.Sprint(p.Dice[d.Expr], d.Times, d.Flat)
	case x.Kind == ir.List && v < program.ArenaBase:
		_, _, n := program.UnpackHeader(p.Heap[v])
		var list []string
		for _, e := range p.Heap[v+1 : v+1+n] {
			list = append(list, describeValue(p, x.Of, e))
		}
		return fmt.Sprint(list)
	}
	return fmt.Sprint(v)
}
