package console_test

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/console"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// How many bytes browsers that accept brotli get: for the first screen, by another file, and by all files with the words of one language.
const (
	maxFirst = 47_000
	maxFile  = 93_000
)

// maxAll is the bytes of all files. A letter of Korean takes three bytes, where one of English takes one.
var maxAll = map[string]int{"en": 150_000, "ko": 151_500}

// installed brings the packages that the console is checked with.
var installed = sync.OnceValues(func() ([]byte, error) {
	c := exec.Command("make", "--silent", "--no-print-directory", "clients")
	c.Dir = "../.."
	return c.CombinedOutput()
})

// node runs a script of Node in this folder, and reports what it prints if it fails.
func node(t *testing.T, args ...string) {
	t.Helper()
	for _, name := range []string{"files", "scripts", "test", "ui", "package.json", "tsconfig.json", "../sdk/typescript/src", "node_modules/.lock"} {
		testservers.NoteInputs(t, name)
	}
	if out, err := installed(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.CommandContext(t.Context(), "node", args...).CombinedOutput(); err != nil {
		t.Errorf("node %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func TestTypes(t *testing.T) {
	t.Parallel()
	node(t, "node_modules/typescript/bin/tsc", "-p", "tsconfig.json")
}

// Every word that is said is there in both languages, and no other.
func TestWords(t *testing.T) {
	t.Parallel()
	node(t, "scripts/words.mjs")
}

func TestVendoredFilesAreThoseOfThePackages(t *testing.T) {
	t.Parallel()
	node(t, "scripts/vendor.mjs", "--check")
}

func TestBuiltFilesAreThoseOfTheSources(t *testing.T) {
	t.Parallel()
	testservers.NoteInputs(t, "dist")
	node(t, "scripts/build.mjs", "--check")
}

func TestModules(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("test/*.test.mjs")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no tests", err)
	}
	node(t, append([]string{"--test"}, files...)...)
}

// The first screen is there after what the page itself names and the words of one language. What others add is one file, and one of
// their words. No page loads the licenses of other people's code.
func TestSize(t *testing.T) {
	t.Parallel()
	page, err := fs.ReadFile(console.Files, "dist/index.html")
	if err != nil {
		t.Fatal(err)
	}
	inPage := func(name string) bool { return bytes.Contains(page, []byte("{{files}}/"+name+`"`)) }
	for _, language := range []string{"en", "ko"} {
		first, all := 0, 0
		eachFile(t, console.Files, func(file string, body []byte) {
			name, compressed := strings.CutSuffix(filepath.Base(file), ".br")
			n := len(body)
			if !compressed {
				n = gzipped(t, body)
			}
			words := regexp.MustCompile(`\.(en|ko)-`).FindStringSubmatch(name)
			if name == "LICENSES.txt" || words != nil && words[1] != language {
				return
			}
			all += n
			if inPage(name) || name == "index.html" || strings.HasPrefix(name, "first."+language+"-") {
				first += n
			} else if n > maxFile {
				t.Errorf("%s has %d bytes, at most %d are allowed", name, n, maxFile)
			}
		})
		t.Logf("%s: %d bytes for the first screen, %d in all", language, first, all)
		if first > maxFirst {
			t.Errorf("the first screen has %d bytes in %s, at most %d are allowed", first, language, maxFirst)
		}
		if all > maxAll[language] {
			t.Errorf("all files have %d bytes in %s, at most %d are allowed", all, language, maxAll[language])
		}
	}
}

func gzipped(t *testing.T, body []byte) int {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(body)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// forbidden are ways in which text could become markup or a script, and styles that the policy of the page refuses.
var forbidden = regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function|javascript:|style="|\son[a-z]+="`)

// Texts of customers are shown as texts: there is no way by which one becomes markup. And nothing is asked of another server.
func TestTextsStayTexts(t *testing.T) {
	t.Parallel()
	address := regexp.MustCompile(`https?://[\w.]+`)
	eachFile(t, os.DirFS("files"), func(name string, body []byte) {
		if strings.HasPrefix(name, "vendor/") {
			return
		}
		if found := forbidden.Find(body); found != nil {
			t.Errorf("%s has %s", name, found)
		}
		if found := address.Find(body); found != nil && string(found) != "http://www.w3.org" && path.Ext(name) != ".svg" && !strings.HasPrefix(name, "words/") {
			t.Errorf("%s names %s", name, found)
		}
	})
}

func eachFile(t *testing.T, from fs.FS, fn func(name string, body []byte)) {
	t.Helper()
	err := fs.WalkDir(from, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		body, err := fs.ReadFile(from, name)
		fn(name, body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
