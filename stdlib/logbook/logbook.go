// Package logbook keeps text entries, in order, in a file that survives a power cut, a kill, a full disk, a second
// process, or a careless edit. Once Append has returned, the entry is on the disk; damage is reported, and nothing is
// guessed. The package must never know what an entry means.
//
// Each entry is one write at the end of the file, and one sync. So whatever happens, at most the last entry is
// incomplete, and that one was never acknowledged.
package logbook

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
)

// MaxSize is the maximum size of a logbook in bytes. It is read into memory as a whole.
const MaxSize = 64 << 20

// An Entry is a UTF-8 text of any length, with a word for its kind: lowercase letters, digits and hyphens.
type Entry struct {
	Kind, Text string
	Line       int // in the file, from 1; ignored when an entry is written
}

// A Log is the content of a file.
type Log struct {
	Header  []Entry // as given to Create
	Entries []Entry
	Torn    *Torn // the incomplete end, or nil
}

// A Book is a logbook open for writing, locked against everyone else. It is not safe for concurrent use.
type Book struct {
	fsys    FS
	path    string
	file    File
	size    int64  // of everything acknowledged
	sum     uint32 // checksum of the same bytes
	refusal error  // why no more entries are taken, or nil
}

// Create begins a logbook. There must be no file, or only one to which no entry was ever written; otherwise the error
// is an *Exists. Other errors are *Locked, *Unfit, *Full, *ReadOnly, *Failed and those of FS.Open.
func Create(fsys FS, path string, header []Entry) (*Book, error) {
	data, sum, err := appendHeader(nil, header)
	if err != nil {
		return nil, err
	}
	if err := checkSize(path, len(data)); err != nil {
		return nil, err
	}
	file, old, err := open(fsys, path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	b := &Book{fsys: fsys, path: path, file: file, size: int64(len(data)), sum: sum}
	if _, err = parse(path, old); !isErrorType[*Unfinished](err) {
		err = &Exists{path}
	} else if err = b.writeEnd(len(old), 0, nil); err == nil { // or a power cut could mix both headers
		err = b.writeEnd(0, 0, data)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return b, nil
}

// Open opens a logbook to continue it. If its last entry is incomplete, that is removed and reported in Log.Torn.
//
// Errors are *Locked, *NotALogbook, *NewerVersion, *Unfinished, *Damaged, *Full, *ReadOnly, *Failed and those of
// FS.Open. With *Damaged the log holds what precedes the damage, and the file is left as it is.
func Open(fsys FS, path string) (*Book, Log, error) {
	file, data, err := open(fsys, path, os.O_RDWR)
	if err != nil {
		return nil, Log{}, err
	}
	s, err := parse(path, data)
	if err != nil {
		file.Close()
		return nil, s.Log, err
	}
	last := data[s.last:s.good:s.good]
	if last[len(last)-1] != '\n' {
		last = append(last, '\n')
	}
	b := &Book{fsys: fsys, path: path, file: file, size: int64(s.last + len(last)), sum: s.sum}
	// The last entry may never have been synced. If its sync failed, the system may show it without having written it,
	// and not try again. So it is written once more: with the same bytes, so nothing can be lost.
	if err := b.writeEnd(len(data), s.last, last); err != nil {
		file.Close()
		return nil, Log{}, err
	}
	return b, s.Log, nil
}

// Read returns what is in a logbook. It takes no lock and changes nothing; during a write, an incomplete entry can show
// as torn. The errors are those of Open, where they apply.
func Read(fsys FS, path string) (Log, error) {
	file, err := fsys.Open(path, os.O_RDONLY)
	if err != nil {
		return Log{}, err
	}
	defer file.Close()
	data, err := readAll(path, file)
	if err != nil {
		return Log{}, err
	}
	s, err := parse(path, data)
	return s.Log, err
}

// Append writes an entry. When it returns nil, the entry is on the disk. With an error the entry does not count, and
//
//   - *Unfit: nothing was written, and the book stays usable;
//   - *Full, *ReadOnly, *Failed: what was written of the entry is removed again, and the book stays
//     usable. But if that failed too, or a sync did, Refuses is set: the entry may be in the file,
//     complete or torn, and the book takes no more entries. Once a sync has failed, a later one that
//     succeeds proves nothing; only Open rewrites what may be missing;
//   - *Changed: someone else has changed the file. It is left as it is, and the book takes no more entries.
func (b *Book) Append(kind, text string) error {
	if b.refusal != nil {
		return b.refusal
	}
	data, sum, err := appendEntry(nil, b.sum, Entry{Kind: kind, Text: text})
	if err != nil {
		return err
	}
	if err := checkSize(b.path, int(b.size)+len(data)); err != nil {
		return err
	}
	if err := b.checkUnchanged(); err != nil {
		return b.refuse(err)
	}
	if err := write(b.file, data, b.size); err != nil {
		if b.file.Truncate(b.size) != nil || b.file.Sync() != nil {
			return b.refuse(wrapFailed(b.path, "writing", err, true))
		}
		return wrapFailed(b.path, "writing", err, false)
	}
	if err := b.file.Sync(); err != nil {
		// An entry that may not be on the disk must not be readable. If it cannot be removed, Open handles it.
		if b.file.Truncate(b.size) == nil {
			b.file.Sync()
		}
		return b.refuse(wrapFailed(b.path, "syncing", err, true))
	}
	b.size += int64(len(data))
	b.sum = sum
	return nil
}

// Close closes the file. Nothing is left to be written.
func (b *Book) Close() error {
	b.refuse(wrapFailed(b.path, "writing", fs.ErrClosed, true))
	return b.file.Close()
}

// refuse makes the book return this error from now on.
func (b *Book) refuse(err error) error {
	b.refusal = err
	return err
}

// checkUnchanged returns an error if the file is not what the book has written. It reads the whole file: modification
// times are too coarse, and the sync that follows takes far longer.
func (b *Book) checkUnchanged() error {
	here, err := b.fsys.IsSameFile(b.path, b.file)
	if err != nil {
		return wrapFailed(b.path, "looking for the file", err, true)
	}
	if !here {
		return &Changed{b.path, "it was moved, deleted or replaced"}
	}
	sum := crc32.New(castagnoli)
	n, err := io.Copy(sum, io.NewSectionReader(b.file, 0, b.size+1))
	if err != nil {
		return wrapFailed(b.path, "reading", err, true)
	}
	if n != b.size || sum.Sum32() != b.sum {
		return &Changed{b.path, "another program wrote to it"}
	}
	return nil
}

// writeEnd writes data at an offset as the end of a file of the given length, and syncs the file and its name.
func (b *Book) writeEnd(length, offset int, data []byte) error {
	if length > offset+len(data) {
		if err := b.file.Truncate(int64(offset + len(data))); err != nil {
			return wrapFailed(b.path, "cutting off the end", err, false)
		}
	}
	if err := write(b.file, data, int64(offset)); err != nil {
		return wrapFailed(b.path, "writing", err, false)
	}
	if err := b.file.Sync(); err != nil {
		return wrapFailed(b.path, "syncing", err, false)
	}
	if err := b.fsys.SyncDir(b.path); err != nil {
		return wrapFailed(b.path, "syncing the directory", err, false)
	}
	return nil
}

// open opens and locks a file, and reads it.
func open(fsys FS, path string, flag int) (File, []byte, error) {
	file, err := fsys.Open(path, flag)
	if isFull(err) || isReadOnly(err) || errors.Is(err, fs.ErrPermission) {
		err = wrapFailed(path, "opening for writing", err, false)
	}
	if err != nil {
		return nil, nil, err
	}
	if err = file.Lock(); err != nil && !isErrorType[*Locked](err) {
		err = wrapFailed(path, "locking", err, false)
	}
	var data []byte
	if err == nil {
		data, err = readAll(path, file)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, data, nil
}

func readAll(path string, file File) ([]byte, error) {
	data, err := io.ReadAll(io.NewSectionReader(file, 0, MaxSize+1))
	if err != nil {
		return nil, wrapFailed(path, "reading", err, false)
	}
	if len(data) > MaxSize {
		return nil, &NotALogbook{path, fmt.Sprintf("is larger than %d MiB", MaxSize>>20)}
	}
	return data, nil
}

func checkSize(path string, size int) error {
	if size > MaxSize {
		return &Unfit{fmt.Sprintf("%s would become larger than %d MiB: start another", path, MaxSize>>20)}
	}
	return nil
}

func write(file File, data []byte, offset int64) error {
	n, err := file.WriteAt(data, offset)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	return err
}

// wrapFailed wraps a system error in its type.
func wrapFailed(path, doing string, err error, refuses bool) error {
	f := Failed{path, doing, err, refuses}
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		f.Err = inner.Err // so that the path is not repeated
	}
	switch {
	case isFull(err):
		return &Full{f}
	case isReadOnly(err), errors.Is(err, fs.ErrPermission):
		return &ReadOnly{f}
	}
	return &f
}

func isErrorType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
