package program

// Index finds what is listed in a program by its name or value, as its number there. It is shared, and never changes.
type Index struct {
	Texts, Labels, Properties, Natives, Points, Procs map[string]int32
	Consts                                            map[int64]int32
	Types                                             map[Type]int32
}

// Index returns the index of what the program had when it was finished. Copies of a finished program share it: it is made
// when one of them first asks, so that of thousands of copies, each for one test, none has to.
func (p *Program) Index() *Index {
	if p.common == nil {
		return p.newIndex()
	}
	return p.common().index()
}

func (p *Program) newIndex() *Index {
	return &Index{
		Texts: byValue(p.Texts, same), Labels: byValue(p.Labels, func(l Label) string { return l.Name }),
		Properties: byValue(p.Properties, same), Natives: byValue(p.Natives, same),
		Points: byValue(p.Points, func(x Point) string { return x.Name }), Procs: byValue(p.Procs, func(q Proc) string { return q.Name }),
		Consts: byValue(p.Consts, same), Types: byValue(p.Types, same),
	}
}

func same[T any](x T) T { return x }

func byValue[K comparable, T any](list []T, value func(T) K) map[K]int32 {
	m := make(map[K]int32, len(list))
	for i, x := range list {
		m[value(x)] = int32(i)
	}
	return m
}
