package dice

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Each line: the text, its canonical form, its bounds, and the totals of some faces.
var throws = []struct {
	text, canon string
	low, high   int64
	faces       []int32
	want        int64
}{
	{"7", "7", 7, 7, nil, 7},
	{"-7", "-7", -7, -7, nil, -7},
	{" + 7 ", "7", 7, 7, nil, 7},
	{"7/2", "7/2", 3, 3, nil, 3},
	{"-7/2", "-7/2", -4, -4, nil, -4},
	{"7/-2", "7/-2", -4, -4, nil, -4},
	{"-(7/2)", "-(7/2)", -3, -3, nil, -3},
	{"--7", "7", 7, 7, nil, 7},
	{"-(-7)", "7", 7, 7, nil, 7},
	{"1*-(2+-(3+4))", "1*-(2+-(3+4))", 5, 5, nil, 5},
	{"8-3-2", "8-3-2", 3, 3, nil, 3},
	{"8-(3-2)", "8-(3-2)", 7, 7, nil, 7},
	{"8/(4/2)", "8/(4/2)", 4, 4, nil, 4},
	{"(2+3)*4", "(2+3)*4", 20, 20, nil, 20},
	{"((2)*(3))+4", "2*3+4", 10, 10, nil, 10},
	{"d20", "1d20", 1, 20, []int32{13}, 13},
	{"D%", "1d100", 1, 100, []int32{42}, 42},
	{"4dF", "4dF", -4, 4, []int32{1, 2, 3, 1}, -1},
	{"2d6+3", "2d6+3", 5, 15, []int32{4, 5}, 12},
	{"3 + 2 d 6 # longsword, 1d6", "3+2d6", 5, 15, []int32{4, 5}, 12},
	{"1d8+1d6", "1d8+1d6", 2, 14, []int32{7, 6}, 13},
	{"10-1d4", "10-1d4", 6, 9, []int32{3}, 7},
	{"2*1d6", "2*1d6", 2, 12, []int32{5}, 10},
	{"-2*1d6", "-2*1d6", -12, -2, []int32{5}, -10},
	{"(1d6-4)*(1d6-4)", "(1d6-4)*(1d6-4)", -6, 9, []int32{1, 1}, 9},
	{"1d6/2", "1d6/2", 0, 3, []int32{5}, 2},
	{"4d6kh3", "4d6kh3", 3, 18, []int32{4, 1, 6, 3}, 13},
	{"4D6K3", "4d6kh3", 3, 18, []int32{4, 1, 6, 3}, 13},
	{"2d20k", "2d20kh1", 1, 20, []int32{4, 17}, 17},
	{"2d20kl", "2d20kl1", 1, 20, []int32{4, 17}, 4},
	{"4d6d1", "4d6dl1", 3, 18, []int32{4, 1, 6, 3}, 13},
	{"4d6dh", "4d6dh1", 3, 18, []int32{4, 1, 6, 3}, 8},
	{"5d6dl1dh1", "5d6dl1dh1", 3, 18, []int32{1, 2, 3, 4, 6}, 9},
	{"2d6kh5", "2d6kh5", 2, 12, []int32{1, 2}, 3},
	{"3dFkl1", "3dFkl1", -1, 1, []int32{3, 1, 2}, -1},
	{"2d6!", "2d6!", 2, 12000, []int32{6, 6, 2, 3}, 17},
	{"2d6!>=5", "2d6!>=5", 2, 12000, []int32{5, 2, 3}, 10},
	{"2d6!5", "2d6!=5", 2, 12000, []int32{5, 6, 3}, 14},
	{"2d6!!kh1", "2d6!!kh1", 1, 6000, []int32{6, 6, 2, 5}, 14},
	{"2d6!p", "2d6!p", 0, 12000, []int32{6, 6, 2, 3}, 6 + 5 + 1 + 3},
	{"1d6!!p", "1d6!!p", 1, 6 + 999*5, []int32{6, 6, 2}, 12},
	{"4dF!", "4dF!", -4000, 4000, []int32{3, 1, 2, 1, 1}, -2},
	{"1d6r", "1d6r=1", 2, 6, []int32{1, 1, 4}, 4},
	{"1d6r<=2", "1d6r<=2", 3, 6, []int32{1, 2, 3}, 3},
	{"2d6ro<3", "2d6ro<3", 2, 12, []int32{1, 2, 5}, 7},
	{"2d6 r o 6", "2d6ro=6", 2, 12, []int32{6, 6, 1}, 7},
	{"1d6r<>4", "1d6r<>4", 4, 4, []int32{1, 2, 3, 5, 6, 4}, 4},
	{"3d6u", "3d6u", 3, 18, []int32{4, 4, 5, 5, 4, 6}, 15},
	{"3d6r1u", "3d6r=1u", 6, 18, []int32{4, 1, 4, 1, 5, 6}, 15},
	{"2d20mi10", "2d20mi10", 20, 40, []int32{3, 12}, 22},
	{"2d6min2max5", "2d6mi2ma5", 4, 10, []int32{1, 6}, 7},
	{"2d6ma4!", "2d6ma4!", 2, 8000, []int32{6, 5, 1}, 9},
	{"d20cs", "1d20cs=20", 1, 20, []int32{20}, 20},
	{"3d20 cs>=19 cf 2 kh1", "3d20cs>=19cf=2kh1", 1, 20, []int32{19, 2, 1}, 19},
	{"2d20cfcs>=15", "2d20cs>=15cf=1", 2, 40, []int32{1, 15}, 16},
	{"2d6cs!", "2d6cs=6!", 2, 12000, []int32{6, 6, 1, 2}, 15},
	{"2d6r1mi3cf", "2d6r=1mi3cf=1", 6, 12, []int32{1, 2, 4}, 7},
	{"5d10>=8", "5d10>=8", 0, 5, []int32{8, 7, 10, 1, 9}, 3},
	{"5d10=1", "5d10=1", 0, 5, []int32{8, 1, 1, 1, 9}, 3},
	{"5d10==1", "5d10=1", 0, 5, []int32{8, 1, 1, 1, 9}, 3},
	{"5d10 = 20", "5d10 = 20", 0, 1, []int32{8, 1, 1, 1, 9}, 1},
	{"2d6 != 6", "2d6 <> 6", 0, 1, []int32{3, 3}, 0},
	{"2d6!=6", "2d6!=6", 2, 12000, []int32{6, 1, 3}, 10},
	{"1d20+5>=15", "1d20+5 >= 15", 0, 1, []int32{10}, 1},
	{"1d20 > 1d20", "1d20 > 1d20", 0, 1, []int32{10, 10}, 0},
	{"(2d6 >= 7) + (1d8>4)*2", "(2d6 >= 7)+1d8>4*2", 0, 3, []int32{3, 4, 5}, 3},
	{"ceil(7/2 >= 1d6)", "ceil(7/2 >= 1d6)", 0, 1, []int32{4}, 0},
	{"2d6*1.5 > 10", "2d6*1.5 > 10", 0, 1, []int32{3, 4}, 1},
	{"-(1d4 = 2)", "-(1d4 = 2)", -1, 0, []int32{2}, -1},
	{"2d10!<>8", "2d10!<>8", 2, 20000, []int32{1, 8, 8}, 17},
	{"(2d7 + 5d4)", "2d7+5d4", 7, 34, []int32{7, 1, 1, 2, 3, 4, 4}, 22},
	{"(4d8*(5+2d10))", "4d8*(5+2d10)", 28, 800, []int32{1, 2, 3, 4, 10, 1}, 160},
	{"7//2", "7/2", 3, 3, nil, 3},
	{"-7 // 2", "-7/2", -4, -4, nil, -4},
	{"ceil(7//2)", "ceil(floor(7/2))", 3, 3, nil, 3},
	{"7%3", "7%3", 1, 1, nil, 1},
	{"-7%3", "-7%3", 2, 2, nil, 2},
	{"7 % -3", "7%-3", -2, -2, nil, -2},
	{"2d6%2", "2d6%2", 0, 1, []int32{3, 4}, 1},
	{"d%%10", "1d100%10", 0, 9, []int32{57}, 7},
	{"1d4%-5", "1d4%-5", -4, -1, []int32{4}, -1},
	{"(1d4+4)%10", "(1d4+4)%10", 5, 8, []int32{4}, 8},
	{"ceil(7/2%2)", "ceil(7/2%2)", 2, 2, nil, 2},
	{"2d6*1.5", "2d6*1.5", 3, 18, []int32{3, 4}, 10},
	{"2d6*2.0", "2d6*2", 4, 24, []int32{3, 4}, 14},
	{"1d6/2+0.5", "1d6/2+0.5", 1, 3, []int32{3}, 2},
	{"round(1d6*0.25)", "round(1d6*0.25)", 0, 2, []int32{6}, 2},
	{"7//2*1.5", "floor(7/2)*1.5", 4, 4, nil, 4},
	{"-1.5", "-1.5", -2, -2, nil, -2},
	{"{1.5, 2.5}", "{1.5, 2.5}", 3, 3, nil, 3},
	{"abs(-1.5)", "abs(-1.5)", 2, 2, nil, 2},
	{"1d6%1.5*2", "1d6%1.5*2", 0, 2, []int32{2}, 1},
	{"4d6r1r2", "4d6r=1r=2", 12, 24, []int32{1, 2, 3, 2, 4, 5, 6}, 18},
	{"4d6ro1ro2", "4d6ro=1ro=2", 4, 24, []int32{1, 2, 3, 2, 4, 6}, 15},
	{"2d6!5!6", "2d6!=5!=6", 2, 12000, []int32{5, 6, 1, 3}, 15},
	{"2d6!!!!5", "2d6!!=6!!=5", 2, 12000, []int32{5, 6, 1, 3}, 15},
	{"2d20cs20cs1cf2cf3", "2d20cs=20cs=1cf=2cf=3", 2, 40, []int32{1, 3}, 4},
	{"3d6uo", "3d6uo", 3, 18, []int32{4, 4, 4, 5}, 13},
	{"3d6r1uo", "3d6r=1uo", 6, 18, []int32{4, 1, 4, 4, 5}, 13},
	{"7d6uo", "7d6uo", 7, 42, []int32{1, 2, 3, 4, 5, 6, 6, 6}, 27},
	{"6d10>=8f1", "6d10>=8f=1", -6, 6, []int32{8, 1, 10, 1, 1, 5}, -1},
	{"6d10>=8f<=2", "6d10>=8f<=2", -6, 6, []int32{8, 1, 10, 2, 9, 5}, 1},
	{"2d6>=5f>=5", "2d6>=5f>=5", 0, 2, []int32{6, 1}, 1},
	{"{1d6,1d6,3}>=3f1", "{1d6, 1d6, 3}>=3f=1", -3, 3, []int32{6, 1}, 1},
	{"4d6sd", "4d6sd", 4, 24, []int32{3, 6, 1, 5}, 15},
	{"4d6kh3s", "4d6kh3sa", 3, 18, []int32{3, 6, 1, 5}, 14},
	{"3d6!sd", "3d6!sd", 3, 18000, []int32{3, 6, 1, 5}, 15},
	{"(2d6, 1d8+1)kh1", "{2d6, 1d8+1}kh1", 2, 12, []int32{3, 3, 7}, 8},
	{"((1d4, 1d6), (1d8))", "{{1d4, 1d6}, 1d8}", 3, 18, []int32{3, 3, 7}, 13},
	{"3d6>=1", "3d6>=1", 3, 3, []int32{1, 1, 1}, 3},
	{"3d6>6", "3d6>6", 0, 0, []int32{6, 6, 6}, 0},
	{"4dF>=-0", "4dF>=0", 0, 4, []int32{1, 2, 3, 1}, 2},
	{"4dF<=-1", "4dF<=-1", 0, 4, []int32{1, 2, 3, 1}, 2},
	{"3d6>=5!", "3d6!=6>=5", 0, 3000, []int32{6, 5, 4, 1}, 2},
	{"3d6>=5r", "3d6r=1>=5", 0, 3, []int32{1, 5, 4, 1, 6}, 2},
	{"4d6!kh3>=5", "4d6!kh3>=5", 0, 3, []int32{6, 6, 5, 5, 1, 2}, 3},
	{"floor(7/2)", "floor(7/2)", 3, 3, nil, 3},
	{"ceil(7/2)", "ceil(7/2)", 4, 4, nil, 4},
	{"ceil(-7/2)", "ceil(-7/2)", -3, -3, nil, -3},
	{"round(7/2)", "round(7/2)", 4, 4, nil, 4},
	{"round(-7/2)", "round(-7/2)", -3, -3, nil, -3},
	{"ROUND ( 10 / 3 )", "round(10/3)", 3, 3, nil, 3},
	{"ceil(1d6/2+1/2)", "ceil(1d6/2+1/2)", 1, 4, []int32{3}, 2},
	{"ceil(1d6/2-1/3*2)", "ceil(1d6/2-1/3*2)", 0, 3, []int32{3}, 1},
	{"ceil(1d6/(1/-2))", "ceil(1d6/(1/-2))", -12, -2, []int32{3}, -6},
	{"ceil(1d6/(3/2))", "ceil(1d6/(3/2))", 1, 4, []int32{5}, 4},
	{"ceil(6/(1/2))", "ceil(6/(1/2))", 12, 12, nil, 12},
	{"floor(6/(1/2*2))", "floor(6/(1/2*2))", 6, 6, nil, 6},
	{"ceil(-(1d6/2))", "ceil(-(1d6/2))", -3, 0, []int32{5}, -2},
	{"ceil(floor(1d6/2)/2)", "ceil(floor(1d6/2)/2)", 0, 2, []int32{3}, 1},
	{"ceil({1d6/2, 1})", "ceil({1d6/2, 1})", 1, 4, []int32{3}, 2},
	{"abs(1d4-1d6)", "abs(1d4-1d6)", 0, 5, []int32{1, 6}, 5},
	{"abs(-3)", "abs(-3)", 3, 3, nil, 3},
	{"abs(1d4+2)", "abs(1d4+2)", 3, 6, []int32{4}, 6},
	{"abs(-1d4)", "abs(-1d4)", 1, 4, []int32{4}, 4},
	{"min(2d6, 7)", "min(2d6, 7)", 2, 7, []int32{6, 5}, 7},
	{"max(1d4,1d6,2)*2", "max(1d4, 1d6, 2)*2", 4, 12, []int32{1, 3}, 6},
	{"max(1d4)", "max(1d4)", 1, 4, []int32{3}, 3},
	{"2d6max5+max(1d4, 2)", "2d6ma5+max(1d4, 2)", 4, 14, []int32{1, 6, 1}, 8},
	{"{2d6, 1d8+1}kh1", "{2d6, 1d8+1}kh1", 2, 12, []int32{3, 3, 7}, 8},
	{"{2d6,d8,d10}", "{2d6, 1d8, 1d10}", 4, 30, []int32{3, 3, 7, 1}, 14},
	{"{1d6,1d6,5}dl1dh1", "{1d6, 1d6, 5}dl1dh1", 1, 6, []int32{6, 2}, 5},
	{"{1d6,2d6,3d6}>=7", "{1d6, 2d6, 3d6}>=7", 0, 3, []int32{6, 6, 1, 1, 1, 1}, 1},
	{"{4d6}>=14", "{4d6}>=14", 0, 1, []int32{6, 6, 1, 1}, 1},
	{"{{1d4, 1d6}kh1, {1d8, 1d10}kl1}kh1*2", "{{1d4, 1d6}kh1, {1d8, 1d10}kl1}kh1*2", 2, 16, []int32{1, 3, 8, 7}, 14},
}

