package grid

// This file orders the paths of a search: their costs, and which is followed first.

// A cost orders paths to one place: by the avoided squares that they leave, then by feet, then by turns. All three are
// packed into one number, so that one comparison suffices.
type cost uint64

const (
	turnBits = 20
	feetBits = 33

	oneTurn    cost = 1
	oneFoot    cost = 1 << turnBits
	oneAvoided cost = 1 << (turnBits + feetBits)
	everyTurn       = oneFoot - oneTurn
	maxCost         = ^cost(0) // greater than any other
)

func (c cost) feet() int32 { return int32(c >> turnBits) }

// plusAvoided adds one avoided square left, bent one turn; both saturate.
func (c cost) plusAvoided() cost {
	if c < maxCost-oneAvoided {
		c += oneAvoided
	}
	return c
}

func (c cost) plusTurn() cost {
	if c&everyTurn != everyTurn {
		c += oneTurn
	}
	return c
}

// A label is a path to a state, represented by its last step.
type label struct {
	cost
	state, parent int32
	dir           int8
}

// An item is an entry of the queue. It is ordered by avoided squares left, then feet including those ahead, then
// nearness to the goal, then turns. With turns before nearness half as many labels again are followed, and a path
// seldom has one turn less.
type item struct {
	key   uint64
	label int32
}

const (
	aheadBits = 12
	keyTurns  = turnBits - aheadBits
	maxAhead  = 1<<aheadBits - 1
	maxTurns  = 1<<keyTurns - 1
)

func newItem(c cost, ahead, label int32) item {
	promise := c&^everyTurn + cost(ahead)*oneFoot
	return item{uint64(promise | cost(min(ahead, maxAhead))<<keyTurns | min(c&everyTurn, maxTurns)), label}
}

// isAtGoal reports whether nothing is ahead.
func (a item) isAtGoal() bool { return a.key>>keyTurns&maxAhead == 0 }

// before orders the queue; of equal items the most recent comes first.
func (a item) before(b item) bool { return a.key < b.key || a.key == b.key && a.label > b.label }

// A queue is a binary heap of items. The best of the recent ones is kept in hand, so that a path that goes straight on
// does not touch the heap.
type queue struct {
	labels []label
	hand   item // nobody if there is none
	heap   []item
}

// noItem sorts after every other item.
var noItem = item{key: ^uint64(0), label: -1}

func (q *queue) clear() { q.labels, q.hand, q.heap = q.labels[:0], noItem, q.heap[:0] }

// push queues a label with the given number of feet ahead.
func (q *queue) push(l label, ahead int32) {
	it := newItem(l.cost, ahead, int32(len(q.labels)))
	q.labels = append(q.labels, l)
	if it.before(q.hand) {
		it, q.hand = q.hand, it
		if it == noItem {
			return
		}
	}
	i := len(q.heap)
	q.heap = append(q.heap, it)
	h := q.heap
	for i > 0 && it.before(h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = it
}

// pop removes the first item; nobody if the queue is empty. The gap that it leaves in the heap sinks to the bottom, and
// the last item rises from there to its place, which is usually close.
func (q *queue) pop() item {
	h := q.heap
	if len(h) == 0 || q.hand.before(h[0]) {
		first := q.hand
		q.hand = noItem
		return first
	}
	first, n := h[0], len(h)-1
	it := h[n]
	h = h[:n]
	q.heap = h
	i := 0
	for c := 1; c < n; c = 2*i + 1 {
		if c+1 < n && h[c+1].before(h[c]) {
			c++
		}
		h[i] = h[c]
		i = c
	}
	for i > 0 && it.before(h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	if n > 0 {
		h[i] = it
	}
	return first
}
