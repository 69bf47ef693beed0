package snapshot

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"unsafe"
)

// This file writes graphs. First it finds the memory that the graph takes, in stretches of one type; then it numbers the
// values of each type, stretch by stretch; then it writes them, each pointer as such a number.

// stretch is memory with values of one type.
type stretch struct {
	at    unsafe.Pointer
	count int // of values
	first int // number of the first value among all of its type
	late  bool
}

func (s stretch) start() uintptr           { return uintptr(s.at) }
func (s stretch) end(size uintptr) uintptr { return uintptr(s.at) + uintptr(s.count)*size }

// found is a map, with its contents as slices.
type found struct {
	leaf         *leaf
	keys, values reflect.Value
	late         bool
}

type writer struct {
	*types
	leads     [][]*leaf                // by type: the leaves that lead to something else
	seen      []map[unsafe.Pointer]int // by type: how many values are met from an address on
	queue     []place
	late      bool        // what is met now is read later
	deferred  []deferral  // leaves that lead to what is read later
	visited   []place     // all that was visited
	stretches [][]stretch // by type, once they are numbered
	maps      []found
	mapIDs    map[unsafe.Pointer]int
	boxes     map[unsafe.Pointer]unsafe.Pointer // what an interface at an address holds, if that is no pointer
	alive     []reflect.Value                   // copies that were made while writing
	held      map[ifaceType]*plan               // what interfaces hold, by their first word
	strings   map[string]int
	texts     []string
	b         []byte
	err       error
}

// ifaceType is an interface type by its number, with the first word of one that holds something.
type ifaceType struct {
	iface int
	word  unsafe.Pointer
}

// place is a stretch of a type that was met on the way.
type place struct {
	plan *plan
	stretch
}

// deferral is a leaf of the value at a place.
type deferral struct {
	leaf *leaf
	at   unsafe.Pointer
}

func newWriter(ts *types) *writer {
	return &writer{types: ts, mapIDs: map[unsafe.Pointer]int{}, boxes: map[unsafe.Pointer]unsafe.Pointer{}, held: map[ifaceType]*plan{}, strings: map[string]int{}}
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("snapshot: "+format, args...)
	}
}

func (w *writer) write(root *plan, p unsafe.Pointer) ([]byte, error) {
	n := len(w.plans)
	w.stretches, w.seen, w.leads = make([][]stretch, n), make([]map[unsafe.Pointer]int, n), make([][]*leaf, n)
	for i, p := range w.plans {
		w.seen[i] = map[unsafe.Pointer]int{}
		for k := range p.leaves {
			if l := &p.leaves[k]; !isNumber(l.kind) {
				w.leads[i] = append(w.leads[i], l)
			}
		}
	}
	w.meet(root, p, 1)
	w.visitAll()
	w.late = true
	for len(w.deferred) > 0 {
		d := w.deferred[len(w.deferred)-1]
		w.deferred = w.deferred[:len(w.deferred)-1]
		w.follow(d.leaf, d.at)
		w.visitAll()
	}
	w.number()
	if w.err != nil {
		return nil, w.err
	}
	w.emit(root, p)
	runtime.KeepAlive(w.alive)
	return w.b, w.err
}

// visitAll visits what was met, and all that it leads to.
func (w *writer) visitAll() {
	for len(w.queue) > 0 {
		v := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		v.late = w.late
		w.visited = append(w.visited, v)
		for i := range v.count {
			for _, l := range w.leads[v.plan.index] {
				at := unsafe.Add(v.at, uintptr(i)*v.plan.size)
				if l.late && !w.late {
					w.deferred = append(w.deferred, deferral{l, at})
				} else {
					w.follow(l, at)
				}
			}
		}
	}
}

// meet notes values that the graph leads to.
func (w *writer) meet(p *plan, at unsafe.Pointer, count int) {
	if seen := w.seen[p.index]; count > seen[at] {
		seen[at] = count
		w.queue = append(w.queue, place{p, stretch{at: at, count: count}})
	}
}

// follow meets what a leaf of the value at p leads to.
func (w *writer) follow(l *leaf, p unsafe.Pointer) {
	p = unsafe.Add(p, l.offset)
	switch l.kind {
	case reflect.String:
		w.intern(*(*string)(p))
	case reflect.Pointer:
		if q := *(*unsafe.Pointer)(p); q != nil {
			w.meet(l.elem, q, 1)
		}
	case reflect.Slice:
		h := (*sliceHeader)(p)
		w.meet(l.elem, h.at, h.len)
	case reflect.Map:
		w.followMap(l, reflect.NewAt(l.typ, p).Elem())
	case reflect.Interface:
		h := (*ifaceHeader)(p)
		if h.word == nil {
			return
		}
		c := w.concreteOf(l, p)
		if c == nil {
			return
		}
		if c.typ.Kind() == reflect.Pointer {
			if h.value != nil {
				w.meet(c.leaves[0].elem, h.value, 1)
			}
			return
		}
		v := reflect.NewAt(l.typ, p).Elem().Elem()
		box := reflect.New(v.Type())
		box.Elem().Set(v)
		w.alive = append(w.alive, box)
		w.boxes[p] = box.UnsafePointer()
		w.meet(c, box.UnsafePointer(), 1)
	case reflect.Func:
		if *(*unsafe.Pointer)(p) != nil {
			w.fail("a function that is not nil")
		}
	}
}

