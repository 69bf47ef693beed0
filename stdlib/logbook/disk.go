package logbook

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// An FS is where logbooks are stored: Disk, or a replacement in tests.
type FS interface {
	// Open opens a file with the flags of os.OpenFile.
	Open(path string, flag int) (File, error)
	// IsSameFile reports whether the path still leads to the open file.
	IsSameFile(path string, f File) (bool, error)
	// SyncDir returns once the name of the file is on the disk.
	SyncDir(path string) error
}

// A File is an open file of an FS. Except for Lock, its methods are those of os.File.
type File interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Close() error
	// Lock keeps others that open the file from locking it, until it is closed or the process ends for any reason. It
	// returns immediately, with a *Locked if someone else holds the lock.
	Lock() error
}

// Disk is the file system of the machine.
var Disk FS = disk{}

type disk struct{}

type diskFile struct{ *os.File }

func (disk) Open(path string, flag int) (File, error) {
	// Opening a pipe would block until there is a process at its other end.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &NotALogbook{path, "is not a file of text"}
	}
	f, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

func (disk) IsSameFile(path string, f File) (bool, error) {
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
	// For a symbolic link the directory to sync is that of its target.
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	err = syncDir(filepath.Dir(path))
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil // a file system without this has no other way
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
