package cluster

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"arbiter/interp/piece"
)

// This file is the messages: what a worker is asked, and what it answers under its name.

// order asks for a piece.
type order struct {
	Version int         `json:"version"`
	Program string      `json:"program"`
	Sweep   string      `json:"sweep"`
	Index   int         `json:"index"` // of the job
	Job     string      `json:"job"`
	Files   string      `json:"files"`
	Piece   piece.Piece `json:"piece"`

	Lease time.Duration `json:"lease"` // how long the worker may be silent
}

// id names the piece.
func (o *order) id() string { return piece.PieceID(o.Job, o.Piece) }

// key is where its result is written.
func (o *order) key() string { return fmt.Sprintf("%s.%d.%s", o.Sweep, o.Index, o.id()) }

// subject is where it waits. A worker asks for those of its own program.
func (o *order) subject() string {
	return strings.Join([]string{workSubject, shortProgram(o.Program), o.Sweep, strconv.Itoa(o.Index), o.id()}, ".")
}

// shortProgram names a program in subjects.
func shortProgram(program string) string { return program[:min(len(program), 16)] }

// signature is the first line of a result: who counted. The name of a worker ends with its key, so that no one can take
// the name of another.
type signature struct {
	Worker string      `json:"worker"`
	Key    string      `json:"key"`
	Piece  piece.Piece `json:"piece"`
	Object string      `json:"object,omitempty"` // where the result is, if it is too large for a message
	Sum    string      `json:"sum"`              // the hash of the packed result
	Sig    string      `json:"sig"`              // of key, name, sum
}

func (s *signature) signed(key string) []byte {
	return fmt.Appendf(nil, "%s\n%s\n%s\n%s", key, s.Worker, s.Object, s.Sum)
}

// keyName is the part of a worker's name that comes from its key.
func keyName(key ed25519.PublicKey) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:6])
}

// seal makes the value under a key.
func seal(key, worker string, private ed25519.PrivateKey, p piece.Piece, object string, packed []byte) []byte {
	s := signature{Worker: worker, Key: hex.EncodeToString(private.Public().(ed25519.PublicKey)), Piece: p, Object: object, Sum: piece.HashOf(packed)}
	s.Sig = hex.EncodeToString(ed25519.Sign(private, s.signed(key)))
	head, _ := json.Marshal(s) // nothing in it can fail
	if object != "" {
		return head
	}
	return append(append(head, '\n'), packed...)
}

// open reads a value and who signed it. The packed result is nil if it is kept elsewhere.
func open(key string, value []byte) (*signature, []byte, error) {
	head, packed, whole := bytes.Cut(value, []byte("\n"))
	s := new(signature)
	if err := json.Unmarshal(head, s); err != nil {
		return nil, nil, errors.New("it is not a result")
	}
	public, err := hex.DecodeString(s.Key)
	if err != nil || len(public) != ed25519.PublicKeySize || !strings.HasSuffix(s.Worker, "-"+keyName(public)) || len(s.Worker) > maxName {
		return nil, nil, errors.New("it is not signed by its worker")
	}
	sig, err := hex.DecodeString(s.Sig)
	if err != nil || !ed25519.Verify(public, s.signed(key), sig) {
		return nil, nil, errors.New("it is not signed by its worker")
	}
	switch {
	case s.Object != "":
		return s, nil, nil
	case !whole || piece.HashOf(packed) != s.Sum:
		return nil, nil, errors.New("it has been changed")
	}
	return s, packed, nil
}

// maxName is what the name of a worker may have, in bytes.
const maxName = 200
