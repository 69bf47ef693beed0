// Package faulty is a disk in memory for tests of what must survive: its operations fail when told
// to, and its power can be cut. What the machine sees and what is on the disk are kept apart, sector
// by sector, as bad as systems are allowed to be: what was not synced may be kept or not, each sector
// by itself, and after a sync that failed the machine goes on showing what it will not write again.
package faulty

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"arbiter/stdlib/logbook"
)

// An Op is what is asked of the disk.
type Op string

const (
	Open     Op = "open"
	Lock     Op = "lock"
	Names    Op = "names"
	Read     Op = "read"
	Write    Op = "write"
	Truncate Op = "truncate"
	Sync     Op = "sync"
	SyncDir  Op = "syncdir"
)

const sector = 512 // bytes; a power cut leaves each as it was or as it was to be

// A Disk is a logbook.FS without directories. Its zero value is empty and in order.
type Disk struct {
	// Fail, if not nil, is asked before each operation, and makes it fail with the error that it
	// returns. A write then still writes the first n bytes.
	Fail func(op Op) (n int, err error)
	// Chance says whether a sector that may be kept is; nil means never. It is asked at a power cut,
	// and when a sync fails.
	Chance func() bool
	// Log has all operations in their order.
	Log []Op

	seen, kept map[string]*node // by name, to the machine and on the disk
	power      int              // how often it was cut
}

type node struct {
	seen, kept []byte
	dirty      map[int]bool // sectors to be written
	locked     bool
}

func (d *Disk) ask(op Op) (int, error) {
	d.Log = append(d.Log, op)
	if d.Fail == nil {
		return 0, nil
	}
	return d.Fail(op)
}

func (d *Disk) chance() bool { return d.Chance != nil && d.Chance() }

// Open opens a file, with the flags O_CREATE and O_TRUNC of os.
func (d *Disk) Open(path string, flag int) (logbook.File, error) {
	if _, err := d.ask(Open); err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	n := d.seen[path]
	if n == nil {
		if flag&os.O_CREATE == 0 {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		d.Put(path, nil)
		n = d.seen[path]
	}
	return &file{disk: d, node: n, power: d.power, path: path}, nil
}

// Put lays a file that is seen, but neither synced nor its name, in the place of what is there.
func (d *Disk) Put(path string, data []byte) {
	if d.seen == nil {
		d.seen, d.kept = map[string]*node{}, map[string]*node{}
	}
	n := &node{dirty: map[int]bool{}}
	n.write(data, 0)
	d.seen[path] = n
}

// Seen returns what the machine sees of a file.
func (d *Disk) Seen(path string) []byte {
	if n := d.seen[path]; n != nil {
		return append([]byte(nil), n.seen...)
	}
	return nil
}

// Overwrite changes bytes of a file as another program would.
func (d *Disk) Overwrite(path string, data []byte, offset int) { d.seen[path].write(data, offset) }

// Remove takes a name away.
func (d *Disk) Remove(path string) { delete(d.seen, path) }

// Names says whether the path leads to the file.
func (d *Disk) Names(path string, f logbook.File) (bool, error) {
	_, err := d.ask(Names)
	return d.seen[path] == f.(*file).node, err
}

// SyncDir keeps the names.
func (d *Disk) SyncDir(path string) error {
	if _, err := d.ask(SyncDir); err != nil {
		return err
	}
	if delete(d.kept, path); d.seen[path] != nil {
		d.kept[path] = d.seen[path]
	}
	return nil
}

// PowerCut ends all use of the disk, and leaves on it what was synced, and of the rest what Chance
// says.
func (d *Disk) PowerCut() {
	d.power++
	for path, n := range d.seen {
		if d.kept[path] == nil && d.chance() {
			d.kept[path] = n
		}
	}
	d.seen = map[string]*node{}
	for path, n := range d.kept {
		n.keep(func(int) bool { return d.chance() }, d.chance())
		d.seen[path] = &node{seen: append([]byte(nil), n.kept...), kept: n.kept, dirty: map[int]bool{}}
		d.kept[path] = d.seen[path]
	}
}

// keep brings those dirty sectors on the disk that are chosen, and the size of the file if it is.
// A sector that lies in the file and was never brought there is zero.
func (n *node) keep(chosen func(int) bool, size bool) {
	if size {
		n.kept = resize(n.kept, len(n.seen))
	}
	for s := range n.dirty {
		if from := s * sector; chosen(s) && from < len(n.kept) && from < len(n.seen) {
			copy(n.kept[from:min(from+sector, len(n.kept))], n.seen[from:])
		}
	}
	n.dirty = map[int]bool{}
}

func (n *node) write(data []byte, offset int) {
	if len(data) == 0 {
		return
	}
	n.seen = resize(n.seen, max(len(n.seen), offset+len(data)))
	copy(n.seen[offset:], data)
	for s := offset / sector; s*sector < offset+len(data); s++ {
		n.dirty[s] = true
	}
}

func resize(b []byte, size int) []byte {
	return append(b[:min(size, len(b)):min(size, len(b))], make([]byte, max(0, size-len(b)))...)
}

type file struct {
	disk  *Disk
	node  *node
	path  string
	power int
	holds bool // the lock
	done  bool
}

func (f *file) ask(op Op) (int, error) {
	if f.done || f.power != f.disk.power {
		return 0, fs.ErrClosed
	}
	return f.disk.ask(op)
}

func (f *file) Lock() error {
	if _, err := f.ask(Lock); err != nil {
		return err
	}
	if f.node.locked {
		return &logbook.Locked{Path: f.path}
	}
	f.node.locked, f.holds = true, true
	return nil
}

func (f *file) ReadAt(p []byte, offset int64) (int, error) {
	if _, err := f.ask(Read); err != nil {
		return 0, err
	}
	n := copy(p, f.node.seen[min(int(offset), len(f.node.seen)):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) WriteAt(p []byte, offset int64) (int, error) {
	n, err := f.ask(Write)
	if err != nil {
		p = p[:min(n, len(p))]
	}
	f.node.write(p, int(offset))
	return len(p), err
}

func (f *file) Truncate(size int64) error {
	if _, err := f.ask(Truncate); err != nil {
		return err
	}
	f.node.seen = resize(f.node.seen, int(size))
	f.node.dirty[int(size)/sector] = true // the rest of the last sector becomes zero
	return nil
}

func (f *file) Sync() error {
	_, err := f.ask(Sync)
	if err != nil {
		f.node.keep(func(int) bool { return f.disk.chance() }, f.disk.chance())
		return err
	}
	f.node.keep(func(int) bool { return true }, true)
	return nil
}

func (f *file) Close() error {
	if f.done {
		return errors.New("closed twice")
	}
	f.done = true
	if f.holds {
		f.node.locked = false
	}
	return nil
}
