package odds

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"unsafe"

	"arbiter/interp/machine"
)

// This file keeps the computation within its limits of steps, work and memory. What is counted is the same on every
// machine, and so is the result.

// DefaultMemory is the default limit on the bytes held at a time. With the room that the garbage collector takes, the
// process needs about twice as much.
const DefaultMemory = 160 << 20

// Work is counted in units of some nanoseconds: an instruction, a word of a state that is copied and hashed. Each step
// may take so many on average, but there are enough for some tenths of a second.
const (
	workPerStep = 200
	leastWork   = 30_000_000
)

// maxWork returns the limit on work for a limit on steps.
func maxWork(steps int) int64 { return max(leastWork, int64(steps)*workPerStep) }

// Limit is a limit of the computation.
type Limit uint8

const (
	StepLimit Limit = iota
	WorkLimit
	MemoryLimit
)

// TooManyError reports that not all outcomes could be enumerated.
type TooManyError struct {
	Limit Limit    // the one that was exceeded
	Steps int      // limit on steps
	Bytes int      // of MemoryLimit
	About *big.Int // the number of outcomes, if each is counted by itself; an estimate
}

func (e *TooManyError) Error() string {
	text := "too many outcomes"
	if e.About != nil {
		text += ", about " + roundedCount(e.About)
	}
	switch e.Limit {
	case WorkLimit:
		return text + fmt.Sprintf(": they need more work than %s ordinary steps from die to die", grouped(int64(e.Steps)))
	case MemoryLimit:
		return text + fmt.Sprintf(": they need more than %d MiB of memory", e.Bytes>>20)
	}
	return text + fmt.Sprintf(": more than %d steps from die to die", e.Steps)
}

// roundedCount writes a number with two significant digits, or a large one as a power of ten.
func roundedCount(n *big.Int) string {
	digits := n.String()
	if len(digits) > 15 {
		return "10^" + strconv.Itoa(len(digits)-1)
	}
	v := n.Int64()
	unit := int64(math.Pow10(max(len(digits)-2, 0)))
	return grouped((v + unit/2) / unit * unit)
}

// grouped writes a number with commas between thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// checkBounds reports whether the work or the memory has exceeded its limit.
func (c *explorer) checkBounds() error {
	switch {
	case c.work > maxWork(c.options.Steps):
		return &TooManyError{Limit: WorkLimit, Steps: c.options.Steps}
	case c.held > c.options.Memory:
		return &TooManyError{Limit: MemoryLimit, Steps: c.options.Steps, Bytes: c.options.Memory}
	}
	return nil
}

// workOf is the work of a step from a branch: its instructions, copying and hashing the state, and calculating with the
// share, whose numbers grow with each die.
func workOf(w *branch, instructions int64, share share) int64 {
	words := int64(len(share.of.Bits()))
	return instructions + int64(w.state.Bytes()/16) + int64(len(w.checks)) + 16*words
}

// branchBytes is what a branch holds besides its state.
func branchBytes(checks checkCounts, share share) int {
	return int(unsafe.Sizeof(branch{})) + cap(checks)*int(unsafe.Sizeof(checkKey{})) + share.bytes() + 64 // 64: its place in byKey
}

// bytes is what an end holds, with its place in the map and in the order.
func (e *end) bytes() int {
	return int(unsafe.Sizeof(*e)) + 64 + e.share.bytes() + cap(e.amounts)*(int(unsafe.Sizeof(amountChange{}))+perValue) +
		cap(e.effects)*int(unsafe.Sizeof(Effect{})) + 4*cap(e.falls)
}

// perValue is what a value of an amount takes up in the result: few ends share one.
const perValue = 200

// dropBranches frees the states, before something else is done.
func (c *explorer) dropBranches() { c.branches, c.byKey, c.spareStates = nil, nil, nil }

// estimates limits the descents of estimate, and leastEstimate the instructions after which no other one begins.
const (
	estimates     = 256
	leastEstimate = 2_000_000
)

// estimate returns about how many outcomes there are if each is counted by itself: the mean, over random ways through
// the dice, of the product of the numbers of branches at each die. It is nil if no way could be followed to its end.
func (c *explorer) estimate(begin func() machine.Result, rewind func()) *big.Int {
	r := rand.New(rand.NewPCG(c.options.Seed, 0))
	sum, ways, instructions := new(big.Int), int64(0), int64(0)
	for range estimates {
		rewind()
		product := big.NewInt(1)
		at := position{}
		q := begin()
		for c.hasMore(&q, at) {
			var answer int64
			switch {
			case q.Status == machine.Done:
				instructions += max(machine.MaxSteps-c.m.State().Budget, 1)
				q, at = c.nextStep(at)
				continue
			case q.Status == machine.NeedChoice:
				v, err := c.choose(&q)
				if err != nil {
					return nil
				}
				answer = v
			case q.Sides == 0:
				list := c.totalsOf(c.m.State().Roll.Dice).list
				product.Mul(product, big.NewInt(int64(len(list))))
				answer = list[r.IntN(len(list))].value
			default:
				product.Mul(product, big.NewInt(int64(q.Sides)))
				answer = r.Int64N(int64(q.Sides)) + 1
			}
			q = c.m.Resume(answer)
		}
		if q.Status != machine.Done {
			return nil
		}
		sum.Add(sum, product)
		ways++
		if instructions += max(machine.MaxSteps-c.m.State().Budget, 1); instructions > leastEstimate {
			break
		}
	}
	return sum.Div(sum, big.NewInt(ways))
}
