// Package replaypage writes replays as pages: each is one file that holds the document, the script and the style, fetches
// nothing, and opens from a disk.
//
// It must never know a rule, nor what is in the document; that is for the script of the page. What it guarantees is
// that no text of a document can become a part of the page, and that the page can reach nothing else.
package replaypage

import (
	"arbiter/interp/replay"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode"

	"arbiter/cmd/arbiter/internal/studio/dist"
)

// Page returns the page of a replay. Equal replays have equal pages, byte by byte.
func Page(d *replay.Document) ([]byte, error) {
	document, err := json.Marshal(d) // with all of < > & escaped, and the two line separators that end a script's line
	if err != nil {
		return nil, err
	}
	frame, err := NewFrame(d.Title)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(frame.Before), document, []byte(frame.After)), nil
}

// Frame is the page of a replay without its document, which stands between the two parts. Whoever puts it there must
// escape <, >, &, U+2028 and U+2029, as Go's JSON does.
type Frame struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// NewFrame returns the frame of a page with that title.
func NewFrame(title string) (Frame, error) {
	script, err := dist.Inline("replay.js")
	if err != nil {
		return Frame{}, err
	}
	style, err := dist.Inline("replay.css")
	if err != nil {
		return Frame{}, err
	}
	var b strings.Builder
	head(&b, title, style, "script-src "+hash(script))
	b.WriteString(`<noscript><p>This page shows a fight step by step. It needs JavaScript, and nothing from the network.</p></noscript>`)
	b.WriteString("\n<div id=\"replay\"></div>\n<script type=\"application/json\" id=\"document\">")
	return Frame{b.String(), "</script>\n<script>" + script + "</script>\n</body>\n</html>\n"}, nil
}

// head begins a page that may use its own style, and what policy allows.
func head(b *strings.Builder, title, style, policy string) {
	if title == "" {
		title = "A fight"
	}
	fmt.Fprintf(b, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src %s; %s; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>%s</title>
<style>%s</style>
</head>
<body>
`, hash(style), policy, escape(title), style)
}

// escape writes a text of a fight into a page, on one line.
func escape(text string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text))
}

// hash names an inline script or style in a policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
