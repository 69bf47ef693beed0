// Package modifier computes a number from its own terms and the modifiers on it, by the stacking rules. It returns the
// total and, on request, the reason why each entry counted or did not. The package must never know what the number is,
// or the name of a bonus type: types and terms are indices, and their laws come from the rules.
//
// The entries of one number are processed in classes; inside a class their order makes no difference:
//
//  1. What the view leaves out is removed: whole entries (without), or only bonuses (lost).
//  2. Base: the sum of the number's own terms, or, if entries replace it, the lowest of those.
//     A replaced term takes no part in stacking.
//  3. Additions: untyped entries always count; typed bonuses compete by the law of their type.
//     A penalty always counts, whatever its type.
//  4. Multiplication: factors of at least one give 1 + the sum of their excess over one, so two
//     doublings triple; factors below one multiply, so two halvings quarter. The result is exact
//     and rounded down once.
//  5. Bounds: raised to the highest floor, then limited to the lowest ceiling.
package modifier

// Untyped is the Type of an entry that always adds, and NoTerm the Term of a modifier.
const (
	Untyped = -1
	NoTerm  = -1
)

// MaxTypes is the number of bonus types, and of terms, that the masks of a Loss can name.
const MaxTypes = 64

// Limit is the largest absolute value of an entry; larger values are clamped to it, so that no sum of fewer than four
// million entries overflows.
const Limit = 1 << 40

// A Law says how bonuses of one type stack.
type Law uint8

const (
	Highest        Law = iota // only the highest counts
	Stacks                    // all count
	StacksBySource            // the highest from each source counts
)

// An Op says what an entry does.
type Op uint8

const (
	Add     Op = iota // adds Value
	Times             // multiplies by Value / Den
	Becomes           // replaces the sum of the terms with Value
	Floor             // the number is at least Value
	Ceiling           // the number is at most Value
)

// An Entry is a term of the number or a modifier on it.
type Entry struct {
	Value  int64
	Den    int32 // of Times, the denominator; values below 1 count as 1
	Source int32 // the source, for StacksBySource
	Type   int16 // index of the bonus type; Untyped, or an index beyond the laws, always adds
	Term   int16 // index of the number's own term; NoTerm for a modifier
	Op     Op
}

// A Loss names bonus types and terms, one bit for each.
type Loss struct{ Types, Terms uint64 }

func (l Loss) matches(e *Entry) bool {
	// A shift by 64 or more gives 0: what no mask can name is never lost.
	return e.Type >= 0 && l.Types>>uint(e.Type)&1 != 0 || e.Term >= 0 && l.Terms>>uint(e.Term)&1 != 0
}

// Total computes the number. Bonuses named by lost are dropped, but not penalties; entries named by without are dropped
// altogether. It does not allocate.
func Total(laws []Law, entries []Entry, lost, without Loss) int64 {
	base, replaced := replacement(entries, without)
	sum := base
	var best [MaxTypes]int64 // the highest bonus so far of each type
	scaled, bounded := false, false
	for i := range entries {
		e := &entries[i]
		if without.matches(e) {
			continue
		}
		switch e.Op {
		case Times:
			scaled = true
			continue
		case Floor, Ceiling:
			bounded = true
			continue
		case Becomes:
			continue
		}
		if replaced && e.Term >= 0 {
			continue
		}
		v := clamp(e.Value)
		if v <= 0 {
			sum += v
			continue
		}
		if lost.matches(e) {
			continue
		}
		switch lawOf(laws, e) {
		case Stacks:
			sum += v
		case StacksBySource:
			if betterOfSource(entries, i, lost, without, replaced) < 0 {
				sum += v
			}
		case Highest:
			if t := e.Type & (MaxTypes - 1); v > best[t] {
				sum += v - best[t]
				best[t] = v
			}
		}
	}
	if scaled {
		m := identity
		for i := range entries {
			if e := &entries[i]; e.Op == Times && !without.matches(e) {
				m.include(e)
			}
		}
		sum = m.apply(sum)
	}
	if bounded {
		sum = bound(entries, without, sum)
	}
	return sum
}

// lawOf returns the law of a bonus; an untyped one stacks.
func lawOf(laws []Law, e *Entry) Law {
	if e.Type < 0 || int(e.Type) >= len(laws) || e.Type >= MaxTypes {
		return Stacks
	}
	return laws[e.Type]
}

// replacement returns the lowest value that replaces the terms, if one does.
func replacement(entries []Entry, without Loss) (base int64, replaced bool) {
	for i := range entries {
		if e := &entries[i]; e.Op == Becomes && !without.matches(e) {
			if v := clamp(e.Value); !replaced || v < base {
				base, replaced = v, true
			}
		}
	}
	return base, replaced
}

// betterOfSource returns the index of the bonus that keeps bonus i from counting under StacksBySource: the highest of
// the same type and source, the first of equal ones; -1 if that is i.
func betterOfSource(entries []Entry, i int, lost, without Loss, replaced bool) int {
	best := i
	for j := range entries {
		a, b := &entries[best], &entries[j]
		if b.Op != Add || b.Type != a.Type || b.Source != a.Source || b.Value <= 0 ||
			replaced && b.Term >= 0 || lost.matches(b) || without.matches(b) {
			continue
		}
		if b.Value > a.Value || b.Value == a.Value && j < best {
			best = j
		}
	}
	if best == i {
		return -1
	}
	return best
}

// bound raises sum to the highest floor, then limits it to the lowest ceiling.
func bound(entries []Entry, without Loss, sum int64) int64 {
	for i := range entries {
		if e := &entries[i]; e.Op == Floor && !without.matches(e) {
			sum = max(sum, e.Value)
		}
	}
	for i := range entries {
		if e := &entries[i]; e.Op == Ceiling && !without.matches(e) {
			sum = min(sum, e.Value)
		}
	}
	return sum
}

func clamp(v int64) int64 { return min(max(v, -Limit), Limit) }
