package dice

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A model rolls an expression directly, drawing dice one at a time from an endless row, and sums with sorting instead
// of marks. It records the dice that it rolled.
type model struct {
	row    func(n int, sides int32) int32
	thrown []int32
	sides  []int32
}

func (m *model) die(sides int32) int64 {
	face := m.row(len(m.thrown), sides)
	m.thrown, m.sides = append(m.thrown, face), append(m.sides, sides)
	return int64(face)
}

func (m *model) total(n node) int64 {
	switch n := n.(type) {
	case *number:
		return n.value
	case *negation:
		return 0 - m.total(n.operand)
	case *test:
		return m.test(n)
	case *binary:
		x := m.total(n.left)
		y := m.total(n.right)
		switch n.op {
		case '+':
			return x + y
		case '-':
			return x - y
		case '*':
			return x * y
		}
		q := x / y
		if q*y > x == (y > 0) && q*y != x {
			q--
		}
		if n.op == '%' {
			return x - q*y
		}
		return q
	case *function:
		return m.function(n)
	case *group:
		var values []int64
		for _, part := range n.parts {
			values = append(values, m.total(part))
		}
		return settled(values, n.scoring)
	}
	return m.pool(n.(*pool))
}

func (m *model) function(f *function) int64 {
	if f.name == "abs" {
		v := m.total(f.operand)
		return max(v, -v)
	}
	v, half := m.fraction(f.operand), big.NewRat(1, 2)
	floor := func(v *big.Rat) int64 { return new(big.Int).Div(v.Num(), v.Denom()).Int64() } // Euclidean division; the denominator is positive
	switch f.name {
	case "floor":
		return floor(v)
	case "round":
		return floor(v.Add(v, half))
	}
	return -floor(v.Neg(v))
}

// test compares exact fractions where there are decimals or a function rounds them, and otherwise whole numbers.
func (m *model) test(n *test) int64 {
	var difference int
	if n.over != n.left || n.other != n.right || n.under != 1 {
		difference = m.fraction(n.left).Cmp(m.fraction(n.right))
	} else {
		x := m.total(n.left)
		difference = big.NewInt(x).Cmp(big.NewInt(m.total(n.right)))
	}
	if map[relation]bool{equal: difference == 0, unequal: difference != 0, less: difference < 0, more: difference > 0, atMost: difference <= 0, atLeast: difference >= 0}[n.op] {
		return 1
	}
	return 0
}

// fraction evaluates arithmetic without rounding.
func (m *model) fraction(n node) *big.Rat {
	switch n := n.(type) {
	case *decimal:
		return big.NewRat(n.over, n.under)
	case *negation:
		v := m.fraction(n.operand)
		return v.Neg(v)
	case *binary:
		x := m.fraction(n.left)
		y := m.fraction(n.right)
		switch n.op {
		case '+':
			return x.Add(x, y)
		case '-':
			return x.Sub(x, y)
		case '*':
			return x.Mul(x, y)
		case '%':
			q := new(big.Rat).Quo(x, y)
			whole := new(big.Int).Div(q.Num(), q.Denom())
			return x.Sub(x, y.Mul(y, new(big.Rat).SetInt(whole)))
		}
		return x.Quo(x, y)
	}
	return new(big.Rat).SetInt64(m.total(n))
}

func (m *model) pool(p *pool) int64 {
	var values, shown []int64
	for range p.count {
		budget := maxChain
		var chain []int64
		for more := true; more; {
			var face int64
			redraws := 0
			for first := true; ; first = false {
				face = m.die(p.sides) + int64(p.offset)
				budget--
				again := p.reroll.holds(face) && (first || !p.once)
				if p.unique && slices.Contains(shown, face) {
					redraws++
					again = again || !p.uniqueOnce || redraws == 1
				}
				if !again || budget == 0 {
					break
				}
			}
			shown = append(shown, face)
			value := face
			if p.floor.set && value < p.floor.value {
				value = p.floor.value
			}
			if p.ceiling.set && value > p.ceiling.value {
				value = p.ceiling.value
			}
			if p.penetrate && len(chain) > 0 {
				value--
			}
			chain = append(chain, value)
			more = p.explode.holds(face) && budget > 0
		}
		if p.compound {
			chain = []int64{add(chain)}
		}
		values = append(values, chain...)
	}
	return settled(values, p.scoring)
}

