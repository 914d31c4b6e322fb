package program

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// The databases have passwords' hashes and customers' addresses in them. Nobody else on the machine reads them, neither
// under a careless umask nor after an older version left them readable. Rule running-17.
func TestDatabaseFilesArePrivate(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	address, err := testservers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	dir := testservers.TempDir(t)
	p := &testservers.Process{
		Path: "/bin/sh", Args: []string{"-c", `umask 0; exec "$0" serve`, self}, URL: "http://" + address,
		Env: []string{asServer + "=yes", "CARTWRIGHT_ADDR=" + address, "CARTWRIGHT_DATA=" + dir},
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for _, start := range []string{"the first start", "a start on readable files"} {
		if err := p.Start(ctx); err != nil {
			t.Fatalf("%v\n%s", err, p.Output())
		}
		found, err := filepath.Glob(filepath.Join(dir, "*.db*"))
		if err != nil || len(found) < 4 {
			t.Errorf("%s: %v, %v; want two databases, each with its log", start, found, err)
		}
		for _, name := range found {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if mode := info.Mode().Perm(); mode != 0o600 {
				t.Errorf("%s: %s has mode %o", start, filepath.Base(name), mode)
			}
		}
		p.Stop()
		for _, name := range []string{storeFile, sandboxFile} {
			if err := os.Chmod(filepath.Join(dir, name), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
