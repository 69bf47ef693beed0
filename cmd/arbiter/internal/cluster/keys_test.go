package cluster

import (
	"crypto/ed25519"
	"crypto/rand"
	"testing"
)

// newKey makes a key and the name that goes with it.
func newKey(t testing.TB) (ed25519.PrivateKey, string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return private, "somebody-" + keyName(public)
}
