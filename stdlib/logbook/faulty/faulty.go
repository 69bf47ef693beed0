// Package faulty is an in-memory disk for crash tests: its operations fail on request, and its power can be cut. What
// the machine sees and what is on the disk are kept separately, sector by sector, with the worst behavior systems are
// allowed. Each sector that was not synced may be kept or not, and after a failed sync the machine keeps showing data
// that it will not write again.
package faulty

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"arbiter/stdlib/logbook"
)

// An Op is an operation of the disk.
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

const sector = 512 // bytes; a power cut leaves each sector either old or new

// A Disk is a logbook.FS without directories. Its zero value is empty and works without faults.
type Disk struct {
	// Fail, if not nil, is called before each operation, and makes it fail with the error that it returns. A failing
	// write still writes the first n bytes.
	Fail func(op Op) (n int, err error)
	// Chance decides whether an unsynced sector is kept; nil means never. It is called at a power cut and when a sync
	// fails.
	Chance func() bool
	// Log lists all operations in order.
	Log []Op

	seen, onDisk map[string]*node // by name, to the machine and on the disk
	powerCuts    int              // number of power cuts
}

type node struct {
	seen, onDisk []byte
	dirty        map[int]bool // sectors to be written
	locked       bool
}

func (d *Disk) attempt(op Op) (int, error) {
	d.Log = append(d.Log, op)
	if d.Fail == nil {
		return 0, nil
	}
	return d.Fail(op)
}

func (d *Disk) chance() bool { return d.Chance != nil && d.Chance() }

// Open opens a file, with the flags O_CREATE and O_TRUNC of os.
func (d *Disk) Open(path string, flag int) (logbook.File, error) {
	if _, err := d.attempt(Open); err != nil {
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
	return &file{disk: d, node: n, powerCuts: d.powerCuts, path: path}, nil
}

// Put replaces a file as the machine sees it; neither the file nor its name is synced.
func (d *Disk) Put(path string, data []byte) {
	if d.seen == nil {
		d.seen, d.onDisk = map[string]*node{}, map[string]*node{}
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

// Remove removes a name.
func (d *Disk) Remove(path string) { delete(d.seen, path) }

// IsSameFile reports whether the path leads to the file.
func (d *Disk) IsSameFile(path string, f logbook.File) (bool, error) {
	_, err := d.attempt(Names)
	return d.seen[path] == f.(*file).node, err
}

// SyncDir syncs the names.
func (d *Disk) SyncDir(path string) error {
	if _, err := d.attempt(SyncDir); err != nil {
		return err
	}
	if delete(d.onDisk, path); d.seen[path] != nil {
		d.onDisk[path] = d.seen[path]
	}
	return nil
}

// PowerCut ends all use of the disk, leaving on it what was synced and, of the rest, what Chance keeps.
func (d *Disk) PowerCut() {
	d.powerCuts++
	for path, n := range d.seen {
		if d.onDisk[path] == nil && d.chance() {
			d.onDisk[path] = n
		}
	}
	d.seen = map[string]*node{}
	for path, n := range d.onDisk {
		n.persist(func(int) bool { return d.chance() }, d.chance())
		d.seen[path] = &node{seen: append([]byte(nil), n.onDisk...), onDisk: n.onDisk, dirty: map[int]bool{}}
		d.onDisk[path] = d.seen[path]
	}
}

// persist writes the chosen dirty sectors to the disk, and the size of the file if size is set. A sector inside the
// file that was never written is zero.
func (n *node) persist(chosen func(int) bool, size bool) {
	if size {
		n.onDisk = resize(n.onDisk, len(n.seen))
	}
	for s := range n.dirty {
		if from := s * sector; chosen(s) && from < len(n.onDisk) && from < len(n.seen) {
			copy(n.onDisk[from:min(from+sector, len(n.onDisk))], n.seen[from:])
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
	disk      *Disk
	node      *node
	path      string
	powerCuts int
	holds     bool // the lock
	closed    bool
}

func (f *file) attempt(op Op) (int, error) {
	if f.closed || f.powerCuts != f.disk.powerCuts {
		return 0, fs.ErrClosed
	}
	return f.disk.attempt(op)
}

func (f *file) Lock() error {
	if _, err := f.attempt(Lock); err != nil {
		return err
	}
	if f.node.locked {
		return &logbook.Locked{Path: f.path}
	}
	f.node.locked, f.holds = true, true
	return nil
}

func (f *file) ReadAt(p []byte, offset int64) (int, error) {
	if _, err := f.attempt(Read); err != nil {
		return 0, err
	}
	n := copy(p, f.node.seen[min(int(offset), len(f.node.seen)):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *file) WriteAt(p []byte, offset int64) (int, error) {
	n, err := f.attempt(Write)
	if err != nil {
		p = p[:min(n, len(p))]
	}
	f.node.write(p, int(offset))
	return len(p), err
}

func (f *file) Truncate(size int64) error {
	if _, err := f.attempt(Truncate); err != nil {
		return err
	}
	f.node.seen = resize(f.node.seen, int(size))
	f.node.dirty[int(size)/sector] = true // the rest of the last sector becomes zero
	return nil
}

func (f *file) Sync() error {
	_, err := f.attempt(Sync)
	if err != nil {
		f.node.persist(func(int) bool { return f.disk.chance() }, f.disk.chance())
		return err
	}
	f.node.persist(func(int) bool { return true }, true)
	return nil
}

func (f *file) Close() error {
	if f.closed {
		return errors.New("closed twice")
	}
	f.closed = true
	if f.holds {
		f.node.locked = false
	}
	return nil
}
