package load

import (
	"crypto/sha256"
	"io/fs"
	"path"
)

// This file tells whether loading again would give the same, without parsing anything.

// Source is what a loader found under the name of a ruleset: nothing if there are no files.
type Source struct {
	Name  string
	Files []FileSum
	Fixed bool // found in a place that is Fixed
}

// FileSum identifies the text of a file.
type FileSum struct {
	Path     string // as it is shown
	Sum      [sha256.Size]byte
	Checksum uint32
}

// SumOf identifies a text that was read from a file.
func SumOf(path string, text []byte) FileSum {
	return FileSum{path, sha256.Sum256(text), Checksum(text)}
}

// Sources lists what the loader found, in the order in which it looked.
func (l *Loader) Sources() []Source { return l.sources }

// Finds looks for the ruleset of a source, and reports whether it finds the same files with the same texts. The loader
// then knows the files as if it had loaded them.
func (l *Loader) Finds(s Source) bool {
	p, paths := l.find(s.Name)
	if len(paths) != len(s.Files) {
		return false
	}
	for i, q := range paths {
		shown, want := path.Join(p.Prefix, q), &s.Files[i]
		if shown != want.Path {
			return false
		}
		if p.Fixed {
			l.note(p, shown, want.Checksum)
			continue
		}
		text, err := fs.ReadFile(p.FS, q)
		if err != nil || SumOf(shown, text) != *want {
			return false
		}
		l.note(p, shown, want.Checksum)
	}
	return true
}
