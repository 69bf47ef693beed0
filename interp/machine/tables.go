package machine

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file reads tables.

// lookup reads a cell of a table.
func (m *Machine) lookup(id int32, x, y int64, top int, at int32) int64 {
	t := &m.p.Tables[id]
	row := m.tables[id].rows.indexOf(t.Rows, x)
	col := 0
	width := max(1, len(t.Columns))
	if t.KeyCount > 1 {
		col = m.tables[id].columns.indexOf(t.Columns, y)
	}
	if row < 0 || col < 0 || row*width+col >= len(t.Cells) {
		key := x
		if row >= 0 {
			key = y
		}
		m.fail(at, "the table %s has no row for %s", t.Name, formatNumber(key))
		return 0
	}
	cell := &t.Cells[row*width+col]
	if m.marks {
		for _, part := range []int32{t.Part, cell.Part} {
			if part >= 0 {
				m.Covered.Add(part)
			}
		}
	}
	if cell.Chunk != program.NoChunk {
		return m.evalAt(cell.Chunk, top, -1)
	}
	return cell.Value
}

// tableKeys finds the rows and the columns of a table.
type tableKeys struct{ rows, columns keyRanges }

// keyRanges remembers which range a key is in: most tables have small keys, which are listed at the first question.
type keyRanges struct {
	first  int64   // key of the first that is listed
	listed []int16 // by key: the index of its range, -1: it has none
	known  bool
}

// maxListedKeys is the maximum number of keys that are listed, and of those beyond the ends of the first and last range.
const (
	maxListedKeys = 256
	keysBeyond    = 64
)

// indexOf returns the index of the range that contains a key, -1 if none does.
func (x *keyRanges) indexOf(ranges []ir.Range, key int64) int {
	if !x.known {
		x.list(ranges)
	}
	if i := key - x.first; uint64(i) < uint64(len(x.listed)) {
		return int(x.listed[i])
	}
	return rangeIndex(ranges, key)
}

// list lists the keys around the ends of all ranges, if they are not too far apart.
func (x *keyRanges) list(ranges []ir.Range) {
	x.known = true
	const far = 1 << 40
	low, high := int64(far), int64(-far)
	for _, r := range ranges {
		for _, end := range [...]int64{r.Lo, r.Hi} { // a first or last range may have no end
			if r.Lo <= r.Hi && end > -far && end < far {
				low, high = min(low, end), max(high, end)
			}
		}
	}
	low, high = low-keysBeyond, high+keysBeyond
	if low > high || high-low >= maxListedKeys {
		return
	}
	x.first = low
	for key := low; key <= high; key++ {
		x.listed = append(x.listed, int16(rangeIndex(ranges, key)))
	}
}

// rangeIndex returns the index of the range that contains a key, -1 if none does.
func rangeIndex(ranges []ir.Range, key int64) int {
	others := -1 // a row with an empty range matches everything that no other row does
	for i := range ranges {
		switch r := &ranges[i]; {
		case key >= r.Lo && key <= r.Hi:
			return i
		case r.Lo > r.Hi:
			others = i
		}
	}
	return others
}
