package session

import (
	"encoding/binary"
	"errors"
	"fmt"

	"arbiter/stdlib/spill"
)

// This file keeps the commands of a live fight: those done and, after them, those undone, as long as nothing else is
// done. Only the latest are in memory, so a long evening takes no more of it than a short one.

// keptCommands is how many bytes of commands stay in memory at least.
const keptCommands = 256 << 10

// commands are the commands of a fight, in the order in which they are carried out.
type commands struct {
	bytes   spill.Bytes
	ends    spill.Bytes // where each command ends in bytes, 8 bytes each
	done    int         // how many are done; the others are undone
	moments []moments   // before some of those done, in order
}

// moments is the moment before the command with that number.
type moments struct {
	at     int
	before *moment
}

// count is the number of commands, done and undone.
func (c *commands) count() int { return c.ends.Len() / 8 }

// undone is the number of commands that can be redone.
func (c *commands) undone() int { return c.count() - c.done }

// end returns where the first n commands end.
func (c *commands) end(n int) (int, error) {
	if n == 0 {
		return 0, nil
	}
	b, err := c.ends.Read(8*(n-1), 8*n)
	if err != nil {
		return 0, err
	}
	return int(binary.LittleEndian.Uint64(b)), nil
}

// at returns a command, from 0.
func (c *commands) at(i int) (*Command, error) {
	from, err := c.end(i)
	if err != nil {
		return nil, err
	}
	to, err := c.end(i + 1)
	if err != nil {
		return nil, err
	}
	b, err := c.bytes.Read(from, to)
	if err != nil {
		return nil, err
	}
	return parseCommand(b)
}

// add adds a command that has been done, in place of all that were undone.
func (c *commands) add(d *Command, before *moment) error {
	end, err := c.end(c.done)
	if err != nil {
		return err
	}
	c.bytes.Truncate(end)
	c.ends.Truncate(8 * c.done)
	c.bytes.Append(d.encode()...)
	c.ends.Append(binary.LittleEndian.AppendUint64(nil, uint64(c.bytes.Len()))...)
	c.advance(before)
	return nil
}

// advance counts the next command as done again.
func (c *commands) advance(before *moment) {
	c.moments = append(c.moments, moments{c.done, before})
	c.done++
}

// forgetUndone drops the commands that were undone.
func (c *commands) forgetUndone() error {
	end, err := c.end(c.done)
	if err != nil {
		return err
	}
	c.bytes.Truncate(end)
	c.ends.Truncate(8 * c.done)
	return nil
}

// back goes back to the latest moment that is kept before the command with that number, which is no longer done.
func (c *commands) back(n int) *moment {
	last := len(c.moments) - 1
	for c.moments[last].at > n {
		last--
	}
	m := c.moments[last]
	c.moments, c.done = c.moments[:last], m.at
	return m.before
}

// latest returns the moment before the latest command.
func (c *commands) latest() *moment { return c.moments[len(c.moments)-1].before }

// spill moves what was done long ago to a file.
func (c *commands) spill(keep int, open func() (spill.File, error)) error {
	return errors.Join(c.bytes.Spill(keep, open), c.ends.Spill(keep, open))
}

// close removes the files.
func (c *commands) close() error { return errors.Join(c.bytes.Close(), c.ends.Close()) }

// encode returns a command as bytes.
func (d *Command) encode() []byte {
	var b []byte
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	number := func(v int64) { b = binary.AppendVarint(b, v) }
	answers := func(list []Answer) {
		number(int64(len(list)))
		for i := range list {
			g := &list[i]
			for _, v := range []bool{g.Die, g.Seeded} {
				number(map[bool]int64{true: 1}[v])
			}
			text(g.Who)
			text(g.Label)
			number(g.Value)
			text(g.Word)
		}
	}
	text(d.Text)
	text(d.Source)
	text(d.statement)
	number(int64(d.Hash))
	text(d.began.Whose)
	number(int64(d.began.Round))
	answers(d.Answers)
	answers(d.allAnswers)
	return b
}

// parseCommand is the inverse of encode.
func parseCommand(b []byte) (*Command, error) {
	good := true
	number := func() int64 {
		v, n := binary.Varint(b)
		if good = good && n > 0; !good {
			return 0
		}
		b = b[n:]
		return v
	}
	text := func() string {
		size, n := binary.Uvarint(b)
		if good = good && n > 0 && size <= uint64(len(b)-n); !good {
			return ""
		}
		s := string(b[n : n+int(size)])
		b = b[n+int(size):]
		return s
	}
	answers := func() (list []Answer) {
		for n := number(); n > 0 && good; n-- {
			list = append(list, Answer{Die: number() == 1, Seeded: number() == 1, Who: text(), Label: text(), Value: number(), Word: text()})
		}
		return list
	}
	d := &Command{Text: text(), Source: text(), statement: text(), Hash: uint64(number()), began: Moment{text(), int(number())}}
	d.Answers, d.allAnswers = answers(), answers()
	if !good || len(b) > 0 {
		return nil, fmt.Errorf("what happened long ago has changed in the temporary file")
	}
	return d, nil
}
