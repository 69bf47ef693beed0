package snapshot

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// This file plans how the values of each type are written: as the list of its leaves, which are what a struct of
// structs comes down to.

// types are the plans of a format.
type types struct {
	byType   map[reflect.Type]*plan
	late     func(owner reflect.Type, field reflect.StructField) bool
	plans    []*plan        // by index
	concrete []*plan        // of the types behind interfaces, in the order in which they are numbered
	ifaces   []reflect.Type // the interfaces
	err      error
}

// plan is how values of a type are written.
type plan struct {
	index  int
	typ    reflect.Type
	size   uintptr
	leaves []leaf
	flat   bool // holds no pointer: written as it lies in memory
}

// leaf is a part of a value that has no parts of its own.
type leaf struct {
	offset uintptr // from the start of the value
	size   uintptr
	kind   reflect.Kind
	late   bool // what it leads to is read later
	typ    reflect.Type
	elem   *plan // of a pointer, slice or map: what it leads to
	key    *plan // of a map
	self   *plan // of a map: its own
	iface  int   // of an interface: the number of its type among those of the format
}

// plan returns the plan of a type.
func (ts *types) plan(t reflect.Type) *plan {
	if p := ts.byType[t]; p != nil {
		return p
	}
	p := &plan{index: len(ts.plans), typ: t, size: t.Size(), flat: true}
	ts.byType[t] = p
	ts.plans = append(ts.plans, p)
	ts.addLeaves(p, t, 0, false)
	for _, l := range p.leaves {
		p.flat = p.flat && isNumber(l.kind)
	}
	return p
}

// maxArray is the longest array whose elements are planned one by one.
const maxArray = 64

func (ts *types) addLeaves(p *plan, t reflect.Type, offset uintptr, late bool) {
	l := leaf{offset: offset, size: t.Size(), kind: t.Kind(), typ: t, late: late}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			ts.addLeaves(p, f.Type, offset+f.Offset, late || ts.late != nil && ts.late(t, f))
		}
		return
	case reflect.Array:
		if t.Len() > maxArray {
			ts.fail("an array of more than %d elements: %s", maxArray, t)
			return
		}
		for i := range t.Len() {
			ts.addLeaves(p, t.Elem(), offset+uintptr(i)*t.Elem().Size(), late)
		}
		return
	case reflect.Pointer, reflect.Slice:
		l.elem = ts.plan(t.Elem())
	case reflect.Map:
		l.key, l.elem, l.self = ts.plan(t.Key()), ts.plan(t.Elem()), ts.plan(t)
	case reflect.Interface:
		if l.iface = slices.Index(ts.ifaces, t); l.iface < 0 {
			l.iface = len(ts.ifaces)
			ts.ifaces = append(ts.ifaces, t)
		}
	case reflect.String, reflect.Func:
	default:
		if !isNumber(t.Kind()) {
			ts.fail("a value that cannot be written: %s", t)
			return
		}
	}
	p.leaves = append(p.leaves, l)
}

func (ts *types) fail(format string, args ...any) {
	if ts.err == nil {
		ts.err = fmt.Errorf("snapshot: "+format, args...)
	}
}

func isNumber(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Float64 && k != reflect.Uintptr
}

// dense reports whether there is nothing between the leaves of a value.
func (p *plan) dense() bool {
	sum := uintptr(0)
	for _, l := range p.leaves {
		sum += l.size
	}
	return sum == p.size
}

// leastBytes is how many bytes a written value takes at least.
func (p *plan) leastBytes() int {
	if p.flat {
		return int(p.size)
	}
	return (len(p.leaves) + 7) / 8
}

// describe says all that reading depends on.
func (p *plan) describe() string {
	var b strings.Builder
	fmt.Fprint(&b, p.index, " ", p.typ.PkgPath(), " ", p.typ, " ", p.size)
	for _, l := range p.leaves {
		fmt.Fprint(&b, ";", l.offset, " ", l.kind, " ", l.typ, " ", l.late)
	}
	return b.String()
}

// firstWord returns what the first word of an interface is when it holds a value of a type, which Go does not tell
// otherwise: it is read off one that does. It is nil if the type does not have the methods.
func firstWord(iface, concrete reflect.Type) unsafe.Pointer {
	if !concrete.Implements(iface) {
		return nil
	}
	v := reflect.New(iface)
	v.Elem().Set(reflect.Zero(concrete))
	return *(*unsafe.Pointer)(v.UnsafePointer())
}
