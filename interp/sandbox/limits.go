package sandbox

// Limits bound what one Load, or one call, may use. A field that is zero has its default.
type Limits struct {
	Steps   uint64 // of the interpreter; native work counts in proportion. 1,000,000
	Bytes   int64  // allocated, counted roughly and never given back. 16 MiB
	Depth   int    // of calls inside each other, of built-in functions too. 100
	File    int    // bytes of one file. 64 KiB
	Modules int    // files of one Load, the standard helpers among them. 32
}

func (l Limits) orDefaults() Limits {
	set(&l.Steps, 1_000_000)
	set(&l.Bytes, 16<<20)
	set(&l.Depth, 100)
	set(&l.File, 64<<10)
	set(&l.Modules, 32)
	return l
}

func set[N int | int64 | uint64](n *N, otherwise N) {
	if *n <= 0 {
		*n = otherwise
	}
}