// concreteOf returns the plan of the type that the interface at p holds, which is one of those named.
func (w *writer) concreteOf(l *leaf, p unsafe.Pointer) *plan {
	k := ifaceType{l.iface, (*ifaceHeader)(p).word}
	c := w.held[k]
	if c == nil {
		t := reflect.NewAt(l.typ, p).Elem().Elem().Type()
		if c = w.byType[t]; c == nil || !slices.Contains(w.concrete, c) {
			w.fail("a type behind an interface that the format does not name: %s", t)
			return nil
		}
		w.held[k] = c
	}
	return c
}

func (w *writer) followMap(l *leaf, v reflect.Value) {
	if v.IsNil() {
		return
	}
	if _, known := w.mapIDs[v.UnsafePointer()]; known {
		return
	}
	w.mapIDs[v.UnsafePointer()] = len(w.maps)
	n := v.Len()
	m := found{l, reflect.MakeSlice(reflect.SliceOf(l.key.typ), n, n), reflect.MakeSlice(reflect.SliceOf(l.elem.typ), n, n), w.late}
	for i, it := 0, v.MapRange(); it.Next(); i++ {
		m.keys.Index(i).Set(it.Key())
		m.values.Index(i).Set(it.Value())
	}
	w.maps = append(w.maps, m)
	w.meet(l.key, m.keys.UnsafePointer(), n)
	w.meet(l.elem, m.values.UnsafePointer(), n)
}

// number joins stretches that overlap and numbers the values of each type. Values of two types in the same place cannot
// be written: one would be torn out of the other.
func (w *writer) number() {
	slices.SortFunc(w.visited, func(a, b place) int {
		if a.at != b.at {
			return cmp.Compare(a.start(), b.start())
		}
		return cmp.Compare(b.count, a.count)
	})
	var last *plan // of the value that ends last so far
	end := uintptr(0)
	for _, v := range w.visited {
		size := v.plan.size
		if size > 0 && v.start() < end && v.plan != last {
			w.fail("a pointer to a part of a value: a %s lies in a %s", v.plan.typ, last.typ)
		}
		if e := v.end(size); e > end {
			last, end = v.plan, e
		}
		w.join(v.plan, v.stretch)
	}
	for _, list := range w.stretches {
		first := 0
		for _, late := range []bool{false, true} {
			for k := range list {
				if list[k].late == late {
					list[k].first = first
					first += list[k].count
				}
			}
		}
	}
}

// join adds a stretch to those of its type, none of which begins behind it.
func (w *writer) join(p *plan, s stretch) {
	list := w.stretches[p.index]
	n := len(list)
	if n == 0 || s.at != list[n-1].at && s.start() >= list[n-1].end(p.size) {
		w.stretches[p.index] = append(list, s)
		return
	}
	before := &list[n-1]
	before.late = before.late && s.late
	if p.size == 0 {
		return
	}
	if (s.start()-before.start())%p.size != 0 {
		w.fail("values of %s overlap by a part", p.typ)
	}
	if s.end(p.size) > before.end(p.size) {
		before.count = int((s.end(p.size) - before.start()) / p.size)
	}
}

// numberOf returns the number of a value that was met, among all of its type.
func (w *writer) numberOf(p *plan, at unsafe.Pointer) int {
	list := w.stretches[p.index]
	i, exact := slices.BinarySearchFunc(list, uintptr(at), func(s stretch, at uintptr) int { return cmp.Compare(s.start(), at) })
	if !exact {
		i--
	}
	if p.size == 0 {
		return list[i].first
	}
	return list[i].first + int((uintptr(at)-list[i].start())/p.size)
}

// intern numbers a text.
func (w *writer) intern(s string) int {
	i, ok := w.strings[s]
	if !ok {
		i = len(w.texts)
		w.strings[s] = i
		w.texts = append(w.texts, s)
	}
	return i
}

