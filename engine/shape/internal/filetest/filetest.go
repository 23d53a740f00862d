// This file writes files for tests.

package filetest

import (
	"bufio"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// Written writes a file and returns its path.
func Written(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Generated writes a file of n entries, the same ones every time, and returns its path.
func Generated(t testing.TB, write func(io.Writer, *rand.Rand, int), n int) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(file, 1<<20)
	write(w, rand.New(rand.NewPCG(1, 2)), n)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Name()
}
