package parse

// The codes of the parser's diagnostics. They are stable: tools and documentation refer to them.
const (
	codeExpected    = "expected"           // something else should stand here
	codeExpectedEnd = "expected-end"       // the clause goes on where it should end
	codeUnknownWord = "unknown-word"       // a word begins no clause of this body
	codeReserved    = "reserved-name"      // a word of the language stands where a name should
	codeChained     = "chained-comparison" // 1 < x < 5
	codeIllegal     = "illegal-character"  // a character that means nothing
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
	codeMany        = "too-many"           // more mistakes than anybody would read
	codeInternal    = "internal"           // a mistake of the parser itself
)
