package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestImportedFiles fills a folder up to the limit of an import, and beyond it.
func TestImportedFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range maxImported {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := (&app{}).importSources([]string{dir}); err != nil || len(list) != maxImported {
		t.Errorf("%d files: %v", len(list), err)
	}
	if err := os.WriteFile(filepath.Join(dir, "more"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (&app{}).importSources([]string{dir}); err == nil || !strings.Contains(err.Error(), "there are more than 20000 files in") {
		t.Errorf("a file more: %v", err)
	}
}
