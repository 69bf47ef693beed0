package studio

import (
	"context"
	"encoding/json"

	"arbiter/cmd/arbiter/internal/langserver"
)

// This file speaks JSON-RPC over links.

// maxMessage bounds one message of the page: the texts of all files that are unsaved.
const maxMessage = 64 << 20

// messages is a link as a stream of JSON-RPC messages.
type messages struct {
	ctx  context.Context
	link Link
}

// WriteObject implements jsonrpc2.ObjectStream.
func (m messages) WriteObject(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return m.link.Write(m.ctx, data)
}

// ReadObject implements jsonrpc2.ObjectStream.
func (m messages) ReadObject(v any) error {
	for {
		data, err := m.link.Read(m.ctx)
		if err != nil {
			return err
		}
		wrong := langserver.Decode(data, v)
		if wrong == nil {
			return nil
		}
		if err := m.WriteObject(langserver.Complaint(wrong)); err != nil {
			return err
		}
	}
}

// Close implements jsonrpc2.ObjectStream.
func (m messages) Close() error { return m.link.Close() }

// answerEditor connects the page's editor to a language server of its own.
func (s *Studio) answerEditor(ctx context.Context, l Link) {
	// A page that is closed says nothing first.
	_ = langserver.ServeMessages(ctx, messages{ctx, l}, langserver.Options{
		Library: s.o.Library, LibraryPrefix: s.o.LibraryPrefix, KnownCitation: s.o.KnownCitation, Version: s.o.Version, Log: s.o.Log, Pause: s.o.Pause, Yield: s.o.Yield, Cache: s.o.Cache,
	})
}
