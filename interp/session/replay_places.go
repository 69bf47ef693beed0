package session

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ground"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/replay"
	"arbiter/stdlib/grid"
	"arbiter/stdlib/journal"
)

// This file records what a replay shows on its map: the ground, the squares that a creature can reach and threatens,
// and the lines of a roll against somebody.

// drawnMap is the map that the recorder has recorded last.
type drawnMap struct {
	of    *ground.Map
	index int
}

// mapIndex returns the index of the map of the fight, -1 for none. It records the map if it is new.
func (r *recorder) mapIndex() int {
	f := r.p.field
	if f == nil {
		return -1
	}
	if r.drawn == nil || r.drawn.of != f.Map {
		r.drawn = &drawnMap{f.Map, r.addMap(f.Map)}
	}
	return r.drawn.index
}

func (r *recorder) addMap(m *ground.Map) int {
	x := replay.Map{Drawn: m.IsDrawn(), Rows: []int{}}
	signs := make([]rune, len(m.Classes))
	for y := range m.Height {
		row := make([]rune, m.Width)
		for i := range row {
			c := m.ClassAt(i, y)
			if signs[c] == 0 {
				signs[c] = r.groundSign(&m.Classes[c], m.Grid.At(i, y))
			}
			row[i] = signs[c]
		}
		x.Rows = append(x.Rows, r.row(string(row)))
	}
	key := fmt.Sprint(x)
	i, known := r.tables.maps[key]
	if !known {
		i = len(r.doc.Maps)
		r.tables.maps[key] = i
		r.doc.Maps = append(r.doc.Maps, x)
		r.size += 4 * len(x.Rows)
	}
	return i
}

func (r *recorder) row(text string) int {
	i, known := r.tables.rows[text]
	if !known {
		i = len(r.doc.Rows)
		r.tables.rows[text] = i
		r.doc.Rows = append(r.doc.Rows, text)
		r.size += len(text)
	}
	return i
}

// groundSign returns the sign of the contents of a square: that of the map, if no other contents have it.
func (r *recorder) groundSign(c *ground.Class, cell grid.Cell) rune {
	key := strings.Join(c.Names, ",")
	if i, known := r.tables.ground[key]; known {
		return []rune(r.doc.Ground[i].Sign)[0]
	}
	sign := c.Mark
	for private := rune(0xE000); r.tables.signs[sign]; private++ {
		sign = private
	}
	r.tables.signs[sign], r.tables.ground[key] = true, len(r.doc.Ground)
	r.doc.Ground = append(r.doc.Ground, replay.Ground{Sign: string(sign), Names: append([]string{}, c.Names...), Is: ground.FlagNames(cell.Flags), Price: max(int(cell.Factor), 1), Height: int(cell.Floor)})
	return sign
}

// --- squares that a creature reaches and threatens -------------------------------------------------------

// watchedSquares is whose turn it was when squares were compared last.
type watchedSquares struct {
	turn, round int
	lines       []watchedRoll // whose lines are still to be drawn
}

func (w watchedSquares) clone() watchedSquares {
	w.lines = slices.Clone(w.lines)
	return w
}

// watchSquares records, at the beginning of a turn, where its creature can go, and what everybody threatens.
func (r *recorder) watchSquares() {
	if r.p.field == nil || !r.now.Fighting || r.now.Turn < 0 || r.watched.turn == r.now.Turn+1 && r.watched.round == r.now.Round {
		return
	}
	r.watched.turn, r.watched.round = r.now.Turn+1, r.now.Round
	for member, id := range r.present() {
		if id < 0 {
			continue
		}
		was, c := &r.now.Creatures[id], replay.CreatureChange{Who: id}
		if reach := r.spans(ir.CoreMoveRange, int32(member), id == r.now.Turn); !slices.Equal(reach, was.Reach) {
			c.Reach = &reach
		}
		if threatens := r.spans(ir.CoreThreatened, int32(member), was.Here && !was.Down); !slices.Equal(threatens, was.Threatens) {
			c.Threatens = &threatens
		}
		if c.Reach != nil || c.Threatens != nil {
			r.change(c)
			for _, list := range []*[][3]int{c.Reach, c.Threatens} {
				if list != nil {
					r.size += 12 * len(*list)
				}
			}
		}
	}
}

// spans returns squares as parts of rows: y, the first x and the last x.
func (r *recorder) spans(what ir.CoreDefine, member int32, wanted bool) [][3]int {
	list := [][3]int{}
	if !wanted {
		return list
	}
	squares, err := r.p.squaresFor(what, member)
	if err != nil {
		return list
	}
	for _, s := range squares { // by rows
		list = append(list, [3]int{s[1], s[0], s[0]})
	}
	return joinSpans(list)
}

// --- lines -----------------------------------------------------------------------------------------------

// watchedRoll is a roll of an action against somebody, whose lines are drawn after the command, if both still stand
// where they stood.
type watchedRoll struct {
	event        int // index in the document
	from, to     int32
	atFrom, atTo int64
}

