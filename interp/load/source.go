package load

import "crypto/sha256"

// This file tells whether loading again would give the same, without parsing anything.

// Source is what a loader found under the name of a ruleset: nothing if there are no files.
type Source struct {
	Name  string
	Files []FileSum
}

// FileSum identifies the text of a file.
type FileSum struct {
	Path string // as it is shown
	Sum  [sha256.Size]byte
}

// SumOf identifies a text that was read from a file.
func SumOf(path string, text []byte) FileSum { return FileSum{path, sha256.Sum256(text)} }

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
		shown, text, err := l.readFile(p, q)
		if err != nil || shown != s.Files[i].Path || sha256.Sum256(text) != s.Files[i].Sum {
			return false
		}
	}
	return true
}
