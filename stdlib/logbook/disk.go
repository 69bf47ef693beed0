package logbook

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// An FS is where logbooks lie: Disk, or what a test puts in its place.
type FS interface {
	// Open opens a file with the flags of os.OpenFile.
	Open(path string, flag int) (File, error)
	// Names says whether the path still leads to the open file.
	Names(path string, f File) (bool, error)
	// SyncDir returns once the name of the file is on the disk.
	SyncDir(path string) error
}

// A File is an open file of an FS. Its methods are those of os.File, but for one.
type File interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Close() error
	// Lock keeps other openings of the file from locking it, until it is closed or the process
	// ends, however that happens. It returns at once: if somebody else has the lock, with a
	// *Locked.
	Lock() error
}

// Disk is the file system of the machine.
var Disk FS = disk{}

type disk struct{}

type diskFile struct{ *os.File }

func (disk) Open(path string, flag int) (File, error) {
	// To open a pipe would wait for somebody at its other end.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &NotALogbook{path, "is not a file of text"}
	}
	f, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

func (disk) Names(path string, f File) (bool, error) {
	there, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	open, err := f.(diskFile).Stat()
	return err == nil && os.SameFile(there, open), err
}

func (disk) SyncDir(path string) error {
	// Behind a symbolic link the name to keep is in another directory.
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	err = syncDir(filepath.Dir(path))
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil // a file system that does not do this has no other means
	}
	return err
}

func (f diskFile) Lock() error {
	held, err := lock(f.File)
	if held {
		return &Locked{f.Name(), holder(f.File)}
	}
	return err
}
