// Package sandbox runs small, untrusted Starlark programs.
//
// Load reads and runs the files of one folder. A Thread calls the functions that they define, limiting steps, memory
// and call depth. An Error has positions in the original source.
//
// It must never know anything about combat, the machine that runs rules, or the language of rules.
//
// # How memory and work are counted
//
// Starlark counts the steps of its interpreter. It counts neither memory nor the work of its built-in functions: one
// step can sort a million elements, or create a string of a gigabyte. So a file is checked (check.go: unsupported
// features), and its syntax tree is rewritten before it is compiled (rewrite.go). Whatever can use more than a little
// asks a meter first (meter.go), which counts bytes as they are requested, without ever subtracting freed memory, and
// converts native work to steps. Operators become operators of the meter (operators.go), methods of strings, lists and
// dicts are called on a guarded value (methods.go), and the built-in functions are replaced (functions.go). bounds.go
// determines what needs no meter, and frame.go the cost of a call itself. compare.go and writer.go charge for
// comparing, hashing and printing deep or shared values. The count can be too low by a factor of about four, but not
// more.
//
// Short functions with only attributes, arithmetic, comparisons and calls of the host are run by quick.go, which
// executes the same instructions as Starlark.
//
// # Obligations of the host
//
//   - The values in Env.Names are immutable, or safe for every worker that calls the functions of the Module.
//   - Its attributes and functions do little: work of a few steps, and values of a few words. For anything more they
//     call Thread.Charge, and return its error. For a list, they should charge four times its size, since concatenating
//     two such lists is not metered.
//   - It keeps no function of a script without Freeze. It calls such a function only with starlark.Call on the given
//     thread, and returns its error.
//   - It neither keeps nor changes the arguments that it is given.
//   - Its values have no operators (starlark.HasBinary), and no attributes with the names of methods of strings, lists
//     and dicts, unless it charges for their results.
package sandbox
