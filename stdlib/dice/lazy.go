package dice

import (
	"regexp"
	"sync"
)

// lazy returns a pattern that is compiled when it is first used: most programs never use it.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