func TestThrows(t *testing.T) {
	for _, c := range throws {
		t.Run(c.text, func(t *testing.T) {
			e, err := Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := e.String(); got != c.canon {
				t.Errorf("canonical form %s, want %s", got, c.canon)
			}
			if again, err := Parse(e.String()); err != nil || again.String() != e.String() {
				t.Errorf("the canonical form reads as %v, %v", again, err)
			}
			if e.Min() != c.low || e.Max() != c.high {
				t.Errorf("bounds %d to %d, want %d to %d", e.Min(), e.Max(), c.low, c.high)
			}
			for n := range c.faces {
				if sides, done := e.Next(c.faces[:n]); done || sides < c.faces[n] {
					t.Errorf("after %v: d%d, done %t", c.faces[:n], sides, done)
				}
				if got := e.Total(c.faces[:n]); got != 0 {
					t.Errorf("an unfinished throw comes to %d", got)
				}
			}
			if sides, done := e.Next(c.faces); !done {
				t.Errorf("wants a d%d after %v", sides, c.faces)
			}
			if got := e.Total(append(c.faces[:len(c.faces):len(c.faces)], 1)); got != c.want {
				t.Errorf("total %d, want %d", got, c.want)
			}
			if got := len(e.Trace(c.faces)); got != len(c.faces) {
				t.Errorf("%d dice in the trace of %d faces", got, len(c.faces))
			}
		})
	}
}

