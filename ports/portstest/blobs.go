package portstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Blobs checks ports.Blobs of the stores of bytes that open makes.
func Blobs(t *testing.T, open func(t *testing.T) ports.Blobs) {
	b := blobs{open(t)}
	b.testStored(t)
	b.testFailures(t)
	b.testConcurrency(t)
}

const largeBlob = 12 << 20

// blobs is a blob store under test.
type blobs struct{ ports.Blobs }

func (b blobs) put(t *testing.T, key, content string) {
	t.Helper()
	if err := b.Put(t.Context(), key, "text/plain", strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
}

func (b blobs) get(key string, offset, length int64) (string, error) {
	r, err := b.Open(context.Background(), key, offset, length)
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Close() }() // opened for reading only
	text, err := io.ReadAll(r)
	return string(text), err
}

// testStored tests storing, reading and deleting.
func (b blobs) testStored(t *testing.T) {
	t.Run("what is put can be read, in whole and in part", func(t *testing.T) {
		b.put(t, "t1/ab/cd", "hello world")
		for name, c := range map[string]struct {
			offset, length int64
			want           string
		}{
			"whole": {0, -1, "hello world"}, "from the middle": {6, -1, "world"}, "a part": {4, 3, "o w"},
			"more than there is": {6, 99, "world"}, "one byte": {0, 1, "h"},
		} {
			if got, err := b.get("t1/ab/cd", c.offset, c.length); err != nil || got != c.want {
				t.Errorf("%s: %q %v", name, got, err)
			}
		}
	})
	t.Run("large files come back byte by byte", func(t *testing.T) {
		content := strings.Repeat("0123456789abcdef", largeBlob/16)
		b.put(t, "t1/la/rge", content)
		if got, err := b.get("t1/la/rge", 0, -1); err != nil || got != content {
			t.Errorf("%d bytes %v", len(got), err)
		}
		if got, err := b.get("t1/la/rge", largeBlob-7, 7); err != nil || got != content[largeBlob-7:] {
			t.Errorf("%q %v", got, err)
		}
	})
	t.Run("a key that is not there is absent", func(t *testing.T) {
		if _, err := b.get("t1/no/thing", 0, -1); !errors.Is(err, ports.ErrNotFound) {
			t.Errorf("err = %v, want ErrAbsent", err)
		}
	})
	t.Run("deleting is final, and may be repeated", func(t *testing.T) {
		b.put(t, "t1/de/lete", "x")
		for range 2 {
			if err := b.Delete(t.Context(), "t1/de/lete"); err != nil {
				t.Fatal(err)
			}
			if _, err := b.get("t1/de/lete", 0, -1); !errors.Is(err, ports.ErrNotFound) {
				t.Errorf("err = %v, want ErrAbsent", err)
			}
		}
	})
}

// testFailures tests uploads that fail.
func (b blobs) testFailures(t *testing.T) {
	t.Run("content that fails leaves nothing", func(t *testing.T) {
		failed := fmt.Errorf("the client hung up: %w", io.EOF)
		for name, start := range map[string]string{
			"at once": "", "after some bytes": "hello", "after many": strings.Repeat("x", largeBlob),
		} {
			err := b.Put(t.Context(), "t1/ha/lf", "text/plain", io.MultiReader(strings.NewReader(start), iotest.ErrReader(failed)))
			if !errors.Is(err, failed) || errors.Is(err, fault.ErrUnavailable) {
				t.Errorf("%s: err = %v", name, err)
			}
			if _, err := b.get("t1/ha/lf", 0, -1); !errors.Is(err, ports.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("failing content does not open the circuit", func(t *testing.T) {
		for range 20 {
			_ = b.Put(t.Context(), "t1/ha/lf", "text/plain", iotest.ErrReader(errors.New("gone"))) // it has to fail
		}
		b.put(t, "t1/ag/ain", "fine")
	})
	t.Run("a caller that gives up leaves nothing", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		content := io.MultiReader(strings.NewReader("hello"), reader(func([]byte) (int, error) { cancel(); return 0, io.EOF }))
		if err := b.Put(ctx, "t1/gi/ven", "text/plain", content); err == nil {
			t.Error("stored")
		}
		if _, err := b.get("t1/gi/ven", 0, -1); !errors.Is(err, ports.ErrNotFound) {
			t.Errorf("err = %v, want ErrAbsent", err)
		}
	})
}

// testConcurrency tests concurrent readers and writers.
func (b blobs) testConcurrency(t *testing.T) {
	t.Run("a reader outlives the call that opened it", func(t *testing.T) {
		b.put(t, "t1/ou/tlive", strings.Repeat("x", 1<<20))
		ctx, cancel := context.WithCancel(t.Context())
		r, err := b.Open(ctx, "t1/ou/tlive", 0, -1)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if text, err := io.ReadAll(r); err != nil || len(text) != 1<<20 {
			t.Errorf("%d bytes, %v", len(text), err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("many at a time do not mix", func(t *testing.T) {
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				key, content := "t1/ma/"+strings.Repeat("n", i+1), bytes.Repeat([]byte{byte('a' + i)}, 300_000)
				if err := b.Put(t.Context(), key, "text/plain", bytes.NewReader(content)); err != nil {
					t.Error(err)
				}
				if got, err := b.get(key, 0, -1); err != nil || got != string(content) {
					t.Errorf("%s: %d bytes %v", key, len(got), err)
				}
			})
		}
		all.Wait()
	})
}

// reader makes a function an io.Reader.
type reader func([]byte) (int, error)

// Read implements io.Reader.
func (r reader) Read(p []byte) (int, error) { return r(p) }
