// Package studio answers the page on which rules are edited beside the fight that they change: the files of one folder,
// the language server, fights, live play and simulations. The page is served to the browser of this machine over sockets
// of one origin (serve.go), or runs the program itself (the package playground).
//
// The page computes no rule and this package neither: it passes texts to the packages that check, play and count them,
// and their documents back. What is unsaved in the page comes with each question, so that nothing here depends on which
// page asked last. It must never know what a ruleset says, and never write a file that it was not asked to write.
package studio

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"
)

// Options are what the studio is given by the command.
type Options struct {
	Folder        string // whose files are shown; absolute
	File          string // that is opened first, relative to the folder; may be empty
	Library       fs.FS  // the embedded rulesets
	LibraryPrefix string // the prefix under which their files are named
	KnownCitation func(id string) bool
	Version       string
	Language      int           // the version of the language
	Cache         string        // the folder of embedded files that the language server names; see langserver.Options
	Pause         time.Duration // how long a text must have been left alone before it is checked
	Log           io.Writer

	// Yield lets the page be heard while something long is computed, where that does not happen by itself; else nil.
	Yield func()
}

// Studio is an open folder, and the pages that show it.
type Studio struct {
	o              Options
	folder         *folder
	playersAddress string // of the page of players; empty without a server
	tables         tables
	stage          stage

	mu    sync.Mutex
	desks map[*desk]bool
}

// Open opens the folder.
func Open(o Options) (*Studio, error) {
	f, err := openFolder(o.Folder)
	if err != nil {
		return nil, err
	}
	return &Studio{o: o, folder: f, desks: map[*desk]bool{}}, nil
}

// Close closes the folder.
func (s *Studio) Close() { s.folder.close() }

// Link carries messages between a page and the studio, each whole. Its methods may be called at the same time.
type Link interface {
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, message []byte) error
	Close() error
}

// Connect answers what comes over a link to one of the studio's doors, until the page leaves or the context ends:
// "desk" for questions, "lsp" for the editor, "play" for a fight that is led, "stage" for what players see of it.
func (s *Studio) Connect(ctx context.Context, door string, l Link) error {
	switch door {
	case "desk":
		s.answerDesk(ctx, l)
	case "lsp":
		s.answerEditor(ctx, l)
	case "play":
		s.answerPlay(ctx, l)
	case "stage":
		s.answerStage(ctx, l)
	default:
		return fmt.Errorf("the studio has no door called %q", door)
	}
	return nil
}

// stops makes the question "is this still wanted?" of a context, for computations that take long.
func (s *Studio) stops(ctx context.Context) func() bool {
	return func() bool {
		if s.o.Yield != nil {
			s.o.Yield()
		}
		return ctx.Err() != nil
	}
}
