package parse

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first needed: most files have none of the mistakes that
// are looked for with it, and a program that starts should not pay for them. It is like stdlib/pattern, of which the
// language must not know.
type pattern func() *regexp.Regexp

func newPattern(text string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

func (p pattern) MatchString(s string) bool            { return p().MatchString(s) }
func (p pattern) FindString(s string) string           { return p().FindString(s) }
func (p pattern) FindStringSubmatch(s string) []string { return p().FindStringSubmatch(s) }