// emit writes everything: the texts; how many values of each type there are that are read at once, and how many late; of
// which type each map is, how large, and whether it is filled late; the root; then the contents of both kinds.
func (w *writer) emit(root *plan, p unsafe.Pointer) {
	w.intern("")
	w.uint(uint64(len(w.texts)))
	total := 0
	for _, s := range w.texts {
		w.uint(uint64(len(s)))
		total += len(s)
	}
	w.uint(uint64(total))
	for _, s := range w.texts {
		w.b = append(w.b, s...)
	}
	for i := range w.plans {
		for _, late := range []bool{false, true} {
			n := 0
			for _, s := range w.stretches[i] {
				if s.late == late {
					n += s.count
				}
			}
			w.uint(uint64(n))
		}
	}
	w.uint(uint64(len(w.maps)))
	for _, m := range w.maps {
		w.uint(uint64(m.leaf.self.index))
		w.uint(uint64(m.keys.Len()))
		w.bool(m.late)
	}
	w.uint(uint64(w.numberOf(root, p)))
	w.contents(false)
	w.contents(true)
}

// contents writes the values and the contents of maps that are read late, or those that are not.
func (w *writer) contents(late bool) {
	for i, pl := range w.plans {
		for _, s := range w.stretches[i] {
			if s.late != late {
				continue
			}
			if pl.flat && pl.dense() {
				w.b = append(w.b, unsafe.Slice((*byte)(s.at), uintptr(s.count)*pl.size)...)
				continue
			}
			for k := range s.count {
				w.value(pl, unsafe.Add(s.at, uintptr(k)*pl.size))
			}
		}
	}
	for _, m := range w.maps {
		if m.late == late && m.keys.Len() > 0 {
			w.uint(uint64(w.numberOf(m.leaf.key, m.keys.UnsafePointer())))
			w.uint(uint64(w.numberOf(m.leaf.elem, m.values.UnsafePointer())))
		}
	}
}

func (w *writer) bool(yes bool) {
	if yes {
		w.uint(1)
	} else {
		w.uint(0)
	}
}

func (w *writer) uint(v uint64) { w.b = binary.AppendUvarint(w.b, v) }

// value writes a value: a bit for each of its leaves that is not zero, and these. A flat value is written as it is.
func (w *writer) value(pl *plan, p unsafe.Pointer) {
	if pl.flat {
		start := len(w.b)
		w.b = append(w.b, make([]byte, pl.size)...)
		for _, l := range pl.leaves { // leaving out what lies between them
			copy(w.b[start+int(l.offset):], unsafe.Slice((*byte)(unsafe.Add(p, l.offset)), l.size))
		}
		return
	}
	mask := len(w.b)
	w.b = append(w.b, make([]byte, (len(pl.leaves)+7)/8)...)
	for i := range pl.leaves {
		l := &pl.leaves[i]
		q := unsafe.Add(p, l.offset)
		if !l.isZero(q) {
			w.b[mask+i/8] |= 1 << (i % 8)
			w.leaf(l, q)
		}
	}
}

// isZero reports whether the leaf at p is zero, judging by its first word where that is enough.
func (l *leaf) isZero(p unsafe.Pointer) bool {
	switch l.kind {
	case reflect.String:
		return len(*(*string)(p)) == 0
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func:
		return *(*unsafe.Pointer)(p) == nil
	}
	return loadInt(p, l.size) == 0
}

// leaf writes a leaf that is not zero.
func (w *writer) leaf(l *leaf, p unsafe.Pointer) {
	switch l.kind {
	case reflect.Bool:
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.b = binary.AppendVarint(w.b, loadInt(p, l.size))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.uint(uint64(loadInt(p, l.size)) & (1<<(8*l.size-1)<<1 - 1))
	case reflect.Float32:
		w.uint(math.Float64bits(float64(*(*float32)(p))))
	case reflect.Float64:
		w.uint(math.Float64bits(*(*float64)(p)))
	case reflect.String:
		w.uint(uint64(w.intern(*(*string)(p))))
	case reflect.Pointer:
		w.uint(uint64(w.numberOf(l.elem, *(*unsafe.Pointer)(p))))
	case reflect.Slice:
		h := (*sliceHeader)(p)
		w.uint(uint64(h.len))
		if h.len > 0 {
			w.uint(uint64(w.numberOf(l.elem, h.at)))
		}
	case reflect.Map:
		w.uint(uint64(w.mapIDs[*(*unsafe.Pointer)(p)]))
	case reflect.Interface:
		c := w.concreteOf(l, p)
		w.uint(uint64(slices.Index(w.concrete, c)))
		switch h := (*ifaceHeader)(p); {
		case c.typ.Kind() != reflect.Pointer:
			w.uint(uint64(w.numberOf(c, w.boxes[p])))
		case h.value == nil:
			w.uint(0)
		default:
			w.uint(uint64(w.numberOf(c.leaves[0].elem, h.value)) + 1)
		}
	}
}

// loadInt loads a number of a size in bytes, with its sign.
func loadInt(p unsafe.Pointer, size uintptr) int64 {
	switch size {
	case 1:
		return int64(*(*int8)(p))
	case 2:
		return int64(*(*int16)(p))
	case 4:
		return int64(*(*int32)(p))
	}
	return *(*int64)(p)
}