func TestPlain(t *testing.T) {
	for _, c := range []struct {
		text     string
		n, sides int32
		flat     int64
		ok       bool
	}{
		{"5", 0, 0, 5, true},
		{"7/2*3", 0, 0, 9, true},
		{"d20", 1, 20, 0, true},
		{"2d6+3-1", 2, 6, 2, true},
		{"-1+(2d6+3)", 2, 6, 2, true},
		{"1d6+2+1d6", 2, 6, 2, true},
		{"4dF", 4, 3, -8, true},
		{"1d6+1d8", 0, 0, 0, false},
		{"3-1d6", 0, 0, 0, false},
		{"-1d6", 0, 0, 0, false},
		{"2*1d6", 0, 0, 0, false},
		{"2d20kh1", 0, 0, 0, false},
		{"1d6!", 0, 0, 0, false},
		{"1d6r1", 0, 0, 0, false},
		{"1d6u", 0, 0, 0, false},
		{"1d6mi2", 0, 0, 0, false},
		{"1d6>3", 0, 0, 0, false},
		{"{1d6}", 0, 0, 0, false},
	} {
		e, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		n, sides, flat, ok := e.Plain()
		if ok != c.ok || ok && (n != c.n || sides != c.sides || flat != c.flat) {
			t.Errorf("%s: %dd%d%+d %t, want %dd%d%+d %t", c.text, n, sides, flat, ok, c.n, c.sides, c.flat, c.ok)
		}
	}
}

