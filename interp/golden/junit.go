package golden

import (
	"encoding/xml"
	"fmt"

	"arbiter/lang/diag"
)

// This file writes a report as JUnit XML.

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Error   *junitFailure `xml:"error,omitempty"` // the tests of a file that could not be run
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit returns the report in the XML format that build servers read.
func (r *Report) JUnit() []byte {
	s := junitSuite{Name: "arbiter", Tests: len(r.Tests), Failures: r.Failed()}
	for _, b := range r.BrokenFiles() {
		c := junitCase{Class: b[0].File, Name: "the file can be run", Time: "0.000", Error: junitText(b, "")}
		s.Tests, s.Errors, s.Cases = s.Tests+1, s.Errors+1, append(s.Cases, c)
	}
	for _, t := range r.Tests {
		c := junitCase{Class: t.File, Name: t.Title, Time: fmt.Sprintf("%.3f", t.Seconds)}
		if !t.Passed {
			c.Failure = junitText(t.Failures, t.Output)
		}
		s.Cases = append(s.Cases, c)
	}
	out, _ := xml.MarshalIndent(s, "", "  ")
	return append([]byte(xml.Header), append(out, '\n')...)
}

// junitText returns the first message, then all of them with their positions, and the output.
func junitText(list diag.List, output string) *junitFailure {
	f := &junitFailure{}
	for i, d := range list {
		if i == 0 {
			f.Message = d.Message
		}
		f.Text += fmt.Sprintf("%s:%d:%d: %s\n", d.File, d.Span.Start.Line, d.Span.Start.Column, d.Message)
	}
	f.Text += output
	return f
}
