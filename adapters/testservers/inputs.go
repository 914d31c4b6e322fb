package testservers

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// NoteInputs looks at files, and at all files below folders, that programs read which a test starts. Go's test cache repeats
// a result as long as the files are the same that the test itself looked at; it knows nothing of those that others read.
func NoteInputs(t testing.TB, paths ...string) {
	t.Helper()
	for _, path := range paths {
		err := filepath.WalkDir(path, func(file string, _ fs.DirEntry, err error) error {
			if err == nil {
				_, err = os.Stat(file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// NoteSources is NoteInputs for the sources of ours that a Go program in a folder is built of. It has to be called while
// tests run: what TestMain looks at before is not noted.
func NoteSources(t testing.TB, program string) {
	t.Helper()
	const format = `{{if .Module}}{{if .Module.Main}}{{.Module.GoMod}}{{"\n"}}{{$dir := .Dir}}{{$dir}}{{range .GoFiles}}{{"\n"}}{{$dir}}/{{.}}{{end}}{{range .EmbedFiles}}{{"\n"}}{{$dir}}/{{.}}{{end}}{{end}}{{end}}`
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", format, ".")
	list.Dir = program
	out, err := list.Output()
	if err != nil {
		exit, _ := errors.AsType[*exec.ExitError](err)
		if exit != nil {
			out = exit.Stderr
		}
		t.Fatalf("go list: %v\n%s", err, out)
	}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		if lines.Text() == "" {
			continue // a package that is not ours
		}
		if _, err := os.Stat(lines.Text()); err != nil {
			t.Fatal(err)
		}
	}
}