func TestComment(t *testing.T) {
	for text, want := range map[string]string{"2d6": "", "2d6 #": "", "2d6#  a # b ": "a # b"} {
		if e, err := Parse(text); err != nil || e.Comment() != want {
			t.Errorf("%q: %q, %v", text, e.Comment(), err)
		}
	}
}

// TestTrace compares the marks of each die with a golden file.
func TestTrace(t *testing.T) {
	var b strings.Builder
	for _, c := range throws {
		e, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s = %d\n", e, e.Total(c.faces))
		for _, d := range e.Trace(c.faces) {
			fmt.Fprintf(&b, "\tcolumn %d: d%d shows %d, comes to %d%s\n", d.Column, d.Sides, d.Face, d.Value, marks(d.Marks))
		}
	}
	golden(t, "testdata/traces.golden", b.String())
}

func marks(m Mark) (s string) {
	for i, name := range []string{"dropped", "counted", "rerolled", "exploded", "extra", "joined", "raised", "lowered", "critical", "fumbled", "failed"} {
		if m.Has(1 << i) {
			s += ", " + name
		}
	}
	return s
}

// TestTraceUnfinished traces an unfinished roll.
func TestTraceUnfinished(t *testing.T) {
	e, _ := Parse("2d6r1+1d8")
	if got := e.Trace([]int32{1, 4}); len(got) != 2 || !got[0].Marks.Has(Rerolled) || got[1].Value != 4 {
		t.Errorf("%+v", got)
	}
	if got := e.Trace([]int32{2, 4, 8, 3}); len(got) != 3 {
		t.Errorf("a face too many is in the trace: %+v", got)
	}
}

