package words

// The closed sets. They are switches, not maps, because the lexer checks every word of a file.

// Label reports whether w is one of the prepositions that introduce arguments.
func Label(w string) bool {
	switch w {
	case "against", "with", "by", "to", "from", "at", "about", "along", "upon", "beside", "using", "into", "for",
		"of", "over", "through", "avoiding":
		return true
	}
	return false
}

// Labels returns the closed set of labels in the order of the specification.
func Labels() []string {
	return []string{"against", "with", "by", "to", "from", "at", "about", "along", "upon", "beside", "using", "into",
		"for", "of", "over", "through", "avoiding"}
}

// Reserved reports whether w can never be a name: the labels and the words of expressions.
func Reserved(w string) bool {
	switch w {
	case "and", "or", "not", "is", "has", "can", "in", "within", "succeeds", "fails", "otherwise", "if", "then", "else",
		"some", "no", "every", "count", "sum", "highest", "lowest", "first", "each", "pick", "roll", "as", "yes", "none",
		"spent", "where", "when", "unless":
		return true
	}
	return Label(w)
}

// Quantifier reports whether w begins `w X in LIST`.
func Quantifier(w string) bool {
	switch w {
	case "some", "no", "every", "count", "sum", "highest", "lowest", "first", "each", "pick":
		return true
	}
	return false
}
