package main

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/big"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/stdlib/dice"
)

// The bars of a picture are at the same places in its PNG and its SVG, in the same colors, and text leaves ink.
func TestPicture(t *testing.T) {
	e, err := dice.Parse("1d2")
	if err != nil {
		t.Fatal(err)
	}
	o, err := e.Odds()
	if err != nil {
		t.Fatal(err)
	}
	p := plotOfRoll(e, o)
	data, err := p.png()
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if b := m.Bounds(); b.Dx() != pngScale*plotWidth || b.Dy() != int(pngScale*p.height) {
		t.Errorf("the picture has %v", b)
	}
	at := func(x, y float64) color.Color { return m.At(int(x*pngScale), int(y*pngScale)) }
	bars, texts := 0, 0
	for _, s := range p.shapes {
		switch s.kind {
		case barShape:
			bars++
			if got := at(s.x+s.width/2, s.y+s.height/2); got != hexColor("#4477aa") {
				t.Errorf("a bar has the color %v", got)
			}
			if got := at(s.x+s.width/2, s.y-2*textSize); got != hexColor("#fff") {
				t.Errorf("above a bar lies %v", got)
			}
		case textShape:
			texts++
		}
		if s.text != "" && !strings.Contains(p.svg(), s.text) {
			t.Errorf("the SVG lacks %q", s.text)
		}
	}
	if bars != 2 || texts != 7 {
		t.Errorf("%d bars and %d texts", bars, texts)
	}
	dark := 0
	for x := range m.Bounds().Dx() / 2 {
		if r, _, _, _ := m.At(x, 18*pngScale).RGBA(); r < 0x8000 {
			dark++
		}
	}
	if dark == 0 {
		t.Error("the title leaves no ink")
	}
}

func TestPicturePath(t *testing.T) {
	for path, ok := range map[string]bool{"a.svg": true, "testdata/a.PNG": true, "nowhere/a.png": false, "a.gif": false, "png": false, "a.png/b": false} {
		if got := checkPicturePath(path) == nil; got != ok {
			t.Errorf("%s: %t", path, got)
		}
	}
}

// No title of a fight breaks a picture.
func TestPictureOfAnyTitle(t *testing.T) {
	p := plotOfReport(&sim.Report{Title: "a \x1b[31m<b>\x00 & c"})
	d := xml.NewDecoder(strings.NewReader(p.svg()))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.png(); err != nil {
		t.Error(err)
	}
}

// A long title takes several lines and pushes the chart down, and labels that begin alike remain different.
func TestLongTexts(t *testing.T) {
	title := strings.Repeat("the long road home ", 5) + "ends"
	short, long := plotOfReport(&sim.Report{Title: "x"}), plotOfReport(&sim.Report{Title: title})
	svg, before := long.svg(), short.svg()
	if long.height != short.height+20 || !strings.Contains(svg, ">ends<") && !strings.Contains(svg, " ends<") || strings.Contains(svg, "…") {
		t.Errorf("%g and %g: %s", long.height, short.height, svg)
	}
	if !strings.Contains(before, `y="24.0" text-anchor="start" class="h">x<`) || !strings.Contains(svg, `y="24.0" text-anchor="start" class="h">the long`) || !strings.Contains(svg, `y="64.0" text-anchor="start" class="d"`) {
		t.Error(before, svg)
	}
	a, b := cutFirstWords("Bartholomew-of-the-Silver-Spoon strike.to-hit", 230), cutFirstWords("Bartholomew-of-the-Silver-Spoon strike.confirmation", 230)
	if a != "Bartholomew-of-th… strike.to-hit" || b != "Bartholomew… strike.confirmation" {
		t.Error(a, b)
	}
}

// Values that an amount never takes leave a gap between those on either side.
func TestGap(t *testing.T) {
	share := func(n, of int64) session.Share { return session.Share{Rat: big.NewRat(n, of)} }
	a := session.AmountChance{Who: "Alia", Name: "vigor", Now: 5, Mean: share(3, 1), Values: []session.ValueChance{{Value: 1, Share: share(1, 3)}, {Value: 2, Share: share(1, 3)}, {Value: 5, Share: share(1, 3)}}}
	var names []string
	for _, s := range plotOfOdds([]*variantChances{{"", &session.Chances{Amounts: []session.AmountChance{a}}}}).shapes {
		if s.kind == textShape && s.anchor == "middle" && !strings.Contains(s.text, " ") {
			names = append(names, s.text)
		}
	}
	if got := strings.Join(names, " "); got != "1 2 … 5" {
		t.Errorf("below the bars stands %s", got)
	}
}

