package payment_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// A copy of the template is a module of other people: it sees exported packages only, passes the suite of payment
// providers, and is sold with on a complete server. Nothing is downloaded. Rule payments-49.
func TestCopyOfTheTemplateIsAProviderOfItsOwn(t *testing.T) {
	t.Parallel()
	testservers.NoteInputs(t, "examplepay", "paymenttest", "../../go.mod", "../../go.sum")
	testservers.NoteSources(t, "../../cmd/cartwright")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("examplepay")); err != nil {
		t.Fatal(err)
	}
	// A workspace stands for go get: compiling all of Cartwright again, as a module that was downloaded, takes a minute.
	work := strings.Replace(fileText(t, "examplepay/go.work"), "../../..", root, 1)
	if err := os.WriteFile(filepath.Join(folder, "go.work"), []byte(work), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "-vet=off", "-count=1", "./..."}} {
		run := exec.CommandContext(t.Context(), "go", args...)
		run.Dir = folder
		run.Env = append(os.Environ(), "GOFLAGS=-mod=readonly -trimpath", "GOWORK="+filepath.Join(folder, "go.work"), "GOTOOLCHAIN=local")
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
