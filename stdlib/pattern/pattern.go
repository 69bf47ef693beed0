// Package pattern has regular expressions that are compiled when they are first needed: most commands need few of them,
// and a program that starts should not pay for the others. It must never know what is looked for.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy is such a regular expression; a call gives it compiled. It panics there if it is not one.
type Lazy func() *regexp.Regexp

// New returns the regular expression of a text.
func New(text string) Lazy {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

func (p Lazy) MatchString(s string) bool            { return p().MatchString(s) }
func (p Lazy) FindStringSubmatch(s string) []string { return p().FindStringSubmatch(s) }
