package dice

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func oddsOf(t testing.TB, text string) *Odds {
	t.Helper()
	e, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	o, err := e.Odds()
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// shareOf returns the share of the totals for which holds is true.
func (o *Odds) shareOf(holds func(total int64) bool) *big.Rat {
	sum := new(big.Int)
	for _, x := range o.Totals {
		if holds(x.Total) {
			sum.Add(sum, x.Ways)
		}
	}
	return o.Share(sum)
}

// TestKnownOdds checks fractions that are known from elsewhere, or follow from the formula in the comment.
func TestKnownOdds(t *testing.T) {
	for _, c := range []struct {
		text  string
		total int64 // at least
		want  string
		mean  string
	}{
		{"7", 7, "1", "7"},
		{"1d20", 11, "1/2", "21/2"},
		{"1d20+5", 16, "1/2", "31/2"},
		{"2d6", 12, "1/36", "7"},
		{"2d6", 7, "7/12", "7"},
		{"4d6kh3", 18, "7/432", "15869/1296"},    // 21 of 1296
		{"4d6kh3", 4, "1295/1296", "15869/1296"}, //
		{"2d20kh1", 20, "39/400", "553/40"},      // 1 - (19/20)^2
		{"2d20kl1", 20, "1/400", "287/40"},       //
		{"3d20kh1", 20, "1141/8000", "1239/80"},  // 1 - (19/20)^3
		{"3d6kl2dl1", 6, "2/27", "7/2"},          // kept from below, then the lowest dropped: the middle; 16 of 216
		{"d%", 96, "1/20", "101/2"},              //
		{"4dF", 4, "1/81", "0"},                  //
		{"4dF", 0, "50/81", "0"},                 // 19 of 81 are 0
		{"1d6r1", 6, "1/5", "4"},                 //
		{"1d6ro1", 6, "7/36", "47/12"},           // 1/6 + 1/36
		{"2d6ro<3", 12, "4/81", "25/3"},          // (1/6 + 1/3/6)^2
		{"2d6u", 11, "1/15", "7"},                // two different out of six
		{"6d6u", 21, "1", "21"},                  // all of them
		{"1d20mi10", 11, "1/2", "51/4"},          // a talent of rogues
		{"1d6ma4", 4, "1/2", "3"},                //
		{"5d10>=8", 5, "243/100000", "3/2"},      // 0.3^5
		{"1d6*1d6", 36, "1/36", "49/4"},          //
		{"1d6/2", 3, "1/6", "3/2"},               //
		{"ceil(1d6/2)", 3, "1/3", "2"},           //
		{"round(1d6/3)", 2, "1/3", "7/6"},        // 0 1 1 1 2 2
		{"abs(1d6-1d6)", 5, "1/18", "35/18"},     //
		{"max(1d6, 1d6)", 6, "11/36", "161/36"},  //
		{"min(2d6, 7)", 7, "7/12", "217/36"},     //
		{"{2d6, 1d8+1}kh1", 12, "1/36", ""},      //
		{"{1d6, 1d6, 1d6}>=5", 3, "1/27", "1"},   //
		{"100d6", 600, "1/653318623500070906096690267158057820537143710472954871543071966369497141477376", "350"},
		{"2d6cs", 12, "1/36", "7"},
		{"2d6uo", 12, "1/216", "7"},              // the second shows a six twice
		{"2d6*1.5", 18, "1/36", "41/4"},          // half of the totals are odd, and lose a half
		{"2d6%2", 1, "1/2", "1/2"},               //
		{"7//2*1d6", 18, "1/6", "21/2"},          //
		{"1d20+5 >= 15", 1, "11/20", "11/20"},    //
		{"2d6 >= 7", 1, "7/12", "7/12"},          // the total; without the blanks each die
		{"1d20 > 1d20", 1, "19/40", "19/40"},     //
		{"6d10>=8f1", 6, "729/1000000", "6/5"},   // 0.3^6; six times 0.3 less 0.1
		{"4d6r1r2", 24, "1/256", "18"},           //
		{"(1d6, 1d6)kh1", 6, "11/36", "161/36"},  //
		{"4d8*(5+2d10)", 800, "1/409600", "288"}, // 18 * 16
		{"3d6sd", 18, "1/216", "21/2"},           //
	} {
		o := oddsOf(t, c.text)
		got := o.shareOf(func(v int64) bool { return v >= c.total })
		if got.RatString() != c.want {
			t.Errorf("%s is %d or more in %s, want %s", c.text, c.total, got.RatString(), c.want)
		}
		if c.mean != "" && o.Mean().RatString() != c.mean {
			t.Errorf("%s has the mean %s, want %s", c.text, o.Mean().RatString(), c.mean)
		}
	}
}

// TestExploding: exploding dice are followed until hardly anything is left; the rest is reported, and what is shown is
// exact.
func TestExploding(t *testing.T) {
	for _, text := range []string{"1d6!", "3d6!", "1d6!!", "2d6!p", "4d6!kh3", "3d6!pdl1", "5d10!>=8", "1d4!!pkh1", "{3d6!, 2d8!!}kh1", "10d6!kh3", "2d2!>=2", "2d10!<>8"} {
		o := oddsOf(t, text)
		beyond, _ := o.Share(o.NotFollowed).Float64()
		if beyond <= 0 || beyond > Unfollowed {
			t.Errorf("%s: %g goes on", text, beyond)
		}
	}
	// The mean of an exploding d6 is 3.5 * 6/5; the part not followed is negligible.
	if mean, _ := oddsOf(t, "1d6!").Mean().Float64(); mean < 4.2-1e-9 || mean > 4.2 {
		t.Errorf("the mean is %v", mean)
	}
	o := oddsOf(t, "1d6!")
	for _, c := range o.Totals {
		want := new(big.Rat)
		if c.Total%6 != 0 {
			want.SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(6), big.NewInt(c.Total/6+1), nil))
		}
		if got := o.Share(c.Ways); got.Cmp(want) != 0 {
			t.Errorf("%d comes in %s, want %s", c.Total, got, want)
		}
	}
}

