// Package snapshot writes a graph of Go values as bytes and reads it back, for results that are dear to compute again.
//
// Pointers that led to the same value still do, cycles close, slices that overlapped share their elements. All values of
// a type are read into one array, by a plan that is made once for the type: that is what makes reading fast, and also
// why a value stays in memory as long as any other of its type that was read with it.
//
// What is seldom looked into can be left for later: reading makes room for it, so that pointers to it are what they will
// be, and the values are zero, and the maps empty, until they are asked for.
//
// Only programs whose types lie in memory alike can read a snapshot: a change of any type in the graph makes another
// format. A snapshot that is damaged, or of another format, is an error and nothing else.
//
// The package must never know what the values mean. It is the only one that reads memory past Go's types.
package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
	"runtime"
	"sync"
)

// Format is how values of type T are written.
type Format[T any] struct {
	*types
	root        *plan
	fingerprint [sha256.Size]byte
}

// Types names types of a graph that need to be known beforehand, each by any value of it.
type Types struct {
	Concrete []any // those behind interfaces; a value of another type there cannot be written
	// Late reports whether what a field of a struct leads to is read only when it is asked for, unless something else
	// leads to it as well. nil: nothing is.
	Late func(owner reflect.Type, field reflect.StructField) bool
	// Program identifies the program that writes and reads, if that can be told: two programs with the same one have the
	// same types. "": the format is told from the types, which takes longer, and lets a program for another kind of machine
	// read what this one writes, if values lie in its memory as they do here.
	Program string
}

// NewFormat plans how to write values of type T and all that they lead to. Functions are written only if they are nil,
// and channels not at all.
func NewFormat[T any](t Types) (*Format[T], error) {
	ts := &types{byType: map[reflect.Type]*plan{}, late: t.Late}
	root := ts.plan(reflect.TypeFor[T]())
	for _, x := range t.Concrete {
		p := ts.plan(reflect.TypeOf(x))
		if ts.concrete = append(ts.concrete, p); !p.flat && p.typ.Kind() != reflect.Pointer && p.typ.Kind() != reflect.String {
			ts.fail("behind interfaces are pointers, numbers and texts, not %s", p.typ)
		}
	}
	if ts.err != nil {
		return nil, ts.err
	}
	f := &Format[T]{types: ts, root: root}
	h := sha256.New()
	if fmt.Fprintln(h, runtime.Version(), t.Program); t.Program != "" {
		fmt.Fprintln(h, runtime.GOARCH)
	} else {
		fmt.Fprintln(h, binary.NativeEndian.Uint16([]byte{1, 0}))
		for _, p := range ts.plans {
			fmt.Fprintln(h, p.describe())
		}
		for _, p := range ts.concrete {
			fmt.Fprintln(h, p.index)
		}
	}
	h.Sum(f.fingerprint[:0])
	return f, nil
}

// magic begins each snapshot.
const magic = "snapshot 1\n"

// headerSize is the length of what stands before the contents: magic, fingerprint, length and checksum.
const headerSize = len(magic) + sha256.Size + 8 + 4

// errDamaged is the error of Read for bytes that are no snapshot, or not a whole one.
var errDamaged = errors.New("the snapshot is damaged")

// ErrOther is the error of Read for a snapshot of another format.
var ErrOther = errors.New("the snapshot was written by another program")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Write returns the snapshot of a graph.
func (f *Format[T]) Write(root *T) ([]byte, error) {
	w := newWriter(f.types)
	body, err := w.write(f.root, reflect.ValueOf(root).UnsafePointer())
	runtime.KeepAlive(root)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, headerSize+len(body))
	b = append(append(b, magic...), f.fingerprint[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(body)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(body, castagnoli))
	return append(b, body...), nil
}

// Read returns the graph of a snapshot, which must not change while it is used, and a function that reads what was left
// for later. Calling that again does nothing; it may be called by several goroutines at once. The error is ErrOther if
// another program wrote the bytes; any other says that they are damaged.
func (f *Format[T]) Read(b []byte) (root *T, complete func(), err error) {
	if len(b) < headerSize || !bytes.HasPrefix(b, []byte(magic)) {
		return nil, nil, errDamaged
	}
	head, body := b[len(magic):headerSize], b[headerSize:]
	if !bytes.Equal(head[:sha256.Size], f.fingerprint[:]) {
		return nil, nil, ErrOther
	}
	head = head[sha256.Size:]
	if binary.LittleEndian.Uint64(head) != uint64(len(body)) || binary.LittleEndian.Uint32(head[8:]) != crc32.Checksum(body, castagnoli) {
		return nil, nil, errDamaged
	}
	r := &reader{types: f.types, b: body}
	p := r.read(f.root)
	if p == nil {
		return nil, nil, errDamaged
	}
	return (*T)(p), sync.OnceFunc(r.readLate), nil
}
