package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// This file writes a picture as PNG.

// pngScale is how many pixels of the file a length of one takes, in each direction: charts are viewed on
// high-resolution screens.
const pngScale = 2

// png writes the picture as PNG, on a light background.
func (p *picture) png() ([]byte, error) {
	plain, err := fontFace(goregular.TTF, textSize)
	if err != nil {
		return nil, err
	}
	bold, err := fontFace(gobold.TTF, headSize)
	if err != nil {
		return nil, err
	}
	p.lower()
	m := image.NewRGBA(image.Rect(0, 0, int(math.Ceil(p.width*pngScale)), int(math.Ceil(p.height*pngScale))))
	draw.Draw(m, m.Bounds(), image.White, image.Point{}, draw.Src)
	for _, s := range p.shapes {
		l := inkOf(s.class)
		switch s.kind {
		case textShape:
			d := font.Drawer{Dst: m, Src: l, Face: plain}
			if s.class == "h" {
				d.Face = bold
			}
			x := s.x * pngScale
			if wide := float64(d.MeasureString(s.text)) / 64; s.anchor == "middle" {
				x -= wide / 2
			} else if s.anchor == "end" {
				x -= wide
			}
			d.Dot = fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(s.y * pngScale * 64)}
			d.DrawString(s.text)
		case lineShape:
			// A line is drawn as a row of squares, one for each pixel.
			w := l.stroke / 2
			n := max(1, int(math.Ceil(max(math.Abs(s.width), math.Abs(s.height))*pngScale)))
			for k := range n + 1 {
				along := float64(k) / float64(n)
				fill(m, l, s.x+s.width*along-w, s.y+s.height*along-w, 2*w, 2*w)
			}
		case barShape:
			w := l.stroke / 2
			fill(m, l, s.x-w, s.y-w, s.width+2*w, s.height+2*w)
		}
	}
	var b bytes.Buffer
	err = png.Encode(&b, m)
	return b.Bytes(), err
}

// fontFace is a font at a size.
func fontFace(data []byte, size float64) (font.Face, error) {
	f, err := opentype.Parse(data)
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(f, &opentype.FaceOptions{Size: size * pngScale, DPI: 72, Hinting: font.HintingFull})
}

// fill fills a rectangle, rounded to whole pixels and at least one wide.
func fill(m *image.RGBA, l ink, x, y, width, height float64) {
	at := func(v float64) int { return int(math.Round(v * pngScale)) }
	r := image.Rect(at(x), at(y), max(at(x+width), at(x)+1), max(at(y+height), at(y)+1))
	draw.Draw(m, r, l, image.Point{}, draw.Src)
}

// ink is a color and a line width.
type ink struct {
	*image.Uniform
	stroke float64
}

func inkOf(class string) ink {
	for _, l := range classStyles() {
		if l.class == class {
			return ink{image.NewUniform(hexColor(l.light)), l.stroke}
		}
	}
	return ink{image.NewUniform(color.Black), 1}
}

// hexColor reads #rgb or #rrggbb.
func hexColor(text string) color.RGBA {
	digits := text[1:]
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	n, _ := strconv.ParseUint(digits, 16, 32)
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}
