package sandbox

import (
	"bytes"
	"encoding/binary"

	"go.starlark.net/starlark"
)

// This file reads compiled functions, in the serialized format of Starlark.

// supportedVersion is the supported version of the format. With any other, all functions are run by Starlark.
const supportedVersion = 14

// compiledFunc is a function of a compiled program.
type compiledFunc struct {
	name                 string
	line, col            int
	code                 []byte
	locals, cells, frees int // its own variables, those shared with nested functions, and those of enclosing functions
	stack                int // maximum height of the stack
	params, keywordOnly  int // number of parameters, and of keyword-only ones among them
	varargs, kwargs      bool

	globals, names []string // of the program
	constants      []starlark.Value
}

// findCompiled finds the function that a program defines at a position, nil if there is none.
func findCompiled(program *starlark.Program, name string, line, col int) *compiledFunc {
	var out bytes.Buffer
	if starlark.CompilerVersion != supportedVersion || program.Write(&out) != nil {
		return nil
	}
	// A magic number, the offset of the strings, varints, and the concatenated strings.
	texts := binary.LittleEndian.Uint32(out.Bytes()[4:8])
	d := decoder{out.Bytes()[8:texts], out.Bytes()[texts:]}
	d.int()      // the version
	d.text()     // the name of the file
	d.bindings() // the files it loads
	names := make([]string, d.int())
	for i := range names {
		names[i] = d.text()
	}
	constants := make([]starlark.Value, d.int())
	for i := range constants {
		switch d.int() {
		case 0:
			constants[i] = starlark.String(d.text())
		case 2:
			constants[i] = starlark.MakeInt(d.int())
		default: // the sandbox supports no others
			return nil
		}
	}
	globals := d.bindings()
	d.function() // the top level
	for range d.int() {
		if f := d.function(); f.name == name && f.line == line && f.col == col {
			f.globals, f.names, f.constants = globals, names, constants
			return &f
		}
	}
	return nil
}

// decoder is the rest of the input.
type decoder struct{ numbers, texts []byte }

func (d *decoder) int() int {
	x, n := binary.Varint(d.numbers)
	d.numbers = d.numbers[n:]
	return int(x)
}

func (d *decoder) text() string {
	n := d.int()
	s := string(d.texts[:n])
	d.texts = d.texts[n:]
	return s
}

// bindings reads a list of names, each with the position where it is bound.
func (d *decoder) bindings() []string {
	names := make([]string, d.int())
	for i := range names {
		names[i], _, _ = d.binding()
	}
	return names
}

func (d *decoder) binding() (name string, line, col int) { return d.text(), d.int(), d.int() }

// skip skips a list of numbers.
func (d *decoder) skip() (n int) {
	n = d.int()
	for range n {
		d.int()
	}
	return n
}

func (d *decoder) function() (f compiledFunc) {
	f.name, f.line, f.col = d.binding()
	d.text() // its documentation
	f.code = []byte(d.text())
	d.skip() // the positions of the instructions
	f.locals = len(d.bindings())
	f.cells = d.skip()
	f.frees = len(d.bindings())
	f.stack, f.params, f.keywordOnly = d.int(), d.int(), d.int()
	f.varargs, f.kwargs = d.int() != 0, d.int() != 0
	return f
}
