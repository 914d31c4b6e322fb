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

// NoteInputs stats files, and all files below folders, that a program started by a test reads. Go's test
// cache reuses a result while the files that the test itself opened are unchanged; it does not see those that
// other processes read.
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

// NoteSources is NoteInputs for our sources of the Go program in a folder. Call it while tests run: what
// TestMain opens before is not recorded.
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
			continue // not one of our packages
		}
		if _, err := os.Stat(lines.Text()); err != nil {
			t.Fatal(err)
		}
	}
}
