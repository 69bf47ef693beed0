package spill

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever is done, the bytes are those of a plain slice.
func TestAsASlice(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b Bytes
		var want []byte
		spilled := false
		for range 400 {
			switch r.IntN(6) {
			case 0:
				n := len(want) - min(len(want), r.IntN(1+r.IntN(1+len(want))))
				b.Truncate(n)
				want = want[:n]
			case 1:
				if err := b.Spill(1+r.IntN(50), Temporary); err != nil {
					t.Fatal(err)
				}
			default:
				for range r.IntN(60) {
					c := byte(r.Uint32())
					b.Append(c)
					want = append(want, c)
				}
			}
			from := r.IntN(len(want) + 1)
			to := from + r.IntN(len(want)-from+1)
			got, err := b.Read(from, to)
			latest, at := b.Latest()
			if err != nil || !bytes.Equal(got, want[from:to]) || b.Len() != len(want) || !bytes.Equal(latest, want[at:]) || b.Held() != len(latest) {
				t.Fatalf("%d: %d to %d of %d: %v, %v", seed, from, to, len(want), got, err)
			}
			spilled = spilled || at > 0
		}
		if !spilled {
			t.Errorf("%d: nothing was ever in the file", seed)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The file is gone after the end, and cannot be found before it where the system permits that.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	var b Bytes
	b.Append(make([]byte, 100)...)
	if err := b.Spill(10, Temporary); err != nil || b.Held() != 10 {
		t.Fatal(err, b.Held())
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if list, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
	f, err := os.CreateTemp(dir, "x")
	if err != nil {
		t.Fatal(err)
	}
	if err := (&named{f}).Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(f.Name()); err == nil {
		t.Error("a file that keeps its name is left")
	}
}

// endless is a file of any size that holds nothing.
type endless struct{}

func (endless) WriteAt(b []byte, _ int64) (int, error) { return len(b), nil }
func (endless) ReadAt(b []byte, _ int64) (int, error)  { return len(b), nil }
func (endless) Close() error                           { return nil }

// A file holds MaxFile bytes and no more; what it does not take stays in memory, and that is said once.
func TestMaxFile(t *testing.T) {
	open := func() (File, error) { return endless{}, nil }
	for _, over := range []int{-1, 0, 1} {
		b := Bytes{base: maxFile - 100, file: endless{}}
		b.Append(make([]byte, 110+over)...)
		err := b.Spill(10, open)
		if refused := over > 0; (err != nil) != refused || refused && !strings.Contains(err.Error(), "more than 1073741824 bytes") {
			t.Errorf("%+d: %v", over, err)
		}
		if want := map[int]int{-1: 10, 0: 10, 1: 111}[over]; b.Held() != want || b.Len() != maxFile+10+over {
			t.Errorf("%+d: %d bytes in memory, %d in all", over, b.Held(), b.Len())
		}
		b.Append(make([]byte, 1000)...)
		if again := b.Spill(10, open); over > 0 && again != nil {
			t.Errorf("%+d: %v a second time", over, again)
		}
	}
}

// Bytes that no file holds are forgotten on request, and left out of what is read.
func TestForget(t *testing.T) {
	var b Bytes
	b.Append([]byte("abcdefghij")...)
	if b.Forget(6) || !b.Forget(5) || b.Len() != 10 || b.Held() != 5 {
		t.Errorf("%d of %d", b.Held(), b.Len())
	}
	if got, err := b.Read(2, 8); err != nil || string(got) != "fgh" {
		t.Errorf("%q %v", got, err)
	}
	if err := b.Spill(1, func() (File, error) { return nil, errors.New("no folder") }); err == nil || b.Held() != 5 {
		t.Error(err, b.Held())
	}
}
