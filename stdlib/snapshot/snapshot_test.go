package snapshot_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"arbiter/stdlib/snapshot"
)

type shape interface{ area() int }

type rect struct{ w, h int }

func (r *rect) area() int { return r.w * r.h }

type disc int

func (d disc) area() int { return int(d) }

type node struct {
	name    string
	next    *node
	kids    []*node
	hidden  uint16
	point   struct{ X, Y int8 }
	pair    [2]bool
	ratio   float64
	half    float32
	shape   shape
	anyway  any
	weights []int32
	window  []int32
	byName  map[string]*node
	byNode  map[*node]bool
	never   func()
	body    *node // read late
	index   map[string]int
	empty   []string
}

func late(owner reflect.Type, f reflect.StructField) bool {
	return owner == reflect.TypeFor[node]() && (f.Name == "body" || f.Name == "index")
}

func format(t *testing.T) *snapshot.Format[node] {
	t.Helper()
	f, err := snapshot.NewFormat[node](snapshot.Types{Concrete: []any{(*rect)(nil), disc(0), (*node)(nil), ""}, Late: late})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sample is a graph with everything that a snapshot keeps: a cycle, shared values, overlapping slices, a pointer into a
// slice, maps, interfaces that hold pointers and other values, and parts that are read late.
func sample() *node {
	a, b := &node{name: "a", hidden: 65535, ratio: math.Inf(-1), half: 0.5, empty: []string{}}, &node{name: "b"}
	a.point.X, a.point.Y, a.pair[1] = -128, 127, true
	a.next, b.next = b, a
	a.kids = []*node{b, nil, a, {name: "c", shape: disc(7)}}
	b.kids = a.kids[1:3]
	a.shape, b.shape = &rect{2, 3}, (*rect)(nil)
	a.anyway, b.anyway = a, "text"
	a.weights = []int32{1, -2, math.MinInt32, math.MaxInt32}
	b.weights, b.window = a.weights[:2], a.weights[1:]
	a.byName = map[string]*node{"": nil, "a": a, "b": b}
	b.byName = a.byName
	a.byNode = map[*node]bool{a: true, b: false}
	a.body = &node{name: "body", next: b, index: map[string]int{"one": 1}}
	b.body = &node{name: "deep", body: a.body, kids: []*node{a.body}}
	a.index = map[string]int{"x": -1}
	return a
}

func roundTrip(t *testing.T, f *snapshot.Format[node], x *node) (*node, func()) {
	t.Helper()
	b, err := f.Write(x)
	if err != nil {
		t.Fatal(err)
	}
	got, complete, err := f.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	return got, complete
}

func TestRoundTrip(t *testing.T) {
	got, complete := roundTrip(t, format(t), sample())
	complete()
	complete() // changes nothing
	want := sample()
	if len(got.byNode) != 2 {
		t.Errorf("%d keys of 2", len(got.byNode))
	}
	if got.byNode, want.byNode = nil, nil; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestSharing checks what equality does not see: which values are one and the same.
func TestSharing(t *testing.T) {
	a, complete := roundTrip(t, format(t), sample())
	complete()
	b := a.next
	if b.next != a || a.kids[2] != a || a.anyway != any(a) || a.byName["b"] != b || b.body.body != a.body || b.body.kids[0] != a.body {
		t.Error("a value was read twice")
	}
	if _, known := a.byNode[a]; !known {
		t.Error("a pointer as a key leads elsewhere")
	}
	if a.byName["new"] = b; b.byName["new"] != b {
		t.Error("a map was read twice")
	}
	if b.window[0] = 9; a.weights[1] != 9 || b.weights[1] != 9 {
		t.Error("slices that overlapped do not")
	}
	if &a.kids[1] != &b.kids[0] {
		t.Error("slices of pointers that overlapped do not")
	}
	if b.weights = append(b.weights, 5); a.weights[2] != math.MinInt32 {
		t.Error("appending to a slice writes into another")
	}
	if a.empty == nil || b.empty != nil {
		t.Error("an empty slice and none are mixed up")
	}
}

// TestLate checks that what is read late is zero before and complete after, and that what something else leads to is
// there at once.
func TestLate(t *testing.T) {
	x := sample()
	x.kids[3].body = x.kids[1] // nil
	shared := &node{name: "shared"}
	x.body.body, x.kids[3].next = shared, shared
	a, complete := roundTrip(t, format(t), x)
	body := a.body
	if body == nil || body.name != "" || len(a.index) != 0 {
		t.Errorf("read at once: %+v, %v", body, a.index)
	}
	if at := a.kids[3].next; at == nil || at.name != "shared" {
		t.Errorf("not read at once: %+v", at)
	}
	complete()
	if a.body != body || body.name != "body" || body.index["one"] != 1 || a.index["x"] != -1 || body.body != a.kids[3].next {
		t.Errorf("not complete: %+v, %v", body, a.index)
	}
}

func TestRefused(t *testing.T) {
	type inner struct{ A, B int }
	type outer struct {
		In  inner
		Ptr *int
		Fn  func()
		Any any
	}
	f, err := snapshot.NewFormat[outer](snapshot.Types{})
	if err != nil {
		t.Fatal(err)
	}
	torn := &outer{}
	torn.Ptr = &torn.In.B
	for _, c := range []struct {
		what string
		x    *outer
		want string
	}{
		{"a pointer to a part", torn, "a pointer to a part of a value: a int lies in a snapshot_test.outer"},
		{"a function", &outer{Fn: func() {}}, "a function that is not nil"},
		{"a type that was not named", &outer{Any: 1.5}, "a type behind an interface that the format does not name: float64"},
	} {
		if _, err := f.Write(c.x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	if _, err := snapshot.NewFormat[struct{ C chan int }](snapshot.Types{}); err == nil {
		t.Error("a channel was accepted")
	}
}

// TestDamaged flips each bit pattern of each byte, and cuts the snapshot off at each length.
func TestDamaged(t *testing.T) {
	f := format(t)
	b, err := f.Write(sample())
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		for _, mask := range []byte{1, 0x80, 0xff} {
			b[i] ^= mask
			if _, _, err := f.Read(b); err == nil {
				t.Fatalf("byte %d flipped by %x is not noticed", i, mask)
			}
			b[i] ^= mask
		}
		if _, _, err := f.Read(b[:i]); err == nil {
			t.Fatalf("%d of %d bytes are taken as a whole", i, len(b))
		}
	}
	if _, _, err := f.Read(append(b, 0)); err == nil {
		t.Error("a byte too many is not noticed")
	}
}

func TestOtherFormat(t *testing.T) {
	type v1 struct{ A, B int }
	type v2 struct{ A, C int }
	f1, _ := snapshot.NewFormat[v1](snapshot.Types{})
	f2, _ := snapshot.NewFormat[v2](snapshot.Types{})
	b, err := f1.Write(&v1{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := f2.Read(b); err != snapshot.ErrOther {
		t.Errorf("another type with the same fields: %v", err)
	}
}
