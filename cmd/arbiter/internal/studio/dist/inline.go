package dist

import (
	"fmt"
	"strings"
)

// endings writes what an element of a page would take for its end, or for a comment, in another way. In a script these
// stand only in strings and patterns.
var endings = strings.NewReplacer("</script", `<\/script`, "<!--", `<\x21--`)

// Inline returns a bundled script or style as it can stand in a page of one file.
func Inline(name string) (string, error) {
	text, err := FS.ReadFile(name)
	if err != nil {
		return "", err
	}
	return InlineText(name, string(text))
}

// InlineText is Inline for a script that comes from elsewhere.
func InlineText(name, text string) (string, error) {
	text = endings.Replace(text)
	if lower := strings.ToLower(text); strings.Contains(lower, "</script") || strings.Contains(lower, "</style") || strings.Contains(lower, "<!--") {
		return "", fmt.Errorf("%s cannot be put into a page", name)
	}
	return text, nil
}
