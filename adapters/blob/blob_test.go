package blob_test

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/blob"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func open(t *testing.T, o blob.Options) *blob.Store {
	t.Helper()
	o.Log = slog.New(slog.DiscardHandler)
	s, err := blob.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made", "media")
	portstest.Blobs(t, func(t *testing.T) ports.Blobs { return open(t, blob.Options{URL: "file://" + folder}) })
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".tmp" || filepath.Ext(path) == ".attrs" {
			t.Errorf("%s was left behind", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMemory(t *testing.T) {
	portstest.Blobs(t, func(t *testing.T) ports.Blobs { return open(t, blob.Options{URL: "mem://"}) })
}

// A process killed during Put leaves a temporary file, which is deleted with the key.
func TestDeleteRemovesInterruptedPut(t *testing.T) {
	folder := t.TempDir()
	s := open(t, blob.Options{URL: "file://" + folder})
	part := filepath.Join(folder, "t1", "ab", "cdef.17a2b3c4d5e6f708.tmp")
	neighbour := filepath.Join(folder, "t1", "ab", "cde")
	if err := os.MkdirAll(filepath.Dir(part), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{part, neighbour} {
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Delete(t.Context(), "t1/ab/cdef"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(part); !os.IsNotExist(err) {
		t.Errorf("the temporary file is still there: %v", err)
	}
	if _, err := os.Stat(neighbour); err != nil {
		t.Error(err)
	}
}

func TestInvalidURLs(t *testing.T) {
	for _, url := range []string{"", "ftp://x", "s3://bucket?surprise=1", "file:///dev/null/media", "://secret"} {
		s, err := blob.Open(t.Context(), blob.Options{URL: url, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			t.Errorf("%q was opened", url)
			_ = s.Close()
		}
	}
}
