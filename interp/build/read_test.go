package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arbiter/lang/parse"
)

// TestReadFileIsBounded checks that a source that is too large is not read to its end, and that the message contains
// the limit.
func TestReadFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.rules")
	if err := os.WriteFile(path, []byte(strings.Repeat("#", 2*parse.MaxSource)), 0o666); err != nil {
		t.Fatal(err)
	}
	src, err := ReadFile(path)
	if err != nil || len(src) != parse.MaxSource+1 {
		t.Fatalf("%d bytes, %v", len(src), err)
	}
	_, diags, err := File(path, Options{})
	if err != nil || len(diags) == 0 || !strings.Contains(diags[0].Message, "the limit is 4194304 bytes") {
		t.Errorf("%v %v", diags, err)
	}
}