func settled(values []int64, s scoring) int64 {
	slices.Sort(values)
	for _, sel := range s.selects {
		n := min(int(sel.n), len(values))
		switch sel.word() {
		case "kh":
			values = values[len(values)-n:]
		case "kl":
			values = values[:n]
		case "dh":
			values = values[:len(values)-n]
		case "dl":
			values = values[n:]
		}
	}
	if s.counts.op == never {
		return add(values)
	}
	n := int64(0)
	for _, v := range values {
		if s.counts.holds(v) {
			n++
		} else if s.fails.holds(v) {
			n--
		}
	}
	return n
}

func add(values []int64) (sum int64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// anyText writes an expression of any form; not all of them are valid.
func anyText(t *rapid.T, depth int) string {
	small := func(name string, high int) int { return rapid.IntRange(1, high).Draw(t, name) }
	form := rapid.IntRange(0, 12).Draw(t, "form")
	if depth == 0 {
		form %= 6
	}
	switch {
	case form == 0:
		return fmt.Sprint(small("number", 20)) + rapid.SampledFrom([]string{"", "", "", ".5", ".25"}).Draw(t, "decimals")
	case form <= 5:
		var b strings.Builder
		fmt.Fprintf(&b, "%d%s", small("dice", 6), rapid.SampledFrom([]string{"d4", "d6", "d20", "dF", "d%"}).Draw(t, "die"))
		for range rapid.IntRange(0, 3).Draw(t, "modifiers") {
			b.WriteString(rapid.SampledFrom([]string{
				"!", "!!", "!p", "!!p", "!>=", "!=", "!!p<=", "r", "r<=", "ro", "ro=", "r<>", "u", "uo", "mi", "ma", "cs", "cf>=", "kh", "kl", "dh", "dl", ">=", "<", "=", "f", "f<", "sd", "sa",
			}).Draw(t, "modifier"))
			if rapid.Bool().Draw(t, "with a number") {
				fmt.Fprint(&b, small("n", 4))
			}
		}
		return b.String()
	case form == 6:
		return "-(" + anyText(t, depth-1) + ")"
	case form == 8:
		return rapid.SampledFrom([]string{"abs", "ceil", "floor", "round"}).Draw(t, "function") + "(" + anyText(t, depth-1) + ")"
	case form == 9:
		return rapid.SampledFrom([]string{"min", "max"}).Draw(t, "function") + "(" + anyText(t, depth-1) + "," + anyText(t, depth-1) + ")"
	case form == 7:
		parts := make([]string, small("parts", 4))
		for i := range parts {
			parts[i] = anyText(t, depth-1)
		}
		list := "{" + strings.Join(parts, ",") + "}"
		if len(parts) > 1 && rapid.Bool().Draw(t, "parentheses") {
			list = "(" + strings.Join(parts, ",") + ")"
		}
		return list + rapid.SampledFrom([]string{"", "kh1", "kl2", "dh1", "dl1", ">=5", "kh2<4", ">=5f<3"}).Draw(t, "settling")
	case form == 12:
		return "(" + anyText(t, depth-1) + rapid.SampledFrom([]string{" = ", " == ", " != ", " <> ", " < ", " > ", " <= ", " >= "}).Draw(t, "relation") + anyText(t, depth-1) + ")"
	}
	op := rapid.SampledFrom([]string{"+", "-", "*", "/", "//", "%", "+", "-"}).Draw(t, "op")
	if op == "/" || op == "//" || op == "%" {
		return "(" + anyText(t, depth-1) + ")" + op + rapid.SampledFrom([]string{"2", "3", "-2", "(3/2)", "(4/-3)", "1.5"}).Draw(t, "divisor")
	}
	return "(" + anyText(t, depth-1) + ")" + op + "(" + anyText(t, depth-1) + ")"
}

// TestAgainstModel: die by die, Next and Total agree with the model; the total is within its bounds; the canonical form
// means the same.
func TestAgainstModel(t *testing.T) {
	allowed := 0
	rapid.Check(t, func(t *rapid.T) {
		text := anyText(t, 3)
		e, err := Parse(text)
		if err != nil {
			return
		}
		allowed++
		seed := rapid.Uint64().Draw(t, "seed")
		m := model{row: func(n int, sides int32) int32 { return Face(seed, 1, 2, uint32(n), sides) }}
		want := m.total(e.root)
		for n := range m.thrown {
			if sides, done := e.Next(m.thrown[:n]); done || sides != m.sides[n] {
				t.Fatalf("%s after %v: d%d, done %t; want d%d", e, m.thrown[:n], sides, done, m.sides[n])
			}
		}
		if sides, done := e.Next(m.thrown); !done {
			t.Fatalf("%s after %v: wants a d%d", e, m.thrown, sides)
		}
		got := e.Total(m.thrown)
		if got != want {
			t.Fatalf("%s of %v = %d, want %d", e, m.thrown, got, want)
		}
		thrown, total := e.Roll(func(n int, sides int32) int32 { return m.row(n, sides) }, []int32{99})
		if total != want || !slices.Equal(thrown[1:], m.thrown) {
			t.Fatalf("%s throws %v = %d, want %v = %d", e, thrown[1:], total, m.thrown, want)
		}
		if got < e.Min() || got > e.Max() {
			t.Fatalf("%s = %d, outside %d to %d", e, got, e.Min(), e.Max())
		}
		if n, sides, flat, ok := e.Plain(); ok && (int(n) != len(m.thrown) || flat+sum32(m.thrown) != want || n > 0 && sides != m.sides[0]) {
			t.Fatalf("%s is not %dd%d%+d", e, n, sides, flat)
		}
		again, err := Parse(e.String())
		if err != nil || again.String() != e.String() || again.Total(m.thrown) != want {
			t.Fatalf("%q reads back from %q as %v, %v", text, e, again, err)
		}
	})
	if allowed < 20 && !testing.Short() { // a short run generates few
		t.Errorf("only %d of the expressions were allowed", allowed)
	}
}

func sum32(faces []int32) (sum int64) {
	for _, face := range faces {
		sum += int64(face)
	}
	return sum
}

// TestBoundsAreAttained tries all rolls of small pools: the bounds are attained.
func TestBoundsAreAttained(t *testing.T) {
	for _, text := range []string{
		"2d4", "3d4kh2", "3d4dh1", "2dF", "2d4r1", "2d4r<>2", "2d4ro1", "3d4mi2ma3", "2d4>=2", "2d4>4", "2d4r1mi3>=3",
		"2d4*1d4-3", "2d4%3", "3d4>=3f1", "2d3uo", "2d4*1.5", "-1d4*1dF", "1d4/-3", "{1d4,2d4}kh1", "{1d4,1dF}kl1", "2d4r<3>=3",
	} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		low, high := e.Max()+1, e.Min()-1
		var all func(faces []int32)
		all = func(faces []int32) {
			sides, done := e.Next(faces)
			if done {
				total := e.Total(faces)
				low, high = min(low, total), max(high, total)
				return
			}
			if len(faces) > 6 {
				return // a series of rerolls
			}
			for face := range sides {
				all(append(faces, face+1))
			}
		}
		all(nil)
		if low != e.Min() || high != e.Max() {
			t.Errorf("%s comes to %d..%d, bounds %d..%d", e, low, high, e.Min(), e.Max())
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range throws {
		f.Add(c.text)
	}
	for _, text := range []string{"", "(((", "{{{", "--1", "2d6)", "1d6/0", "99999999999d6", "2d6!>=7r<2u", "d%kh1!p", "\xff", "7/-2*-3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			if e := err.(*Error); e.Column < 1 || e.Column > len(text)+1 || e.Message == "" {
				t.Fatalf("%q: %+v", text, e)
			}
			return
		}
		if e.Min() > e.Max() {
			t.Fatalf("%s lies between %d and %d", e, e.Min(), e.Max())
		}
		again, err := Parse(e.String())
		if err != nil {
			// The canonical form spells out what the text leaves out, and may grow too long.
			if len(e.String()) <= MaxLength {
				t.Fatalf("%q is written %q: %v", text, e, err)
			}
			return
		}
		if again.String() != e.String() || again.Min() != e.Min() || again.Max() != e.Max() {
			t.Fatalf("%q is written %q, and that %q", text, e, again)
		}
		var faces []int32
		for len(faces) < 50 {
			sides, done := e.Next(faces)
			if done {
				if total := e.Total(faces); total < e.Min() || total > e.Max() {
					t.Fatalf("%s of %v = %d", e, faces, total)
				}
				break
			}
			faces = append(faces, Face(1, 2, 3, uint32(len(faces)), sides))
		}
		if got := len(e.Trace(faces)); got != len(faces) {
			t.Fatalf("%s: %d dice in the trace of %v", e, got, faces)
		}
	})
}
