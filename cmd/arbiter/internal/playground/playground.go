// Package playground takes the studio to where no server is: a folder of static files, or a single page, in which the
// program runs as WebAssembly inside the browser, on files that are in its memory.
//
// It decides what such a page is made of and how it is started. It must never know what the page shows.
package playground

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/studio/dist"
)

// Config says what the program of a page begins with.
type Config struct {
	Folder        string `json:"folder"` // where its files are, absolute
	Cache         string `json:"cache"`  // where it puts embedded files that the editor shows, absolute
	File          string `json:"file"`   // that is opened first, relative to the folder; may be empty
	LibraryPrefix string `json:"libraryPrefix"`
	Version       string `json:"version"`
	Language      int    `json:"language"`    // the version of the language
	PauseMillis   int    `json:"pauseMillis"` // how long a text must have been left alone before it is checked
}

// home is what the page is told of its program: see program.ts.
type home struct {
	Config  Config `json:"config"`
	Files   any    `json:"files"`
	Story   bool   `json:"story,omitempty"`
	Keeps   bool   `json:"keeps"`
	Program string `json:"program"`
	Runtime string `json:"runtime"`
	Worker  string `json:"worker"`

	Trees map[string]kept `json:"trees,omitempty"` // by ruleset
}

// policy lets the page and its worker load what stands beside it, and nothing else.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

// Names of files of an exported folder.
const (
	programFile = "arbiter.wasm.gz"
	runtimeFile = "wasm_exec.js"
	filesFile   = "files.json"
)

// errOccupied says that a folder has other files.
var errOccupied = errors.New("the folder has other files: name a new one")

// CheckFolder returns ErrOccupied if a folder has files that no export has written.
func CheckFolder(folder string) error {
	if list, err := os.ReadDir(folder); err != nil || len(list) == 0 {
		return nil
	}
	if _, err := os.Stat(filepath.Join(folder, programFile)); err != nil {
		return errOccupied
	}
	return nil
}

// Export writes the studio into a folder, as static files: with the files that it opens, by path, and the program. A
// folder that was written before is written again.
func Export(folder string, c Config, files map[string]string, p *Program) (written []string, err error) {
	if err := CheckFolder(folder); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	texts, err := json.Marshal(files)
	if err != nil {
		return nil, err
	}
	where, trees := exportTrees(p.Trees)
	page, err := studioPage(home{Config: c, Files: filesFile, Keeps: true, Program: programFile, Runtime: runtimeFile, Worker: "worker.js", Trees: where})
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{"index.html": page, filesFile: texts, programFile: p.Packed, runtimeFile: p.Runtime}
	names := []string{"index.html", filesFile, programFile, runtimeFile}
	for _, name := range []string{"studio.js", "studio.css", "worker.js"} {
		if all[name], err = fs.ReadFile(dist.FS, name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		all[name] = trees[name]
		names = append(names, name)
	}
	if err := removeOldTrees(folder, trees); err != nil {
		return nil, err
	}
	for _, name := range names {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return written, err
		}
		if err := os.WriteFile(path, all[name], 0o666); err != nil {
			return written, err
		}
		written = append(written, path)
	}
	return written, nil
}

// studioPage is the page of the studio with its program inside.
func studioPage(h home) ([]byte, error) {
	page, err := fs.ReadFile(dist.FS, "studio.html")
	if err != nil {
		return nil, err
	}
	about, err := json.Marshal(h) // with all of < > & escaped
	if err != nil {
		return nil, err
	}
	nonce := []byte(`<meta name="style-nonce" content="NONCE">`)
	if !bytes.Contains(page, nonce) {
		return nil, fmt.Errorf("the bundled page has another form")
	}
	page = bytes.Replace(page, nonce, fmt.Appendf(nil, `<meta http-equiv="Content-Security-Policy" content="%s">`, policy), 1)
	script := `<script src="studio.js">`
	return []byte(strings.Replace(string(page), script, `<script type="application/json" id="arbiter-home">`+string(about)+"</script>\n"+script, 1)), nil
}
