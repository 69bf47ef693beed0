package main

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"arbiter/stdlib/dice"
)

// The bars of a picture stand in its PNG where they stand in its SVG, in their colours, and text leaves ink.
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
				t.Errorf("a bar has the colour %v", got)
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
	if bars != 2 || texts != 6 {
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

func TestDrawable(t *testing.T) {
	for path, ok := range map[string]bool{"a.svg": true, "b/a.PNG": true, "a.gif": false, "png": false, "a.png/b": false} {
		if got := drawable(path) == nil; got != ok {
			t.Errorf("%s: %t", path, got)
		}
	}
}
