package build

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"arbiter/interp/compile"
	"arbiter/rules"
)

// A build that is broken off says so, wherever it is, and leaves nothing behind: the next one is as any other.
func TestStoppedBuilds(t *testing.T) {
	for name, text := range map[string]string{
		"x.rules":     "ruleset x extends srd35\n\nfeat bold { +1 to attack-bonus }\n",
		"x.encounter": "encounter \"X\" with srd35\n\ncreature rat { }\n",
	} {
		t.Run(name, func(t *testing.T) {
			Forget()
			o := Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}}
			asked, limit := 0, -1
			o.Stop = func() bool { asked++; return asked == limit }
			whole, want, err := Source(name, []byte(text), o)
			if err != nil || asked < 1000 {
				t.Fatalf("asked %d times, %v", asked, err)
			}
			times := asked
			for _, share := range []int{0, 10, 35, 60, 85} {
				Forget()
				asked, limit = 0, 1+times*share/100
				if s, diags, err := Source(name, []byte(text), o); !errors.Is(err, ErrStopped) || s != nil || diags != nil {
					t.Fatalf("at %d of %d: %v %v %v", limit, times, s, diags, err)
				}
			}
			limit = -1
			again, got, err := Source(name, []byte(text), o)
			if err != nil || len(got) != len(want) || (again.Rules == nil) != (whole.Rules == nil) {
				t.Fatalf("%v instead of %v, %v", got, want, err)
			}
			if whole.Rules != nil && again.Digest() != whole.Digest() {
				t.Error("the rules are others")
			}
		})
	}
}

// A build that waits for another one of the same rules is broken off as well, and the other one goes on.
func TestStoppedWhileWaiting(t *testing.T) {
	for name, build := range map[string]func(Options) error{
		"a ruleset": func(o Options) error { _, _, err := Named(o, "srd35"); return err },
		"a script": func(o Options) error {
			_, _, err := Source("x.encounter", []byte("encounter \"X\" with srd35\n\ncreature rat { }\n"), o)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}}
			asks := 0
			o.Stop = func() bool { asks++; return false }
			Forget()
			if err := build(o); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				defer Forget() // what belongs to this test's clock
				Forget()
				goOn, first := make(chan struct{}), make(chan error)
				go func() {
					asked := 0
					o := o
					o.Stop = func() bool {
						if asked++; asked == asks/2 {
							<-goOn
						}
						return false
					}
					first <- build(o)
				}()
				synctest.Wait() // it is in the middle of its build
				began := time.Now()
				o := o
				o.Stop = func() bool { return time.Since(began) > 0 } // here time passes only while everybody waits
				if err := build(o); !errors.Is(err, ErrStopped) {
					t.Errorf("waiting ended with %v", err)
				}
				close(goOn)
				if err := <-first; err != nil {
					t.Errorf("the other build ended with %v", err)
				}
			})
		})
	}
}
