package snapshot

import (
	"encoding/binary"
	"math"
	"math/bits"
	"reflect"
	"unsafe"
)

// This file reads graphs: it makes the arrays for the values of each type and the maps, fills the arrays, and then the
// maps, whose keys are complete by then.

type reader struct {
	*types
	b      []byte
	next   int // index of the byte to read next
	bad    bool
	texts  []string
	arrays []array // by type
	maps   []madeMap
	words  []unsafe.Pointer // the first words of interfaces, for each type behind them; nil: not asked for yet
}

// array holds all values of a type.
type array struct {
	at    unsafe.Pointer
	slice reflect.Value
	count int
	early int // of them, those that are not late; they come first
}

// madeMap is a map, and how many entries it will have.
type madeMap struct {
	m     reflect.Value
	leaf  *leaf
	count int
	late  bool
}

// left returns how many bytes are left.
func (r *reader) left() int { return len(r.b) - r.next }

// uint reads a number.
func (r *reader) uint() uint64 {
	if i := r.next; uint(i) < uint(len(r.b)) && r.b[i] < 0x80 { // most are small
		r.next++
		return uint64(r.b[i])
	}
	return r.largeUint()
}

func (r *reader) largeUint() uint64 {
	if b := r.b[r.next:]; len(b) > 2 {
		switch {
		case b[1] < 0x80:
			r.next += 2
			return uint64(b[0]&0x7f) | uint64(b[1])<<7
		case b[2] < 0x80:
			r.next += 3
			return uint64(b[0]&0x7f) | uint64(b[1]&0x7f)<<7 | uint64(b[2])<<14
		}
	}
	v, n := binary.Uvarint(r.b[r.next:])
	if n <= 0 {
		r.fail()
		return 0
	}
	r.next += n
	return v
}

// fail notes that what is read is no snapshot, and reads nothing more.
func (r *reader) fail() { r.bad, r.next = true, len(r.b) }

// below reads a number that must be less than a limit.
func (r *reader) below(limit int) int {
	v := r.uint()
	if v >= uint64(limit) {
		r.bad = true
		return 0
	}
	return int(v)
}

// count reads how many things follow, each of which takes at least a byte.
func (r *reader) count() int { return r.below(r.left() + 1) }

func (r *reader) read(root *plan) unsafe.Pointer {
	r.readTexts()
	r.arrays = make([]array, len(r.plans))
	least := 0 // how many bytes the values take at least
	for i, p := range r.plans {
		early := r.count()
		n := early + r.count()
		if least += n * p.leastBytes(); least > r.left() {
			r.bad = true
			return nil
		}
		if n > 0 {
			s := reflect.MakeSlice(reflect.SliceOf(p.typ), n, n)
			r.arrays[i] = array{s.UnsafePointer(), s, n, early}
		}
	}
	r.maps = make([]madeMap, r.count())
	for i := range r.maps {
		p, n, late := r.plans[r.below(len(r.plans))], r.count(), r.below(2) == 1
		if least += n; least > r.left() {
			r.bad = true
			return nil
		}
		if p.typ.Kind() != reflect.Map {
			r.bad = true
			return nil
		}
		r.maps[i] = madeMap{reflect.MakeMapWithSize(p.typ, n), &p.leaves[0], n, late}
	}
	r.words = make([]unsafe.Pointer, len(r.ifaces)*len(r.concrete))
	rootAt := r.value(root, r.uint())
	if r.fillAll(false); r.bad {
		return nil
	}
	return rootAt
}

// readLate reads what was left for later. It is what was written, since the checksum was right.
func (r *reader) readLate() {
	r.fillAll(true)
	r.b, r.next = nil, 0
}

// fillAll fills in the values and the maps that are late, or those that are not.
func (r *reader) fillAll(late bool) {
	for i, p := range r.plans {
		a := &r.arrays[i]
		from, to := 0, a.early
		if late {
			from, to = a.early, a.count
		}
		if to > from && !r.bad {
			r.fill(p, unsafe.Add(a.at, uintptr(from)*p.size), to-from)
		}
	}
	for i := range r.maps {
		if m := &r.maps[i]; m.late == late && m.count > 0 && !r.bad {
			r.fillMap(m)
		}
	}
}

func (r *reader) readTexts() {
	r.texts = make([]string, r.count())
	lengths := make([]int, len(r.texts))
	for i := range lengths {
		lengths[i] = r.count()
	}
	total := r.count()
	if r.bad || total > r.left() {
		r.bad = true
		return
	}
	all := string(r.b[r.next : r.next+total]) // one piece for all
	r.next += total
	for i, n := range lengths {
		if n > len(all) {
			r.bad = true
			return
		}
		r.texts[i], all = all[:n], all[n:]
	}
}

// value returns where the value of a type with a number is.
func (r *reader) value(p *plan, number uint64) unsafe.Pointer {
	a := &r.arrays[p.index]
	if number >= uint64(a.count) {
		r.bad = true
		return nil
	}
	return unsafe.Add(a.at, uintptr(number)*p.size)
}

