package modifier

// A Reason says why an entry counted or did not.
type Reason uint8

const (
	Counted    Reason = iota
	Lost              // a bonus of a type or term that is denied
	Without           // of a type or term that the view leaves out
	Replaced          // a term, and By replaces the terms
	Outdone           // By, of the same type or class, is at least as good
	SameSource        // By, of the same type and source, is at least as high
	Idle              // a bound that the number does not reach
)

var reasons = [...]string{"counted", "lost", "left out", "replaced", "outdone", "same source", "idle"}

func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return "unknown"
}

// A Verdict says what happened to one entry.
type Verdict struct {
	Counted bool
	Reason  Reason
	By      int32 // index of the other entry, -1 if there is none
}

// Explain is Total with reasons: it fills a verdict for each entry, up to the length of verdicts. Of equal entries the
// first counts.
func Explain(laws []Law, entries []Entry, lost, without Loss, verdicts []Verdict) (total int64) {
	base, replaced := replacement(entries, without)
	sum, m := base, identity
	for i := range entries {
		e := &entries[i]
		v := judge(laws, entries, i, lost, without, replaced)
		if v.Counted {
			switch e.Op {
			case Add:
				sum += clamp(e.Value)
			case Times:
				m.include(e)
			}
		}
		if i < len(verdicts) {
			verdicts[i] = v
		}
	}
	if m != identity {
		sum = m.apply(sum)
	}
	total = bound(entries, without, sum)
	markIdleBounds(entries, verdicts, sum)
	return total
}

// judge compares entry i with all others.
func judge(laws []Law, entries []Entry, i int, lost, without Loss, replaced bool) Verdict {
	e := &entries[i]
	bonus := e.Op == Add && e.Value > 0
	switch {
	case without.matches(e):
		return Verdict{Reason: Without, By: -1}
	case e.Op == Add && replaced && e.Term >= 0:
		return Verdict{Reason: Replaced, By: best(entries, func(o *Entry) bool {
			return o.Op == Becomes && !without.matches(o)
		}, lower)}
	case bonus && lost.matches(e):
		return Verdict{Reason: Lost, By: -1}
	case bonus && lawOf(laws, e) == Stacks, e.Op == Add && !bonus, e.Op == Times:
		return Verdict{Counted: true, By: -1}
	case bonus && lawOf(laws, e) == StacksBySource:
		if by := betterOfSource(entries, i, lost, without, replaced); by >= 0 {
			return Verdict{Reason: SameSource, By: int32(by)}
		}
		return Verdict{Counted: true, By: -1}
	}
	// Only one of its class can count: the highest bonus of a type, the lowest replacement, the
	// highest floor, the lowest ceiling.
	better := higher
	if e.Op == Becomes || e.Op == Ceiling {
		better = lower
	}
	by := best(entries, func(o *Entry) bool {
		return o.Op == e.Op && !without.matches(o) &&
			(!bonus || o.Type == e.Type && o.Value > 0 && !(replaced && o.Term >= 0) && !lost.matches(o))
	}, better)
	if by != int32(i) {
		return Verdict{Reason: Outdone, By: by}
	}
	return Verdict{Counted: true, By: -1}
}

func higher(a, b *Entry) bool { return a.Value > b.Value }
func lower(a, b *Entry) bool  { return a.Value < b.Value }

// best returns the index of the first entry of the class such that no other is better.
func best(entries []Entry, class func(*Entry) bool, better func(a, b *Entry) bool) int32 {
	found := -1
	for j := range entries {
		if o := &entries[j]; class(o) && (found < 0 || better(o, &entries[found])) {
			found = j
		}
	}
	return int32(found)
}

// markIdleBounds marks the bounds that did not change the sum.
func markIdleBounds(entries []Entry, verdicts []Verdict, sum int64) {
	raised := sum
	for i := range entries {
		if e := &entries[i]; i < len(verdicts) && e.Op == Floor && verdicts[i].Counted {
			if e.Value <= sum {
				verdicts[i] = Verdict{Reason: Idle, By: -1}
			}
			raised = max(raised, e.Value)
		}
	}
	for i := range entries {
		if e := &entries[i]; i < len(verdicts) && e.Op == Ceiling && verdicts[i].Counted && e.Value >= raised {
			verdicts[i] = Verdict{Reason: Idle, By: -1}
		}
	}
}
