package langserver

import "strconv"

// This file sends semantic tokens as what has changed in them since the editor asked last.

// semanticTokensDelta is edits of tokens that the editor has.
type semanticTokensDelta struct {
	ResultID string      `json:"resultId"`
	Edits    []tokenEdit `json:"edits"`
}

// tokenEdit replaces some of the numbers of tokens.
type tokenEdit struct {
	Start       int      `json:"start"`
	DeleteCount int      `json:"deleteCount"`
	Data        []uint32 `json:"data"`
}

// numbersPerToken is how many numbers stand for a token in the protocol.
const numbersPerToken = 5

// tokensFull answers with all tokens of a document, and remembers them.
func (s *server) tokensFull(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, _ := s.documentAt(p)
	if d == nil {
		return semanticTokens{Data: []uint32{}}
	}
	return s.rememberTokens(d, s.tokens(d))
}

func (s *server) rememberTokens(d *document, data []uint32) semanticTokens {
	s.results++
	d.tokens = semanticTokens{strconv.Itoa(s.results), data}
	return d.tokens
}

// tokensDelta answers with the difference from the tokens that the editor has; with all if it has others than those that
// it was sent last.
func (s *server) tokensDelta(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, _ := s.documentAt(p)
	if d == nil {
		return semanticTokens{Data: []uint32{}}
	}
	was, data := d.tokens, s.tokens(d)
	now := s.rememberTokens(d, data)
	if was.ResultID == "" || was.ResultID != p.PreviousResultID {
		return now
	}
	out := semanticTokensDelta{now.ResultID, []tokenEdit{}}
	if e, differs := difference(was.Data, data); differs {
		out.Edits = append(out.Edits, e)
	}
	return out
}

// difference is the edit between two lists: what is left between a common beginning and a common end, in whole tokens.
func difference(was, now []uint32) (e tokenEdit, differs bool) {
	begin := 0
	for begin < min(len(was), len(now)) && was[begin] == now[begin] {
		begin++
	}
	if begin == len(was) && begin == len(now) {
		return e, false
	}
	begin -= begin % numbersPerToken
	end := 0
	for end < min(len(was), len(now))-begin && was[len(was)-1-end] == now[len(now)-1-end] {
		end++
	}
	end -= end % numbersPerToken
	return tokenEdit{begin, len(was) - end - begin, append([]uint32{}, now[begin:len(now)-end]...)}, true
}

// rangeTokens answers with the tokens of the lines of a range.
func (s *server) rangeTokens(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := semanticTokens{Data: []uint32{}}
	d, _ := s.documentAt(p)
	if d == nil || p.Range == nil {
		return out
	}
	var list []lineToken
	for _, x := range s.lineTokens(d) {
		if p.Range.Start.Line <= x.line && x.line <= p.Range.End.Line {
			list = append(list, x)
		}
	}
	out.Data = d.encoded(list)
	return out
}
