package statblock

// Read finds the blocks in a source, whatever its form. The rest is what belongs to none of them.
func Read(src []byte, v *Vocabulary) (sheets []Sheet, rest []Entry, err error) {
	if len(src) > MaxSource {
		return nil, nil, &tooLargeError{len(src)}
	}
	if looksLikeJSON(src) {
		sheets, rest = jsonSheets(src, v)
		return sheets, rest, nil
	}
	if hasElement(src, v.Texts) {
		lines, others := xmlTexts(decode(src), v.Texts)
		sheets, rest = split(lines, v)
		return sheets, append(rest, others...), nil
	}
	if hasElement(src, v.Records) {
		sheets, rest = xmlSheets(src, v)
		return sheets, rest, nil
	}
	if sheets, rest, ok := csvSheets(decode(src), v); ok {
		return sheets, rest, nil
	}
	lines, err := Clean(src)
	if err != nil {
		return nil, nil, err
	}
	sheets, rest = split(lines, v)
	return sheets, rest, nil
}

// signWeight is how many labels a sign counts for.
const signWeight = 10

// Fit says how well a vocabulary fits a source: how many different labels of it the blocks have, and how many signs.
func Fit(src []byte, v *Vocabulary) int {
	sheets, _, err := Read(src, v)
	if err != nil {
		return 0
	}
	n := 0
	for i := range sheets {
		seen := map[string]bool{}
		for _, e := range sheets[i].Entries {
			if v.knows(e.Key) && !seen[e.Key] {
				seen[e.Key] = true
				n++
			}
		}
	}
	signs := 0
	for _, sign := range v.Signs {
		if n > 0 && sign.Match(src) {
			signs++
		}
	}
	if v.BySign && signs == 0 {
		return 0
	}
	return n + signs*signWeight
}