// unitDice is the number of dice for which units are exact: any sequence of at most that many dice of 2, 3, 4, 6 or 12
// sides has a probability that is a whole number of units.
const unitDice = 16

var unit = new(big.Int).Exp(big.NewInt(12), big.NewInt(unitDice), nil)

// everyThrow enumerates all faces and sums by total the units of the rolls that end there. Rolls that are too long or
// too unlikely are left out; ok is false if there are too many rolls.
func everyThrow(e *Expr) (units map[int64]uint64, left uint64, ok bool) {
	units, ends := map[int64]uint64{}, 0
	var all func(faces []int32, weight uint64)
	all = func(faces []int32, weight uint64) {
		if ends > 30_000 {
			return
		}
		sides, done := e.Next(faces)
		switch {
		case done:
			units[e.Total(faces)] += weight
			ends++
		case len(faces) == unitDice || weight < unit.Uint64()/100_000:
			left += weight
			ends++
		default:
			for face := range sides {
				all(append(faces, face+1), weight/uint64(sides))
			}
		}
	}
	all(make([]int32, 0, unitDice), unit.Uint64())
	return units, left, ends <= 30_000
}

func smallText(t *rapid.T, depth int) string {
	small := func(name string, high int) int { return rapid.IntRange(1, high).Draw(t, name) }
	form := rapid.IntRange(0, 11).Draw(t, "form")
	if depth == 0 {
		form %= 5
	}
	switch {
	case form == 0:
		return fmt.Sprint(small("number", 5))
	case form < 5:
		var b strings.Builder
		fmt.Fprintf(&b, "%d%s", small("dice", 4), rapid.SampledFrom([]string{"d2", "d3", "d4", "d6", "dF"}).Draw(t, "die"))
		for range rapid.IntRange(0, 3).Draw(t, "modifiers") {
			b.WriteString(rapid.SampledFrom([]string{
				"!", "!!", "!p", "!!p", "!>=4", "!=1", "!!p<=1", "r", "r<=2", "ro", "ro=2", "ro>=3", "r<>2", "u", "uo", "uo", "sd", "mi2", "ma3", "mi-1", "cs",
				"kh", "kl", "dh", "dl", "kh2", "kl2", "dl2", ">=2", "<3", "=2", "=2f1", ">=3f<2",
			}).Draw(t, "modifier"))
		}
		return b.String()
	case form == 5:
		return "-(" + smallText(t, depth-1) + ")"
	case form == 6:
		return rapid.SampledFrom([]string{"abs", "ceil", "floor", "round", "max"}).Draw(t, "function") + "((" + smallText(t, depth-1) + ")/2)"
	case form == 7:
		parts := make([]string, small("parts", 3))
		for i := range parts {
			if i > 0 && rapid.Bool().Draw(t, "again") {
				parts[i] = parts[0]
			} else {
				parts[i] = smallText(t, depth-1)
			}
		}
		return "{" + strings.Join(parts, ",") + "}" + rapid.SampledFrom([]string{"", "kh1", "kl2", "dh1", "dl1", ">=3", "kh2<4", ">=3f1"}).Draw(t, "settling")
	case form == 8:
		return "(" + smallText(t, depth-1) + ")" + rapid.SampledFrom([]string{"*1.5", "//2", "%2", "%3", "%-2", "/0.5", "%1.5"}).Draw(t, "by")
	case form == 9:
		return "(" + smallText(t, depth-1) + rapid.SampledFrom([]string{" = ", " != ", " < ", " >= "}).Draw(t, "relation") + smallText(t, depth-1) + ")"
	}
	op := rapid.SampledFrom([]string{"+", "-", "*"}).Draw(t, "op")
	return "(" + smallText(t, depth-1) + ")" + op + "(" + smallText(t, depth-1) + ")"
}

