package build

import "errors"

// This file breaks builds off whose result nobody wants any more.

// ErrStopped says that a build was broken off: see Options.Stop.
var ErrStopped = errors.New("the build was broken off")

// stopped is the panic by which a build is broken off, wherever it is.
type stopped struct{}

// between is what the passes call between one piece of work and another.
func (o *Options) between() func() {
	if o.Stop == nil {
		return nil
	}
	return func() {
		if o.Stop() {
			panic(stopped{})
		}
	}
}

// endStopped ends a build that is broken off, with that as its error.
func (o *Options) endStopped(err *error) {
	if o.Stop == nil {
		return
	}
	if x := recover(); x != nil {
		if _, ok := x.(stopped); !ok {
			panic(x)
		}
		*err = ErrStopped
	}
}
