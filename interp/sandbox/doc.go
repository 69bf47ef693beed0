// Package sandbox runs small programs in Starlark that nobody needs to trust.
//
// It gives Load, which reads and runs the files of one folder, a Thread, which calls the functions that they define under
// budgets of steps, memory and depth, and an Error with places in the text as its author wrote it.
//
// It must never know anything of combat, of the machine that runs rules, or of the language that they are written in.
package sandbox