// TestErrors compares error messages with a golden file: each text, then the error below its column.
func TestErrors(t *testing.T) {
	var b strings.Builder
	for _, text := range []string{
		"", "   ", "# only a comment", "2d", "d", "2d+3", "2d6+", "2d6)", "(2d6", "{2d6, 1d8", "{", "()", "{}",
		"2d6 3", "2d6 1d8", "2d6,1d8", "d6 (2)", "x", "2x6", "2d6x", "2d6é", "é", "\x002d6", "2d6\xff",
		"0d6", "1001d6", "600d6+401d6", "99999999999999999999d6", "d0", "d1000001", "1000000001", "-(99999999999)",
		strings.Repeat("(", 40) + "1" + strings.Repeat(")", 40), strings.Repeat("-", 40) + "1",
		strings.Repeat("{", 40), strings.Repeat("1+", 600) + "1",
		"1d6/0", "1d6/(2-2)", "6/(1/2)", "ceil(6/(-1/2+1/2))", "ceil(abs(6/(1/2)))", "6/1d6", "6/{1,2}", "6/(1+1d4)", "6/-1d4", "1/(1000000000*1000000000*1000000000)",
		"1000000000*1000000000", "1d1000000*1d1000000*1d1000000*1d1000000", "{1000000000*900000,1000000000*900000}",
		"1d6!<=6", "1d1!", "1d6!p>0", "1d6r<7", "1d1r", "1d6r>2!<3", "7d6u", "100d100u", "3d6r<5u", "d100r<>2", "d100!>3", "d40r>20!>1", "2d6u!", "2d6!!!", "2d6uu", "2d6mi2mi3",
		"2d6mi", "2d6mi5ma2", "2d6ma-", "4d6kh0", "4d6kh3kh2", "4d6k1kh1", "4d6dl4", "4d6dl2dh2", "2d6d8", "5d6>=4>=5",
		"5d6>=", "5d6=x", "5d6!>", "{1d6}kh1", "{1d6,1d6}kh0", "{1d6,1d6}!", "{1d6,1d6}dl2", "(2d6)kh1", "2(3)", "2d6 * * 2",
		"sqrt(4)", "floor", "floor 2", "ceil(1d6/2", "round(2,3)", "round()", "max", "max()", "min(1d6,)", "min(1d6]", "2d6max(3)", "max(1d4)kh1", "6/abs(1d6)",
		"1/floor(1/2)", "ceil(1d6/1000000000/1000000000)", "ceil(1d6*900000000/1000000+1/999999999)", "1d20cs>=", "1d20cscs", "1d20c",
		"2^3", "2d6 – 1", "2d6 × 2", "8d6[fire]", "6d10≥8", "21d20u",
		"/roll 1d20+5", "!r d20", "[[1d20+5]]", "1d20 adv", "1d20dis", "d20 with disadvantage", "6x 4d6kh3", "6#4d6kh3", "4d6kh3 x6", "2d6x2",
		"1d20+@{str}", "3d6rr1", "3d6ra1", "2d6e6", "2w6",
		"1d20 >= 15 >= 3", "1d20+5 vs 15", "5d6=>4", "2**3", "7 mod 2", "3dF.1", "8d10t8", "6d10f1", "6d10>=8f", "6d10>=8f1f2", "(2d6)!", "(2d6)kh1", "(1d4)d6", "2d(1d6)", "2d{1,2}",
		"3(1d6)", "2d6>=3.5", "1.2345678901", "6/0.0", "6%0", "6%1d4", "2d6!5!!6", "2d6r1ro2", "2d6sasd", "2d6mi1mi2", "(1d6,", "(,1)", "2d6 r <3 < 4", "7d6u",
		"2d6r1r1", "1.", "1d20+.5", "1.5*1000000000*1000000000", "0.000000001*0.000000001", "1000000000%0.000000001",
	} {
		_, err := Parse(text)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if e.Column < 1 || e.Column > len(text)+1 {
			t.Errorf("%q: column %d", text, e.Column)
		}
		if len(text) > 100 {
			text = text[:100] + "..."
		}
		fmt.Fprintf(&b, "%q\n\t%v\n", text, err)
	}
	golden(t, "testdata/errors.golden", b.String())
}

