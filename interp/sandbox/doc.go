// Package sandbox runs small programs in Starlark that nobody needs to trust.
//
// It gives Load, which reads and runs the files of one folder, a Thread, which calls the functions that they define under
// budgets of steps, memory and depth, and an Error with places in the text as its author wrote it.
//
// It must never know anything of combat, of the machine that runs rules, or of the language that they are written in.
//
// # How memory and work are counted
//
// Starlark counts the steps of its own interpreter. It counts no memory, and no work of its built-in functions: one step can
// sort a million elements, or make a text of a gigabyte. So a file is checked (check.go: what is left out), and its syntax
// tree is rewritten before it is compiled (rewrite.go): whatever can use more than a little asks a meter first (meter.go),
// which counts bytes as they are asked for, never gives them back, and turns native work into steps. Operators become
// operators of the meter (operators.go), methods of strings, lists and dicts are asked of a value that guards them
// (methods.go), and the built-in functions are replaced (functions.go). cheap.go finds out what needs no meter, frame.go what
// a call takes by itself, weigh.go and text.go pay for comparing, hashing and printing values that are deep or shared.
// The count may be short by a factor of about four, and not by more.
//
// A function of a few attributes and comparisons is run by quick.go, which does the same instructions as Starlark.
//
// # What the host owes
//
//   - What it gives in Env.Names is immutable, or safe for every worker that calls the functions of the Module.
//   - Its attributes and functions do little: work of a few steps, and values of a few words. What is more it pays for, with
//     Charge or Thread.Charge, and returns the error that it gets. A list that it gives should pay four times its size,
//     since joining two such lists is not metered.
//   - It keeps no function that a script has given it without Freeze, and calls none but by starlark.Call on the thread that
//     it is given, whose error it returns.
//   - It keeps neither the arguments that it is given nor changes them.
//   - Its values have no operators (starlark.HasBinary), and no attributes that are called like the methods of strings,
//     lists and dicts, unless it pays for what they give.
package sandbox
