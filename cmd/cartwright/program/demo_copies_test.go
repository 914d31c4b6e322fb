package program

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
)

// demoFolder is a data folder of the test with the demo shop in SQLite, as the command demo leaves it. It is a copy, which saves each
// server of a test from making the shop.
func demoFolder(t *testing.T) string {
	t.Helper()
	files, err := demoFiles()
	if err != nil {
		t.Fatal(err)
	}
	return folderWith(t, files)
}

// demoDatabase is a database of Postgres with the demo shop, and the data folder of its servers. Both are copies.
func demoDatabase(t *testing.T) (url, folder string) {
	t.Helper()
	url = demoDB.Postgres(t)
	return url, folderWith(t, demoDBFiles)
}

// demoVariables make servers with a copy of the demo shop, by database.
var demoVariables = map[string]func(*testing.T) []string{
	"sqlite": func(t *testing.T) []string { return []string{"CARTWRIGHT_DATA=" + demoFolder(t)} },
	"postgres": func(t *testing.T) []string {
		url, folder := demoDatabase(t)
		return []string{"CARTWRIGHT_DATABASE_URL=" + url, "CARTWRIGHT_DATA=" + folder}
	},
}

var (
	demoFiles = sync.OnceValues(func() (map[string][]byte, error) { return makeDemo(nil) })

	demoDBFiles map[string][]byte // of demoDB, once it is filled
	demoDB      = testservers.Template{Fill: func(url string) (err error) {
		demoDBFiles, err = makeDemo(map[string]string{"CARTWRIGHT_DATABASE_URL": url})
		return err
	}}
)

// makeDemo makes the demo shop, and returns the files of its data folder by name.
func makeDemo(variables map[string]string) (files map[string][]byte, err error) {
	dir, err := os.MkdirTemp("", "cartwright-demo-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	m := commandEnv{map[string]string{"CARTWRIGHT_DATA": dir}}
	maps.Copy(m.env, variables)
	if err := run(context.Background(), process{
		args: []string{"demo"}, getenv: m.getenv, out: io.Discard, log: io.Discard, passwordCost: token.MinimumCost,
	}); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files = map[string][]byte{}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// folderWith is a folder of the test with these files.
func folderWith(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
