package session

import (
	"math/bits"

	"arbiter/interp/machine"
	"arbiter/interp/story"
	"arbiter/stdlib/dice"
)

// This file evaluates the contents of a story: values, statements, texts, and alternatives in turn.

// valueOf evaluates an expression of the story.
func (p *player) valueOf(id int32) (int64, bool) {
	v, err := p.m.EvalScript(p.story.values[id].Chunk)
	if err != nil {
		x := &p.story.Values[id]
		p.inFile(x.File, func() { p.failed(x.Node.Extent(), err) })
		return 0, false
	}
	return v, true
}

// inFile runs do as code of a file of the story.
func (p *player) inFile(file string, do func()) {
	was := p.story.file
	p.story.file = file
	do()
	p.story.file = was
}

// runStatements runs statements of the story.
func (p *player) runStatements(id int32) {
	d := &p.story.Statements[id]
	piece := p.story.statements[id]
	p.inFile(d.File, func() {
		if why, ok := p.drive(d.Node.Extent(), func() machine.Result { return p.m.RunScript(piece.Chunk, piece.VarShapes, piece.InitialValues) }); !ok {
			p.refuse(d.Node, why)
		}
	})
}

// textOf assembles a text.
func (p *player) textOf(id int32) (string, bool) {
	if p.quiet {
		return "", p.skipText(p.story.Texts[id])
	}
	return p.tellText(nil, p.story.Texts[id])
}

func (p *player) tellText(b []byte, t story.Text) (string, bool) {
	b, ok := p.appendText(b, t)
	return string(b), ok
}

func (p *player) appendText(b []byte, t story.Text) ([]byte, bool) {
	ok := true
	for i := range t {
		x := &t[i]
		switch {
		case x.If:
			var way int
			if way, ok = p.branchOf(x); ok && way < len(x.Ways) {
				b, ok = p.appendText(b, x.Ways[way])
			}
		case x.Counter >= 0:
			b, ok = p.appendText(b, x.Ways[p.nextVariant(x.Counter)])
		case x.Value >= 0:
			piece, v := p.story.values[x.Value], &p.story.Values[x.Value]
			text, err := p.m.EvalText(piece.Chunk, piece.Type, p.m.Vars()...)
			if err != nil {
				p.inFile(v.File, func() { p.failed(v.Node.Extent(), err) })
				return b, false
			}
			b = append(b, text...)
		default:
			b = append(b, x.Words...)
		}
		if !ok {
			return b, false
		}
	}
	return b, true
}

// skipText advances the counters of a text without telling it.
func (p *player) skipText(t story.Text) bool {
	for i := range t {
		x := &t[i]
		switch {
		case x.If:
			way, ok := p.branchOf(x)
			if !ok || way < len(x.Ways) && !p.skipText(x.Ways[way]) {
				return false
			}
		case x.Counter >= 0:
			if !p.skipText(x.Ways[p.nextVariant(x.Counter)]) {
				return false
			}
		}
	}
	return true
}

// branchOf returns which branch of {if ...} is told.
func (p *player) branchOf(x *story.Piece) (int, bool) {
	holds, ok := p.valueOf(x.Value)
	way := int(1 - min(holds, 1))
	if t := p.story; t.points != nil {
		t.counts[t.points.OfText(x.Value, way)]++
	}
	return way, ok
}

// counter returns a counter of the story, which is one of the globals.
func (p *player) counter(id int32) *int64 { return &p.m.State().Globals[p.story.counters+int(id)] }

// nextVariant returns the alternative whose turn it is, and advances the counter.
func (p *player) nextVariant(counter int32) int {
	c := &p.story.Counters[counter]
	n := p.counter(counter)
	ways := int64(c.Ways)
	switch c.Word {
	case "cycle":
		defer func() { *n = (*n + 1) % ways }()
		return int(*n)
	case "shuffle":
		return p.shuffled(c, n)
	}
	way := min(*n, ways-1)
	if *n < ways-1 {
		*n++
	}
	return int(way)
}

// shuffled draws one of the alternatives not used yet. The lower bits of the counter mark the used ones; the upper bits
// count the draws.
func (p *player) shuffled(c *story.Counter, n *int64) int {
	const drawn = story.MostShuffled
	ways := int(c.Ways)
	marks, count := *n&(1<<drawn-1), *n>>drawn
	if bits.OnesCount64(uint64(marks)) >= ways {
		marks = 0
	}
	left := ways - bits.OnesCount64(uint64(marks))
	face := int64(0)
	if s, ok := p.dice.take("", c.Name); ok {
		if face = s.value.number; !s.value.isNum || face < 1 || face > int64(left) {
			p.halt(s.span, "bad-die", "%s is not a face of the d%d that is rolled for %s", s.value, left, c.Name)
			return 0
		}
	} else {
		face = int64(dice.Face(p.m.State().Seed, 0, dice.Hash(c.Name), uint32(count), int32(left)))
	}
	way := 0
	for ; ; way++ {
		if marks>>way&1 == 0 {
			if face--; face == 0 {
				break
			}
		}
	}
	*n = (count+1)<<drawn | marks | 1<<way
	return way
}
