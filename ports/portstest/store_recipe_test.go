package portstest_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func fileText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// between is what stands in text after start and before end.
func between(t *testing.T, text, start, end string) string {
	t.Helper()
	_, after, found := strings.Cut(text, start)
	part, _, ended := strings.Cut(after, end)
	if !found || !ended {
		t.Fatalf("nothing stands between %q and %q", start, end)
	}
	return part
}

var (
	portInDoc = regexp.MustCompile(`\b[A-Z]\w+`)
	inCode    = regexp.MustCompile("`([^`]+)`")
)

// storePorts are the ports of the store, as the package comment of ports lists them.
func storePorts(t *testing.T) []string {
	t.Helper()
	ports := portInDoc.FindAllString(between(t, fileText(t, "ports/doc.go"), "//\tthe store ", "//\tthe cache "), -1)
	slices.Sort(ports)
	return ports
}

// fixture is what a function gives a suite, as its package writes it.
var fixture = regexp.MustCompile(` ([A-Z]\w*)$`)

// given are the parameters of a suite after the *testing.T, without their names.
func (f folder) given(suite string) (list []string) {
	for _, file := range f.files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Recv != nil || d.Name.Name != suite {
				continue
			}
			for _, p := range d.Type.Params.List[1:] {
				one := fixture.ReplaceAllString(strings.Replace(types.ExprString(p.Type), "(t *testing.T", "(*testing.T", 1),
					" portstest.$1")
				list = append(list, slices.Repeat([]string{"`" + one + "`"}, len(p.Names))...)
			}
		}
	}
	return list
}

// The recipe for another store lists the suites that it has to pass, the ports that each checks and what each is given.
func TestStoreRecipeListsEverySuite(t *testing.T) {
	f := parseFolder(t, ".")
	suites, checks := f.suites(), map[string][]string{}
	for _, port := range storePorts(t) {
		if suites[port] == "" {
			t.Errorf("the package comment of ports has a store with %s, which has no suite", port)
			continue
		}
		checks[suites[port]] = append(checks[suites[port]], "`"+port+"`")
	}
	var want strings.Builder
	for _, suite := range slices.Sorted(maps.Keys(checks)) {
		given := f.given(strings.TrimPrefix(suite, "portstest."))
		fmt.Fprintf(&want, "| `%s` | %s | %s |\n", suite, strings.Join(checks[suite], ", "), strings.Join(given, ", "))
	}
	const head = "| suite | checks | is given |\n|---|---|---|\n"
	if got := between(t, fileText(t, ".github/CONTRIBUTING.md"), head, "\n\n"); got+"\n" != want.String() {
		t.Errorf("the table of suites in CONTRIBUTING.md has to be\n%s%s", head, want.String())
	}
}

// The README's row of the store has the ports that the package comment of ports has.
func TestReadmeAndPortsAgreeOnTheStore(t *testing.T) {
	var listed []string
	for _, m := range inCode.FindAllStringSubmatch(between(t, fileText(t, "README.md"), "\n| the store |", " | "), -1) {
		listed = append(listed, m[1])
	}
	slices.Sort(listed)
	if want := storePorts(t); !slices.Equal(listed, want) {
		t.Errorf("the README has a store of %v, the package comment of ports one of %v", listed, want)
	}
}

// storeCall is a use of the store in the program; its methods that give a port are named after it.
var storeCall = regexp.MustCompile(`\bstore\.([A-Z]\w*)|\bsqlstore\.([A-Z]\w*)`)

// The recipe names what the program needs of a store besides its ports, and the files that name the store's package.
func TestStoreRecipeListsWhatTheProgramCalls(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "cmd", "cartwright", "program", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	calls, named := map[string]bool{}, map[string]bool{}
	for _, path := range files {
		name := "cmd/cartwright/program/" + filepath.Base(path)
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "/doc.go") {
			continue
		}
		for _, m := range storeCall.FindAllStringSubmatch(fileText(t, name), -1) {
			if m[1] != "" {
				calls[m[1]] = true
			} else {
				calls[m[2]], named[name] = true, true
			}
		}
	}
	maps.DeleteFunc(calls, func(name string, _ bool) bool {
		// ports, and the methods of ports.Store
		return slices.Contains(storePorts(t), name) || slices.Contains([]string{"Atomically", "Read"}, name)
	})
	recipe := strings.Join(strings.Fields(fileText(t, ".github/CONTRIBUTING.md")), " ")
	for _, list := range []struct {
		start string
		want  map[string]bool
	}{{"the server also calls", calls}, {"are named in", named}} {
		var got []string
		for _, m := range inCode.FindAllStringSubmatch(between(t, recipe, list.start, ". "), -1) {
			got = append(got, m[1])
		}
		slices.Sort(got)
		if want := slices.Sorted(maps.Keys(list.want)); !slices.Equal(got, want) {
			t.Errorf("CONTRIBUTING.md says that %s %q; it has to be %q", list.start, got, want)
		}
	}
}
