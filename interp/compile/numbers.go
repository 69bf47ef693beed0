package compile

import (
	"maps"

	"arbiter/interp/program"
)

// numbers are the numbers of what a program lists, by name or value: those that it had from the start, which are shared
// and never change, and those added since.
type numbers[K comparable] struct{ shared, added map[K]int32 }

func (n *numbers[K]) of(x K) (int32, bool) {
	if i, ok := n.shared[x]; ok {
		return i, true
	}
	i, ok := n.added[x]
	return i, ok
}

func (n *numbers[K]) set(x K, i int32) {
	if n.added == nil {
		n.added = map[K]int32{}
	}
	n.added[x] = i
}

// forget forgets the numbers from a number on, which must all have been added.
func (n *numbers[K]) forget(from int) {
	maps.DeleteFunc(n.added, func(_ K, i int32) bool { return int(i) >= from })
}

// intern returns the number of a value in a list that grows, and adds it if it is new.
func intern[K comparable](known *numbers[K], list *[]K, x K) int32 {
	if i, ok := known.of(x); ok {
		return i
	}
	i := int32(len(*list))
	known.set(x, i)
	*list = append(*list, x)
	return i
}

// tables are the numbers in a program of what has a name or a value.
type tables struct {
	labels, texts, props, natives, points numbers[string]
	consts                                numbers[int64]
	types                                 numbers[program.Type]
}

// tablesOf returns the numbers of a program that was finished, or of a copy of one to which nothing has been added yet.
func tablesOf(p *program.Program) tables {
	x := p.Index()
	return tables{
		labels: numbers[string]{shared: x.Labels}, texts: numbers[string]{shared: x.Texts}, props: numbers[string]{shared: x.Properties},
		natives: numbers[string]{shared: x.Natives}, points: numbers[string]{shared: x.Points},
		consts: numbers[int64]{shared: x.Consts}, types: numbers[program.Type]{shared: x.Types},
	}
}
