package lint

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"unicode/utf8"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file writes findings as SARIF 2.1.0, which code hosts show beside a change.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      string        `json:"id"`
	Short   sarifText     `json:"shortDescription"`
	Full    sarifText     `json:"fullDescription"`
	Help    sarifText     `json:"help"`
	Default sarifSeverity `json:"defaultConfiguration"`
}

type sarifSeverity struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
	Related   []sarifLocation `json:"relatedLocations,omitempty"`
}

type sarifLocation struct {
	ID       int           `json:"id,omitempty"`
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifText    `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Range    sarifRange    `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

// sarifRange has lines and columns from 1, and the bytes of the range.
type sarifRange struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
	ByteOffset  int `json:"byteOffset"`
	ByteLength  int `json:"byteLength"`
}

// SARIF returns findings as a log of one run. source returns the text of a file, by which columns are counted.
func SARIF(found []Finding, version string, source func(file string) []byte) []byte {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "arbiter lint", Version: version}
	index := map[string]int{}
	for i, r := range Rules() {
		index[r.Code] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r.Code, sarifText{r.Summary}, sarifText{r.Why}, sarifText{r.How}, sarifSeverity{r.Severity != "", sarifLevel(r.Severity)}})
	}
	for _, f := range found {
		text := f.Message
		if f.Hint != "" {
			text += ": " + f.Hint
		}
		r := sarifResult{RuleID: f.Code, RuleIndex: index[f.Code], Level: sarifLevel(f.Severity), Message: sarifText{text}, Locations: []sarifLocation{{Physical: physical(f.File, f.Span, source)}}}
		for i, x := range f.Related {
			r.Related = append(r.Related, sarifLocation{i + 1, physical(x.File, x.Span, source), &sarifText{x.Message}})
		}
		run.Results = append(run.Results, r)
	}
	out, _ := json.MarshalIndent(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, "", "  ")
	return append(out, '\n')
}

func sarifLevel(s diag.Severity) string {
	if s == "" {
		return "none"
	}
	return string(s)
}

func physical(path string, s ast.Span, source func(file string) []byte) sarifPhysical {
	uri := &url.URL{Path: filepath.ToSlash(path)}
	text := source(path)
	return sarifPhysical{sarifArtifact{uri.String()}, sarifRange{max(1, s.Start.Line), codePoints(text, s.Start), max(1, s.End.Line), codePoints(text, s.End), s.Start.Offset, max(0, s.End.Offset-s.Start.Offset)}}
}

// codePoints is the column of a position in characters, from 1.
func codePoints(text []byte, at ast.Pos) int {
	begin := at.Offset - (at.Column - 1)
	if begin < 0 || at.Offset > len(text) || begin > at.Offset {
		return max(1, at.Column)
	}
	return utf8.RuneCount(text[begin:at.Offset]) + 1
}

// Parses reports whether a text has no syntax errors.
func Parses(path string, text []byte) bool {
	_, diags := parse.File(path, text)
	return !diags.HasErrors()
}
