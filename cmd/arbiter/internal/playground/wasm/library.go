//go:build js

package main

import (
	"embed"
	"syscall/js"

	"arbiter/cmd/arbiter/internal/playground"
)

// library is the built-in rulesets, with the trees of them that stand beside this program.
type library struct {
	embed.FS
	program string // identifies this program
}

// Trees implements load.SyntaxFS.
func (l *library) Trees(ruleset string) []byte {
	answer := make(chan []byte, 1)
	took := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if bytes := args[0]; bytes.Truthy() {
			text := make([]byte, bytes.Length())
			js.CopyBytesToGo(text, bytes)
			answer <- playground.Marked(l.program, text)
		} else {
			answer <- nil
		}
		return nil
	})
	defer took.Release()
	js.Global().Call("arbiterTrees", ruleset, took)
	return <-answer
}
