package reading

import (
	"io/fs"

	"arbiter/interp/build"
	"arbiter/stdlib/statblock"
)

// This file helps to choose the ruleset for a text.

// Own lists the rulesets of a library that have a reading of their own.
func Own(library fs.FS, names []string) []string {
	var own []string
	for _, name := range names {
		if _, err := fs.Stat(library, name+"/"+fileName); err == nil {
			own = append(own, name)
		}
	}
	return own
}

// VocabularyOf returns the vocabulary of a ruleset of the library that has a reading of its own, without building the
// ruleset; nil if the reading is used only on request, and has no signs by which it is known.
func VocabularyOf(o build.Options, ruleset string) (*statblock.Vocabulary, error) {
	r := &Reader{Ruleset: ruleset, tools: newTools(), place: place{o, "."}}
	src, name := r.source(ruleset, fileName)
	if src == nil {
		return nil, &NoReadingError{ruleset}
	}
	r.File = name
	if err := r.load(src, fileName); err != nil {
		return nil, err
	}
	if r.onRequest && len(r.Vocabulary.Signs) == 0 {
		return nil, nil
	}
	r.Vocabulary.BySign = r.onRequest
	return &r.Vocabulary, nil
}