// watchLines notes a roll in an action that is aimed at somebody.
func (r *recorder) watchLines(e *journal.Event) {
	if r.p.field == nil {
		return
	}
	j, pr := r.p.m.Journal, r.p.m.Program()
	for x := j.ByID(e.Cause); x != nil; x = j.ByID(x.Cause) {
		if x.Kind != machine.ProcBegan || x.Who < 0 || int(x.Who) >= len(r.ids) {
			continue
		}
		values := []int64{x.B, x.C, x.D}
		for i := range pr.Procs[x.Code].Params {
			if x.A>>uint(i)&1 == 1 || len(values) == 0 {
				continue
			}
			v := values[0]
			values = values[1:]
			if r.isCreature(pr.Procs[x.Code].Params[i].Type) && v >= 0 && v < int64(len(r.ids)) && int32(v) != x.Who {
				r.watched.lines = append(r.watched.lines, watchedRoll{len(r.doc.Events) - 1, x.Who, int32(v), r.placeOf(x.Who), r.placeOf(int32(v))})
				return
			}
		}
	}
}

// placeOf returns where a member stands, as far as recorded.
func (r *recorder) placeOf(member int32) int64 {
	if id := r.who(member); id >= 0 {
		if at := r.now.Creatures[id].At; len(at) == 3 {
			return grid.Square{X: int16(at[0]), Y: int16(at[1]), Z: int16(at[2])}.Pack()
		}
	}
	return 0
}

// drawLines draws the lines of the rolls of the latest command.
func (r *recorder) drawLines() {
	squares := r.p.m.State().Squares
	for _, w := range r.watched.lines {
		if w.event >= len(r.doc.Events) || w.atFrom == 0 || w.atTo == 0 || int(w.from) >= len(squares) || int(w.to) >= len(squares) || squares[w.from] != w.atFrom || squares[w.to] != w.atTo {
			continue
		}
		lines := r.p.field.CoverLines(r.p.m, w.from, w.to)
		e := &r.doc.Events[w.event]
		e.Lines = make([]replay.Line, len(lines))
		for i, l := range lines {
			e.Lines[i] = replay.Line{From: l.From, To: l.To, Blocked: l.Blocked}
		}
	}
	r.watched.lines = r.watched.lines[:0]
}

// --- areas -----------------------------------------------------------------------------------------------

// watchAreas listens for the areas that actions ask for.
func (r *recorder) watchAreas() {
	f := r.p.field
	if f == nil || r.areasOf == f {
		return
	}
	r.areasOf = f
	f.OnArea = func(squares []grid.Square) {
		cause := r.p.m.Cause()
		if !r.on() || !r.p.m.Journal.On() || cause == journal.None || len(squares) < leastArea {
			return
		}
		if n := len(r.areas); n < maxAreas {
			area := watchedArea{cause: cause, spans: spansOf(squares)}
			if !slices.ContainsFunc(r.areas, func(x watchedArea) bool { return x.cause == cause && slices.Equal(x.spans, area.spans) }) {
				r.areas = append(r.areas, area)
			}
		}
	}
}

// watchedArea is an area that was asked for in an event.
type watchedArea struct {
	cause int32
	spans [][3]int
}

const (
	leastArea = 5  // squares: smaller ones surround a corner
	maxAreas  = 16 // of one command
)

// drawAreas adds the areas of the latest command to the actions that asked for them.
func (r *recorder) drawAreas() {
	j := r.p.m.Journal
	for _, a := range r.areas {
		for e := j.ByID(a.cause); e != nil; e = j.ByID(e.Cause) {
			if e.Kind != machine.ProcBegan || !r.tables.recorded[e.ID] {
				continue
			}
			i := slices.IndexFunc(r.doc.Events, func(x replay.Event) bool { return x.ID == e.ID })
			if i >= 0 {
				r.doc.Events[i].Areas = append(r.doc.Events[i].Areas, a.spans)
			}
			break
		}
	}
	r.areas = r.areas[:0]
}

// spansOf returns squares as parts of rows, without their levels.
func spansOf(squares []grid.Square) [][3]int {
	list := make([][3]int, len(squares))
	for i, s := range squares {
		list[i] = [3]int{int(s.Y), int(s.X), int(s.X)}
	}
	slices.SortFunc(list, func(a, b [3]int) int { return slices.Compare(a[:], b[:]) })
	return joinSpans(list)
}

// joinSpans joins parts of rows, which are sorted, that overlap or touch.
func joinSpans(list [][3]int) [][3]int {
	joined := [][3]int{}
	for _, s := range list {
		if n := len(joined); n > 0 && joined[n-1][0] == s[0] && joined[n-1][2] >= s[1]-1 {
			joined[n-1][2] = max(joined[n-1][2], s[2])
			continue
		}
		joined = append(joined, s)
	}
	return joined
}
