// Package spill holds bytes that grow for as long as a program runs: the latest in memory, those before them in a
// temporary file that is gone when the program ends, however it ends. Where there is no such file, they stay in memory.
//
// The package must never know what the bytes mean.
package spill

import (
	"fmt"
	"io"
	"os"
)

// maxFile is the largest size of a temporary file in bytes.
const maxFile = 1 << 30

// File is where older bytes go.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
}

// Temporary opens a file in the system's folder for temporary files.
func Temporary() (File, error) {
	f, err := os.CreateTemp("", "arbiter-history-*")
	if err != nil {
		return nil, err
	}
	// Where the system permits it the file loses its name at once, so that nothing is left of it even after a kill.
	if os.Remove(f.Name()) != nil {
		return &named{f}, nil
	}
	return f, nil
}

// named is a temporary file that has to be removed in the end.
type named struct{ *os.File }

func (n *named) Close() error {
	err := n.File.Close()
	os.Remove(n.Name())
	return err
}

// Bytes are bytes that are appended, read anywhere, and truncated. The zero value is empty.
type Bytes struct {
	latest []byte
	base   int  // the offset of latest
	file   File // holds what precedes base; nil: that is forgotten
	failed bool // no file takes more: everything else stays in memory
}

// Len is the number of all bytes, those that are forgotten included.
func (b *Bytes) Len() int { return b.base + len(b.latest) }

// Held is the number of bytes in memory.
func (b *Bytes) Held() int { return len(b.latest) }

// Append adds bytes at the end.
func (b *Bytes) Append(p ...byte) { b.latest = append(b.latest, p...) }

// Truncate keeps the first n bytes.
func (b *Bytes) Truncate(n int) {
	if n < b.base { // what the file has after them is written over
		b.base = n
	}
	b.latest = b.latest[:n-b.base]
}

// Read returns the bytes from one offset up to another, without those that are forgotten.
func (b *Bytes) Read(from, to int) ([]byte, error) {
	if b.file == nil {
		from = max(from, b.base)
	}
	if from >= to {
		return nil, nil
	}
	out := make([]byte, to-from)
	n := 0
	if from < b.base {
		n = min(to, b.base) - from
		if _, err := b.file.ReadAt(out[:n], int64(from)); err != nil {
			return nil, fmt.Errorf("what happened long ago cannot be read from the temporary file: %w", err)
		}
	}
	if from+n < to {
		copy(out[n:], b.latest[from+n-b.base:to-b.base])
	}
	return out, nil
}

// Latest returns the bytes in memory, which must not be changed, and their offset.
func (b *Bytes) Latest() (latest []byte, from int) { return b.latest, b.base }

// Forget forgets all but the latest bytes, once there are more than twice as many as are kept, and reports whether it
// did.
func (b *Bytes) Forget(keep int) bool {
	n := len(b.latest) - keep
	if n < keep {
		return false
	}
	b.latest, b.base = append([]byte(nil), b.latest[n:]...), b.base+n
	return true
}

// Spill moves all but the latest bytes to a file, once there are more than twice as many as are kept in memory. The file
// is opened when it is first needed. An error is reported once; from then on everything stays in memory.
func (b *Bytes) Spill(keep int, open func() (File, error)) error {
	n := len(b.latest) - keep
	if n < keep || b.failed {
		return nil
	}
	err := b.spill(n, open)
	b.failed = err != nil
	return err
}

func (b *Bytes) spill(n int, open func() (File, error)) error {
	if b.base+n > maxFile {
		return fmt.Errorf("the temporary file would have more than %d bytes", maxFile)
	}
	if b.file == nil {
		f, err := open()
		if err != nil {
			return err
		}
		b.file = f
	}
	if _, err := b.file.WriteAt(b.latest[:n], int64(b.base)); err != nil {
		return err
	}
	b.latest, b.base = append([]byte(nil), b.latest[n:]...), b.base+n
	return nil
}

// Close removes the file.
func (b *Bytes) Close() error {
	if b.file == nil {
		return nil
	}
	f := b.file
	b.file = nil
	return f.Close()
}
