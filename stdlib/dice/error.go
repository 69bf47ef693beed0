package dice

import "fmt"

// An Error says what is wrong with a dice notation text, and where.
type Error struct {
	Column  int // in the text, from 1
	Message string
	Hint    string // how to fix it; may be empty
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return fmt.Sprintf("column %d: %s", e.Column, e.Message)
	}
	return fmt.Sprintf("column %d: %s (%s)", e.Column, e.Message, e.Hint)
}
