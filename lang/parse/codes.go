package parse

// The codes of the parser's diagnostics. They are stable: tools and documentation refer to them.
const (
	codeExpected    = "expected"           // something else is expected here
	codeExpectedEnd = "expected-end"       // the clause continues where it should end
	codeUnknownWord = "unknown-word"       // a word begins no clause of this body
	codeReserved    = "reserved-name"      // a word of the language in place of a name
	codeChained     = "chained-comparison" // 1 < x < 5
	codeIllegal     = "illegal-character"  // a character without a meaning
	codeEscape      = "bad-escape"         // \q in a text
	codeBadText     = "bad-text"           // a value in a note that cannot be read
	codeText        = "unclosed-text"      // a text without its closing quotes
	codeUnclosed    = "unclosed-bracket"   // a { without its }
	codeStray       = "stray-bracket"      // a } without its {
	codeNumber      = "malformed-number"   // 30ft, 1.5
	codeUnit        = "unknown-unit"       // 3 parsecs
	codeLarge       = "number-too-large"   // beyond 64 bits
	codeDeep        = "too-deep"           // nesting beyond the limit
	codeSize        = "too-large"          // a source beyond the limit
	codeMany        = "too-many"           // more mistakes than anyone would read
	codeInternal    = "internal"           // a bug in the parser itself
)
