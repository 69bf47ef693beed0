package replaypage

import (
	"arbiter/interp/replay"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"arbiter/cmd/arbiter/internal/studio/dist"
)

// Sample is one of several fights, and why it was chosen.
type Sample struct {
	Fight  uint64
	Why    string
	Replay *replay.Document
}

// Chart is a drawing, in SVG without scripts, and what it shows in words.
type Chart struct{ SVG, About string }

// Row is a line of the table of an index: a name, and what is said about it.
type Row struct{ Name, Value, Interval string }

// Index is the page that lists sampled fights.
type Index struct {
	Title, About string
	Warnings     []string
	Rows         []Row
	Chart        Chart
	Samples      []Sample
}

// WriteFolder writes an index and a page for each sample into a folder, and returns the names of the files, the index
// first.
func WriteFolder(folder string, x *Index) (written []string, err error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	write := func(name string, text []byte) error {
		name = filepath.Join(folder, name)
		written = append(written, name)
		return os.WriteFile(name, text, 0o666)
	}
	text, err := x.page()
	if err == nil {
		err = write("index.html", text)
	}
	for i := range x.Samples {
		if err != nil {
			return written, err
		}
		if text, err = Page(x.Samples[i].Replay); err == nil {
			err = write(x.Samples[i].file(), text)
		}
	}
	return written, err
}

func (s *Sample) file() string { return fmt.Sprintf("fight-%d.html", s.Fight) }

// page returns the page of the index, which has no script.
func (x *Index) page() ([]byte, error) {
	style, err := dist.Inline("replay.css")
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	head(&b, x.Title, style, "img-src data:")
	text := escape
	fmt.Fprintf(&b, "<main class=\"samples\">\n<h1>%s</h1>\n<p class=\"about\">%s</p>\n", text(x.Title), text(x.About))
	for _, w := range x.Warnings {
		fmt.Fprintf(&b, "<p class=\"warning\"><b>Warning:</b> %s</p>\n", text(w))
	}
	if len(x.Rows) > 0 {
		b.WriteString("<table>\n<tr><th scope=\"col\">wins</th><th scope=\"col\">share</th><th scope=\"col\">95 % interval</th></tr>\n")
		for _, r := range x.Rows {
			fmt.Fprintf(&b, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td></tr>\n", text(r.Name), text(r.Value), text(r.Interval))
		}
		b.WriteString("</table>\n")
	}
	if x.Chart.SVG != "" {
		drawing := base64.StdEncoding.EncodeToString([]byte(x.Chart.SVG)) // apart from the page, with a style of its own
		fmt.Fprintf(&b, "<figure><img src=\"data:image/svg+xml;base64,%s\" alt=\"%s\"></figure>\n", drawing, text(x.Chart.About))
	}
	b.WriteString("<h2>Fights to watch</h2>\n<ul class=\"fights\">\n")
	for i := range x.Samples {
		s := &x.Samples[i]
		fmt.Fprintf(&b, "<li><a href=\"%s\">Fight %d</a>", s.file(), s.Fight)
		if s.Why != "" {
			fmt.Fprintf(&b, " <span>%s</span>", text(s.Why))
		}
		fmt.Fprintf(&b, " <small>%s</small></li>\n", text(result(s.Replay)))
	}
	b.WriteString("</ul>\n</main>\n</body>\n</html>\n")
	return []byte(b.String()), nil
}

// result says how a fight ended.
func result(d *replay.Document) string {
	rounds := fmt.Sprintf("%d rounds", d.Rounds)
	if d.Rounds == 1 {
		rounds = "1 round"
	}
	switch d.Outcome {
	case "":
		return rounds
	case "undecided", "nobody":
		return d.Outcome + " after " + rounds
	}
	return "won by " + d.Outcome + " after " + rounds
}
