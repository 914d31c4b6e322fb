package cartwright

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func testStore(t *testing.T, s PendingStore) {
	t.Helper()
	ctx := t.Context()
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	body := []byte("{\"a\":\"<\xff\u2028>\"}")
	second := PendingOperation{
		ID: "b/../\\:*?\"<>|'", Operation: "carts.clear", Method: "POST", Path: "/x?y=1", CreatedAt: at.Add(time.Second),
	}
	first := PendingOperation{
		ID: "a", Operation: "carts.addItem", Body: body, Match: "m", Scope: "s", CreatedAt: at, Attempts: 2, Unknown: true,
	}
	for _, p := range []PendingOperation{second, {ID: "a"}, first} {
		if err := s.Put(ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.List(ctx)
	slices.SortFunc(all, older)
	if err != nil || len(all) != 2 || all[1].ID != second.ID || all[1].Body != nil || !bytes.Equal(all[0].Body, body) ||
		!all[0].CreatedAt.Equal(at) || !all[0].Unknown {
		t.Fatalf("%v %v", all, err)
	}
	for _, id := range []string{"a", "a", "never there"} {
		if err := s.Remove(ctx, id); err != nil {
			t.Error(err)
		}
	}
	if all, err := s.List(ctx); err != nil || len(all) != 1 || all[0].ID != second.ID {
		t.Errorf("%v %v", all, err)
	}
}

func TestMemoryKeepsOperations(t *testing.T) {
	t.Parallel()
	testStore(t, NewMemoryStore())
}

func TestFilesKeepOperations(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	s, err := NewFileStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	testStore(t, s)
	if _, err := NewFileStore(dir); !errors.Is(err, ErrFolderInUse) {
		t.Errorf("two own the folder: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "123.part"), []byte(`{"id": "ha`), 0o600); err != nil { // a process ended while it wrote
		t.Fatal(err)
	}
	again, err := NewFileStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := again.List(t.Context())
	if err != nil || len(all) != 1 || all[0].Operation != "carts.clear" || all[0].Path != "/x?y=1" {
		t.Errorf("%v %v", all, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v %v", entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("others can read %s: %v %v", e.Name(), info.Mode(), err)
		}
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info.Mode(), err)
	}
}

func TestADamagedFileIsForPeople(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{fileOf("a"): `{"id": "a"`, fileOf("b"): `{"id": "other"}`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := NewFileStore(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAFolderThatIsGoneFailsThePut(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "gone")
	s, err := NewFileStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), PendingOperation{ID: "a"}); err == nil {
		t.Error("it was taken")
	}
	if all, err := s.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%v %v", all, err)
	}
}
