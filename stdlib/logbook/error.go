package logbook

import (
	"fmt"
	"io/fs"
	"os"
)

// Locked says that the file is open in another process, or a second time in this one.
type Locked struct {
	Path string
	PID  int // of the process; 0 if unknown
}

func (e *Locked) Error() string {
	who := "another program"
	switch e.PID {
	case 0:
	case os.Getpid():
		who = "this program"
	default:
		who = fmt.Sprintf("process %d", e.PID)
	}
	return fmt.Sprintf("%s: %s has it open: close it there first, or open it read-only", e.Path, who)
}

// Damaged says where the file differs from what was written. Everything before that line is intact; what follows was
// not read, and the file was not changed.
type Damaged struct {
	Path string
	Line int // the first line of the entry, from 1
	Why  string
}

func (e *Damaged) Error() string {
	return fmt.Sprintf("%s:%d: the line is damaged: %s; the lines above it are intact: restore the file from a copy, or repair the line", e.Path, e.Line, e.Why)
}

// Torn is a notice, not an error: the last bytes of the file are not a complete entry, as after a power failure during
// a write. Open removes them; Read leaves them. That entry was never acknowledged.
type Torn struct {
	Path string
	Line int // where they begin, from 1
	Cut  string
}

func (t *Torn) String() string {
	quote, more := t.Cut, ""
	if len(quote) > 200 {
		quote, more = quote[:200], fmt.Sprintf(" ... (%d bytes)", len(t.Cut))
	}
	return fmt.Sprintf("%s:%d: the last entry is incomplete and was ignored: %q%s", t.Path, t.Line, quote, more)
}

// Unfinished says that the file ends before its header does: no entry was ever written. Create starts the file again.
type Unfinished struct{ Path string }

func (e *Unfinished) Error() string {
	return e.Path + ": the logbook has no complete header and no entries; it can be started again"
}

// NotALogbook says that the file is something else.
type NotALogbook struct{ Path, Why string }

func (e *NotALogbook) Error() string {
	return fmt.Sprintf("%s: not a logbook: it %s; is it the right file?", e.Path, e.Why)
}

// NewerVersion says that the file is in a later version of the format.
type NewerVersion struct {
	Path    string
	Version int
}

func (e *NewerVersion) Error() string {
	return fmt.Sprintf("%s: a logbook of version %d, but this program knows version %d: use a newer one", e.Path, e.Version, version)
}

// Exists says that Create would have had to overwrite something. It is an fs.ErrExist.
type Exists struct{ Path string }

func (e *Exists) Error() string {
	return e.Path + ": the file is not empty: open it, or choose another name"
}

func (e *Exists) Unwrap() error { return fs.ErrExist }

// Unfit says why an entry cannot be written. Nothing was written, and the book stays usable.
type Unfit struct{ Why string }

func (e *Unfit) Error() string { return "this cannot be written: " + e.Why }

// Changed says that someone else changed, moved or deleted the file while the book was open. Nothing was written, and
// the book refuses further entries.
type Changed struct{ Path, Why string }

func (e *Changed) Error() string {
	return fmt.Sprintf("%s: %s while it was in use; nothing more is written to it: check the file, then open it again", e.Path, e.Why)
}

// Failed says which operation the system refused. Entries written before are safe.
type Failed struct {
	Path  string
	Doing string
	Err   error
	// Refuses says that the book takes no more entries, since they could be lost. Reopening the file shows what is in
	// it.
	Refuses bool
}

func (e *Failed) Error() string {
	then := ""
	if e.Refuses {
		then = ", nothing more is written until it is opened again"
	}
	return fmt.Sprintf("%s: %s failed: %v; earlier entries are safe%s", e.Path, e.Doing, e.Err, then)
}

func (e *Failed) Unwrap() error { return e.Err }

// Full is a Failed, and unwraps to it: the disk is full.
type Full struct{ Failed }

func (e *Full) Unwrap() error { return &e.Failed }

func (e *Full) Error() string { return e.Failed.Error() + "; make room on the disk, then try again" }

// ReadOnly is a Failed, and unwraps to it: the file or its directory may not be written to.
type ReadOnly struct{ Failed }

func (e *ReadOnly) Unwrap() error { return &e.Failed }

func (e *ReadOnly) Error() string {
	return e.Failed.Error() + "; check the permissions, or copy it to a writable place"
}