// fill reads values of a type.
func (r *reader) fill(p *plan, first unsafe.Pointer, count int) {
	if p.flat {
		size := uintptr(count) * p.size
		if size > uintptr(r.left()) {
			r.bad = true
			return
		}
		if size > 0 {
			copy(unsafe.Slice((*byte)(first), size), r.b[r.next:])
			r.next += int(size)
		}
		return
	}
	mask := (len(p.leaves) + 7) / 8
	for i := range count {
		at := unsafe.Add(first, uintptr(i)*p.size)
		if r.left() < mask {
			r.bad = true
			return
		}
		set := r.b[r.next : r.next+mask]
		r.next += mask
		for k, set := range set {
			for ; set != 0; set &= set - 1 {
				n := k*8 + bits.TrailingZeros8(set)
				if n >= len(p.leaves) {
					r.bad = true
					return
				}
				l := &p.leaves[n]
				r.leaf(l, unsafe.Add(at, l.offset))
			}
		}
		if r.bad {
			return
		}
	}
}

// leaf reads a leaf that is not zero.
func (r *reader) leaf(l *leaf, p unsafe.Pointer) {
	switch l.kind {
	case reflect.Bool:
		*(*bool)(p) = true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v := r.uint()
		storeNumber(p, l.size, uint64(int64(v>>1)^-int64(v&1)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		storeNumber(p, l.size, r.uint())
	case reflect.Float32:
		*(*float32)(p) = float32(math.Float64frombits(r.uint()))
	case reflect.Float64:
		*(*float64)(p) = math.Float64frombits(r.uint())
	case reflect.String:
		if i := r.below(len(r.texts)); !r.bad {
			*(*string)(p) = r.texts[i]
		}
	case reflect.Pointer:
		*(*unsafe.Pointer)(p) = r.value(l.elem, r.uint())
	case reflect.Slice:
		r.slice(l, p)
	case reflect.Map:
		r.mapAt(l, p)
	case reflect.Interface:
		r.iface(l, p)
	default:
		r.bad = true
	}
}

// storeNumber stores a number of a size in bytes.
func storeNumber(p unsafe.Pointer, size uintptr, v uint64) {
	switch size {
	case 1:
		*(*uint8)(p) = uint8(v)
	case 2:
		*(*uint16)(p) = uint16(v)
	case 4:
		*(*uint32)(p) = uint32(v)
	default:
		*(*uint64)(p) = v
	}
}

// sliceHeader is how a slice lies in memory.
type sliceHeader struct {
	at       unsafe.Pointer
	len, cap int
}

func (r *reader) slice(l *leaf, p unsafe.Pointer) {
	n := r.uint()
	if n == 0 { // empty, but not nil
		reflect.NewAt(l.typ, p).Elem().Set(reflect.MakeSlice(l.typ, 0, 0))
		return
	}
	first := r.uint()
	a := &r.arrays[l.elem.index]
	if n > uint64(a.count) || first > uint64(a.count)-n {
		r.bad = true
		return
	}
	*(*sliceHeader)(p) = sliceHeader{unsafe.Add(a.at, uintptr(first)*l.elem.size), int(n), int(n)}
}

func (r *reader) mapAt(l *leaf, p unsafe.Pointer) {
	i := r.below(len(r.maps))
	if r.bad || r.maps[i].leaf.typ != l.typ {
		r.bad = true
		return
	}
	*(*unsafe.Pointer)(p) = r.maps[i].m.UnsafePointer()
}

func (r *reader) fillMap(m *madeMap) {
	keys, values := &r.arrays[m.leaf.key.index], &r.arrays[m.leaf.elem.index]
	if m.count > keys.count || m.count > values.count {
		r.bad = true
		return
	}
	key, value := r.below(keys.count-m.count+1), r.below(values.count-m.count+1)
	if r.bad {
		return
	}
	for k := range m.count {
		m.m.SetMapIndex(keys.slice.Index(key+k), values.slice.Index(value+k))
	}
}

// ifaceHeader is how an interface lies in memory: with the pointer that it holds, or one to the value.
type ifaceHeader struct{ word, value unsafe.Pointer }

func (r *reader) iface(l *leaf, p unsafe.Pointer) {
	i := r.below(len(r.concrete))
	number := r.uint()
	if r.bad {
		return
	}
	c := r.concrete[i]
	word := &r.words[l.iface*len(r.concrete)+i]
	if *word == nil {
		if *word = firstWord(l.typ, c.typ); *word == nil {
			r.bad = true
			return
		}
	}
	h := ifaceHeader{word: *word}
	switch {
	case c.typ.Kind() != reflect.Pointer:
		if h.value = r.value(c, number); h.value == nil {
			return
		}
	case number > 0:
		h.value = r.value(c.leaves[0].elem, number-1)
	}
	*(*ifaceHeader)(p) = h
}
