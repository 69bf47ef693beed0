package playground

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program is what runs in the browser.
type Program struct {
	Packed  []byte // WebAssembly, packed by gzip
	Runtime []byte // the script that runs programs of that version of Go
	// Trees are those of the built-in rulesets, for this program, by name: marked and packed. It works without them, and
	// begins later.
	Trees map[string][]byte
}

// ErrNoProgram says that there is no program for browsers, and none can be built.
var ErrNoProgram = errors.New("there is no program for browsers here")

// packagePath is the command that runs in the browser.
const packagePath = "arbiter/cmd/arbiter/internal/playground/wasm"

// Released reads the program that a release brings beside its command, in a folder. The error wraps fs.ErrNotExist if it
// brings none.
func Released(folder string) (*Program, error) {
	packed, err := os.ReadFile(filepath.Join(folder, programFile))
	if err != nil {
		return nil, err
	}
	runtime, err := os.ReadFile(filepath.Join(folder, runtimeFile))
	if err != nil {
		return nil, err
	}
	trees, err := readTrees(filepath.Join(folder, treesFolder))
	if err != nil {
		return nil, err
	}
	return &Program{packed, runtime, trees}, nil
}

// Build compiles the program from the sources in the working folder. It takes up to some minutes the first time.
func Build(ctx context.Context) (*Program, error) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("%w: Go is not installed", ErrNoProgram)
	}
	inBrowser := append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	list := exec.CommandContext(ctx, goTool, "list", packagePath)
	list.Env = inBrowser
	if out, err := list.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != packagePath {
		return nil, fmt.Errorf("%w: this folder is not a checkout of Arbiter, from which Go could build it", ErrNoProgram)
	}
	root, err := exec.CommandContext(ctx, goTool, "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	runtime, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", runtimeFile))
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "arbiter-export")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "arbiter.wasm")
	build := exec.CommandContext(ctx, goTool, "build", "-trimpath", "-ldflags=-s -w", "-o", program, packagePath)
	build.Env = inBrowser
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the program for browsers could not be built: %w\n%s", err, out)
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	packed, err := Pack(text)
	if err != nil {
		return nil, err
	}
	trees, err := buildTrees(ctx, goTool, program)
	if err != nil {
		return nil, err
	}
	return &Program{packed, runtime, trees}, nil
}

// Pack packs a text by gzip, as small as it gets.
func Pack(text []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