// TestOddsAgainstEveryThrow compares the computed distribution with an enumeration of every roll.
func TestOddsAgainstEveryThrow(t *testing.T) {
	exact, near := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := smallText(t, 2)
		e, err := Parse(text)
		if err != nil {
			return
		}
		units, left, ok := everyThrow(e)
		if !ok {
			return
		}
		if left == 0 {
			exact++
		} else {
			near++
		}
		o, err := e.Odds()
		if err != nil {
			t.Fatalf("%s: %v", e, err)
		}
		sum := new(big.Int).Set(o.NotFollowed)
		last := int64(0)
		for i, c := range o.Totals {
			if i > 0 && c.Total <= last || c.Ways.Sign() <= 0 || c.Total < e.Min() || c.Total > e.Max() {
				t.Fatalf("%s comes to %d after %d in %s ways; bounds %d to %d", e, c.Total, last, c.Ways, e.Min(), e.Max())
			}
			last = c.Total
			sum.Add(sum, c.Ways)
			// In units: what was found, and the possible error.
			got := o.Share(c.Ways)
			got.Mul(got, new(big.Rat).SetInt(unit))
			found := new(big.Rat).SetInt(new(big.Int).SetUint64(units[c.Total]))
			off := new(big.Rat).Sub(got, found)
			beyond := o.Share(o.NotFollowed)
			beyond.Mul(beyond, new(big.Rat).SetInt(unit))
			if off.Cmp(new(big.Rat).SetInt(new(big.Int).SetUint64(left))) > 0 || off.Cmp(beyond.Neg(beyond)) < 0 {
				t.Fatalf("%s comes to %d in %s of all ways; every throw: %d of %s, with %d left", e, c.Total, o.Share(c.Ways), units[c.Total], unit, left)
			}
			delete(units, c.Total)
		}
		for total, n := range units {
			if beyond, _ := o.Share(o.NotFollowed).Float64(); float64(n) > beyond*1e18 {
				t.Fatalf("%s comes to %d in %d of %s throws, and that is not among the odds", e, total, n, unit)
			}
		}
		if sum.Cmp(o.Ways) != 0 {
			t.Fatalf("%s: the ways come to %s, not %s", e, sum, o.Ways)
		}
	})
	if !testing.Short() && (exact < 20 || near < 5) {
		t.Errorf("only %d and %d expressions were compared", exact, near)
	}
}

// TestOddsTooLarge: a distribution that is too large is refused immediately, with its column.
func TestOddsTooLarge(t *testing.T) {
	for text, column := range map[string]int{
		"1000d1000": 1, "1d1000000": 1, "3+2d100000kh1": 3, "1d100000*1d100000": 9, "1000d6dl1": 1, "1d6+{1d100000,1d99999,1d99998}kh1": 5,
		"500d6!!kh3": 1, "300d20!>=2": 1, "{1d4,1d6,1d8,1d10,1d12,1d20,1d30,1d40,1d50,1d60,1d70,1d80,1d90,1d100,1d110,1d120,1d130,1d140,1d150,1d160,1d170,1d180,1d190,1d200,1d210}kh3": 1,
		"100d10!pkh50": 1, "30d100uo": 1, "3d100000uo": 1, "1000d100000u": 1, "1d100000+1d7*1000000+1d3*100000000": 9,
	} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, err = e.Odds()
		var x *Error
		if !errors.As(err, &x) || x.Column != column {
			t.Errorf("%s: %v, want an error in column %d", text, err, column)
		}
		t.Log(text, time.Since(began))
	}
}

func BenchmarkOdds(b *testing.B) {
	for _, text := range []string{"1d20+5", "4d6kh3", "10d6", "3d6!", "4d6!kh3", "{2d6, 1d8+1}kh1", "100d6", "1000d6", "10d20kh5"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			e, _ := Parse(text)
			for b.Loop() {
				if _, err := e.Odds(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// FuzzOdds: every valid text is computed or refused without delay, and no probability is lost.
func FuzzOdds(f *testing.F) {
	for _, c := range throws {
		f.Add(c.text)
	}
	f.Add("{99d6!pkl7,99d6!pkl7,d1000}dl1<0")
	f.Add("d100000*d100000*d100000")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			return
		}
		began := time.Now()
		o, err := e.Odds()
		if spent := time.Since(began); spent > 20*time.Second {
			t.Fatalf("%s took %s", e, spent)
		}
		if x := (*Error)(nil); err != nil {
			if !errors.As(err, &x) || x.Column < 1 || x.Column > len(text) {
				t.Fatalf("%s: %v", e, err)
			}
			return
		}
		sum := new(big.Int).Set(o.NotFollowed)
		for _, c := range o.Totals {
			if c.Total < e.Min() || c.Total > e.Max() || c.Ways.Sign() <= 0 {
				t.Fatalf("%s comes to %d in %s ways", e, c.Total, c.Ways)
			}
			sum.Add(sum, c.Ways)
		}
		if beyond, _ := o.Share(o.NotFollowed).Float64(); sum.Cmp(o.Ways) != 0 || beyond > Unfollowed {
			t.Fatalf("%s: %s of %s ways, %g of them not followed", e, sum, o.Ways, beyond)
		}
	})
}