// lab is a color in a perceptual space, where distances are comparable: lightness, red to green, blue to yellow. The
// matrix says what is left of red, green and blue light.
func lab(hex string, vision [3][3]float64) [3]float64 {
	c := hexColor(hex)
	var light, seen [3]float64
	for i, v := range []uint8{c.R, c.G, c.B} {
		if light[i] = float64(v) / 255; light[i] <= 0.04045 {
			light[i] /= 12.92
		} else {
			light[i] = math.Pow((light[i]+0.055)/1.055, 2.4)
		}
	}
	for i, row := range vision {
		seen[i] = max(0, min(1, row[0]*light[0]+row[1]*light[1]+row[2]*light[2]))
	}
	f := func(r, g, b, white float64) float64 {
		t := (r*seen[0] + g*seen[1] + b*seen[2]) / white
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x, y, z := f(0.4125, 0.3576, 0.1804, 0.9505), f(0.2127, 0.7152, 0.0722, 1), f(0.0193, 0.1192, 0.9503, 1.0888)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// Lines with different meanings are distinguishable from each other and from their background with every kind of color
// vision. The matrices are those of Machado, Oliveira and Fernandes (IEEE Transactions on Visualization and Computer
// Graphics 15, 2009).
func TestColors(t *testing.T) {
	for who, vision := range map[string][3][3]float64{
		"who sees all":      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"who sees no red":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"who sees no green": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"who sees no blue":  {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	} {
		distance := func(a, b string) float64 {
			x, y := lab(a, vision), lab(b, vision)
			return math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
		}
		for i, a := range colors {
			for _, b := range colors[:i] {
				if d := distance(a, b); d < 20 {
					t.Errorf("%s: %s and %s are %.0f apart", who, a, b, d)
				}
			}
			for _, ground := range []string{"#fff", "#222"} {
				if d := distance(a, ground); d < 25 {
					t.Errorf("%s: %s and the ground %s are %.0f apart", who, a, ground, d)
				}
			}
		}
	}
}

// Names of any length stay within the picture and within the space reserved for them.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("the-company-of-the-griffin-", 5)
	rate := sim.Rate{Rate: 0.5, Low: 0.4, High: 0.6}
	figure := func() sim.FigureReport {
		return sim.FigureReport{Of: long, What: "wins", Share: true, Figure: sim.Figure{Kind: sim.Wins}, After: sim.Estimate{Value: 0.5, Low: 0.4, High: 0.6}, Low: -0.1, High: 0.1, Significant: true}
	}
	r := &sim.Report{Title: long, Fights: 10, Sides: []sim.SideReport{{Name: long, Wins: rate}}, Undecided: rate}
	c := &sim.Comparison{Title: long, Fights: 10, Before: r, Rules: []sim.ArmReport{{Rules: long, Figures: []sim.FigureReport{figure()}}, {Rules: long, Figures: []sim.FigureReport{figure()}}},
		Sweeps: []sim.Sweep{{Name: long, Values: []string{long, "other-" + long}}}}
	e, err := dice.Parse("1000000*20d10")
	if err != nil {
		t.Fatal(err)
	}
	o, err := e.Odds()
	if err != nil {
		t.Fatal(err)
	}
	roll := plotOfRoll(e, o)
	if first := ">up to 63000000<"; !strings.Contains(roll.svg(), first) {
		t.Errorf("below the first bar does not stand %s", first)
	}
	for name, p := range map[string]*picture{
		"roll": roll,
		"sim":  plotOfReport(r), "compare": plotOfComparison(c), "sweep": plotOfSweep(c, &sweepView{isDefault: true}),
		"odds": plotOfOdds([]*variantChances{{long, &session.Chances{Command: long}}, {long, &session.Chances{Command: long, Sampled: 4}}}),
	} {
		plain, err := fontFace(goregular.TTF, textSize)
		if err != nil {
			t.Fatal(err)
		}
		bold, err := fontFace(gobold.TTF, headSize)
		if err != nil {
			t.Fatal(err)
		}
		type placed struct {
			text        string
			from, to, y float64
		}
		var before []placed
		for _, s := range p.shapes {
			if s.kind != textShape {
				continue
			}
			face := plain
			if s.class == "h" {
				face = bold
			}
			wide := float64(font.MeasureString(face, s.text)) / 64 / pngScale
			from := s.x - map[string]float64{"start": 0, "middle": wide / 2, "end": wide}[s.anchor]
			if from < 0 || from+wide > p.width || s.y > p.height {
				t.Errorf("%s: %q reaches from %.0f to %.0f of %.0f", name, s.text, from, from+wide, p.width)
			}
			for _, x := range before {
				if math.Abs(x.y-s.y) < textSize && x.from < from+wide && from < x.to {
					t.Errorf("%s: %q at %.0f, %.0f lies on %q at %.0f, %.0f", name, s.text, from, s.y, x.text, x.from, x.y)
				}
			}
			before = append(before, placed{s.text, from, from + wide, s.y})
		}
	}
}
