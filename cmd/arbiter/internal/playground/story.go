package playground

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"

	"arbiter/cmd/arbiter/internal/studio/dist"
)

// storyPolicy lets a page of one file run what it holds, and load nothing.
const storyPolicy = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; connect-src data: blob:; base-uri 'none'; form-action 'none'"

// Story returns a page of one file that tells the adventure Config.File: with the files that it is played by, by path, and
// the program. It opens from a disk and asks nothing of a network.
func Story(title string, c Config, files map[string]string, p *Program) ([]byte, error) {
	texts := map[string]string{}
	for _, name := range []string{"studio.js", "studio.css", "worker.js"} {
		var err error
		if texts[name], err = dist.Inline(name); err != nil {
			return nil, err
		}
	}
	runtime, err := dist.InlineText(runtimeFile, string(p.Runtime))
	if err != nil {
		return nil, err
	}
	about, err := json.Marshal(home{Config: c, Files: files, Story: true, Keeps: true, Program: "#arbiter-program", Runtime: "#arbiter-runtime", Worker: "#arbiter-worker"})
	if err != nil {
		return nil, err
	}
	if title == "" {
		title = "A story"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>%s</title>
<link rel="icon" href="data:,">
<style>%s</style>
</head>
<body>
<noscript><p>This page tells a story that you decide. It needs JavaScript, and nothing from the network.</p></noscript>
<div id="studio"></div>
<script type="application/json" id="arbiter-home">%s</script>
<script type="text/plain" id="arbiter-runtime">%s</script>
<script type="text/plain" id="arbiter-worker">%s</script>
<script type="text/plain" id="arbiter-program">`, storyPolicy, html.EscapeString(title), texts["studio.css"], about, runtime, texts["worker.js"])
	w := base64.NewEncoder(base64.StdEncoding, &b)
	if _, err := w.Write(p.Packed); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	b.WriteString("</script>\n<script>" + texts["studio.js"] + "</script>\n</body>\n</html>\n")
	return b.Bytes(), nil
}
