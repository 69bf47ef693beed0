package hook

// table is a hash table for a few names, used for every attribute. It hashes the length and three letters of a name,
// and takes half the time of a map.
type table[V any] struct {
	slots []slot[V] // at least twice as many as names, a power of two
}

type slot[V any] struct {
	name  string // "" is free
	value V
}

func newTable[V any](values map[string]V) table[V] {
	n := 4
	for n < 4*len(values) {
		n *= 2
	}
	t := table[V]{make([]slot[V], n)}
	for name, v := range values {
		if name != "" {
			*t.find(name) = slot[V]{name, v}
		}
	}
	return t
}

// find returns the slot of a name, or the free slot for it.
func (t *table[V]) find(name string) *slot[V] {
	n := len(name)
	for i := n + 31*int(name[0]) + 7*int(name[n/2]) + 3*int(name[n-1]); ; i++ {
		s := &t.slots[i&(len(t.slots)-1)]
		if s.name == name || s.name == "" {
			return s
		}
	}
}

func (t *table[V]) get(name string) (v V, ok bool) {
	if name == "" {
		return v, false
	}
	s := t.find(name)
	return s.value, s.name != ""
}