// TestChainEnds: a die that never comes to rest stops after MaxChain rolls.
func TestChainEnds(t *testing.T) {
	for text, face := range map[string]int32{"1d6!": 6, "1d6r": 1, "1d6!!": 6, "2d6u": 3, "1d6r1!": 6} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var faces []int32
		for {
			if _, done := e.Next(faces); done {
				break
			}
			if faces = append(faces, face); len(faces) > 2*maxChain {
				t.Fatalf("%s goes on", text)
			}
		}
		if len(faces) < maxChain {
			t.Errorf("%s stands after %d throws", text, len(faces))
		}
	}
}

func TestThrowAllocatesNothing(t *testing.T) {
	for text, faces := range map[string][]int32{
		"2d6+3":                 {1, 2},
		"4d6kh3":                {4, 3, 2, 1},
		"10d10!>=8":             {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 1, 1},
		"{2d6r1, 1d8+1}kh1*2-1": {1, 3, 4, 5},
	} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { e.Next(faces); e.Total(faces) }); n != 0 {
			t.Errorf("%s allocates %v times", text, n)
		}
	}
}

func BenchmarkTotal(b *testing.B) {
	for _, text := range []string{"2d6+3", "4d6kh3"} {
		b.Run(text, func(b *testing.B) {
			e, _ := Parse(text)
			faces := []int32{4, 3, 2, 1}
			for b.Loop() {
				e.Total(faces)
			}
		})
	}
}

// BenchmarkRoll parses, rolls by name and totals, as for a roll at the table.
func BenchmarkRoll(b *testing.B) {
	for _, text := range []string{"1d20+5", "4d6kh3", "10d6!"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			seed := uint64(0)
			draw := func(n int, sides int32) int32 { return Face(seed, 0, 1, uint32(n), sides) }
			var faces []int32
			for b.Loop() {
				e, err := Parse(text)
				if err != nil {
					b.Fatal(err)
				}
				seed++
				faces, _ = e.Roll(draw, faces[:0])
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "M/s")
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := Parse("{4d6kh3, 2d8!>=7+1}kh1*2"); err != nil {
			b.Fatal(err)
		}
	}
}
