package sandbox

// Limits limit what one Load, or one call, can use. Zero fields have their defaults.
type Limits struct {
	Steps   uint64 // of the interpreter; native work counts in proportion. Default 1,000,000
	Bytes   int64  // allocated in total, counted roughly. Default 16 MiB
	Depth   int    // of nested calls, including built-in functions. Default 100
	File    int    // bytes of one file. Default 64 KiB
	Modules int    // files of one Load, including the standard helpers. Default 32
}

func (l Limits) orDefaults() Limits {
	setDefault(&l.Steps, 1_000_000)
	setDefault(&l.Bytes, 16<<20)
	setDefault(&l.Depth, 100)
	setDefault(&l.File, 64<<10)
	setDefault(&l.Modules, 32)
	return l
}

func setDefault[N int | int64 | uint64](n *N, value N) {
	if *n <= 0 {
		*n = value
	}
}
