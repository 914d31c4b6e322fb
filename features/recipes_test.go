package features_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const contributing = "../.github/CONTRIBUTING.md"

var (
	inCode   = regexp.MustCompile("`([^`]+)`")
	inQuotes = regexp.MustCompile(`"([^"]+)"`)
	// example is what a recipe says to stand in exactly some files.
	example = regexp.MustCompile(`(?s)\n\*Example:\* (.+?) (?:is|are) in (.+?)\.\n`)
)

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// words are the texts that a pattern with one group finds, with the breaks of lines as spaces.
func words(pattern *regexp.Regexp, text string) (all []string) {
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		all = append(all, strings.Join(strings.Fields(m[1]), " "))
	}
	return all
}

// recipes are the recipes of CONTRIBUTING.md by title.
func recipes(t *testing.T) map[string]string {
	t.Helper()
	_, all, _ := strings.Cut(readText(t, contributing), "\n## Recipes\n")
	parts := strings.Split(all, "\n### ")
	byTitle := map[string]string{}
	for _, part := range parts[1:] {
		title, text, _ := strings.Cut(part, "\n")
		byTitle[title] = text
	}
	return byTitle
}

// The six things that somebody who comes to the code does first.
func TestContributingHasTheRecipes(t *testing.T) {
	want := []string{
		"Add a field to a cart line", "Add a field to a collection", "Add a payment provider", "Add a reason, or a sentence about an input",
		"Add an operation", "Write another store",
	}
	if got := slices.Sorted(maps.Keys(recipes(t))); !slices.Equal(got, want) {
		t.Errorf("recipes %q, want %q", got, want)
	}
}

// names are what CONTRIBUTING.md can name: targets, scripts, tests, files and what the code declares.
type names struct {
	targets, scripts string
	tests, files     map[string]bool
	declared         map[string]bool // Name, package.Name and Type.Member
	routes           []string
}

func allNames(t *testing.T) names {
	t.Helper()
	n := names{
		targets: readText(t, "../Makefile"), scripts: readText(t, "../adapters/sdk/typescript/package.json"), tests: testNames(t),
		files: map[string]bool{}, declared: map[string]bool{}, routes: describedRoutes(t),
	}
	for _, f := range productFiles(t) {
		n.files[f.path] = true
	}
	for _, f := range tree(t) {
		n.files[f.path] = true
		if strings.HasSuffix(f.path, ".go") && !strings.HasSuffix(f.path, "_test.go") {
			declare(t, f, n.declared)
		}
	}
	for file := range maps.Clone(n.files) {
		for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
			n.files[dir] = true
		}
	}
	return n
}

// declare adds what a file declares.
func declare(t *testing.T, f textFile, declared map[string]bool) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), f.path, f.text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	add := func(owner string, names ...*ast.Ident) {
		for _, name := range names {
			declared[name.Name], declared[owner+"."+name.Name] = true, true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			owner := file.Name.Name
			if n.Recv != nil {
				receiver := n.Recv.List[0].Type
				if pointer, is := receiver.(*ast.StarExpr); is {
					receiver = pointer.X
				}
				if name, is := receiver.(*ast.Ident); is {
					owner = name.Name
				}
			}
			add(owner, n.Name)
			return false
		case *ast.ValueSpec:
			add(file.Name.Name, n.Names...)
		case *ast.TypeSpec:
			add(file.Name.Name, n.Name)
			ast.Inspect(n.Type, func(inner ast.Node) bool {
				if field, is := inner.(*ast.Field); is {
					add(n.Name.Name, field.Names...)
				}
				return true
			})
		}
		return true
	})
}

var (
	qualified  = regexp.MustCompile(`\b[A-Za-z]+\.[A-Z]\w*`)
	identifier = regexp.MustCompile(`^(?:[A-Za-z]+\.)?[A-Za-z]\w*$`)
)

// has reports whether a word in code is the name of something that exists.
func (n names) has(word string) bool {
	first, rest, _ := strings.Cut(word, " ")
	switch {
	case slices.Contains([]string{"Rule", "Fact", "Decision"}, first):
		return true // see TestEveryReferenceLeadsSomewhere
	case first == "make":
		return rest == "" || strings.Contains(n.targets, "\n"+rest+":")
	case first == "npm":
		return strings.Contains(n.scripts, `"`+strings.TrimPrefix(rest, "run ")+`": `)
	case first == "go":
		return !slices.ContainsFunc(strings.Fields(rest), func(arg string) bool {
			folder, local := strings.CutPrefix(arg, "./")
			return local && !n.hasFile(folder)
		})
	case strings.HasPrefix(word, "func("):
		used := qualified.FindAllString(strings.ReplaceAll(word, "*testing.T", ""), -1)
		return !slices.ContainsFunc(used, func(name string) bool { return !n.declared[name] })
	case strings.HasPrefix(word, "Test"):
		return n.tests[word]
	case strings.Contains(word, "/") || n.hasFile(word):
		return n.hasFile(word)
	}
	return identifier.MatchString(word) && n.declared[word] || slices.Contains(n.routes, word)
}

// hasFile reports whether a file or folder fits a pattern, by its path or, without a slash, by its name.
func (n names) hasFile(pattern string) bool {
	for file := range n.files {
		if matched, _ := path.Match(pattern, file); matched || !strings.Contains(pattern, "/") && path.Base(file) == pattern {
			return true
		}
	}
	return false
}

func TestContributingNamesWhatExists(t *testing.T) {
	n := allNames(t)
	for _, word := range words(inCode, readText(t, contributing)) {
		if !n.has(word) {
			t.Errorf("CONTRIBUTING.md names `%s`, which is no target, test, file, route or declaration", word)
		}
	}
}

// checked are folders and endings of what checks the product, or is no file of it.
var checked = []string{
	"_test.go", ".test.mjs", ".feature", "/test/", "features/steps/", "adapters/testservers/", "cmd/torture/", "cmd/bench/", ".github/",
	"adapters/console/files/screens/", // use what they choose to show
}

// productFiles are the texts of the product: code, declarations, documents, and what is generated.
func productFiles(t *testing.T) []textFile {
	t.Helper()
	return filesOf(t, func(file string) bool {
		return !slices.ContainsFunc(checked, func(part string) bool { return strings.Contains(file, part) })
	})
}

// An example stands in exactly the files that its recipe lists with it, and the steps before it name each of
// them. So a place that is new, gone or moved is noticed, whoever made it.
func TestRecipeExamplesStandWhereRecipesSay(t *testing.T) {
	files := productFiles(t)
	for title, text := range recipes(t) {
		steps, _, _ := strings.Cut(text, "\n*Example:*")
		places := words(inCode, steps)
		examples := example.FindAllStringSubmatch(text, -1)
		if len(examples) == 0 && title != "Write another store" { // whose lists are held by portstest
			t.Errorf("%s: there is no example", title)
		}
		for _, m := range examples {
			listed, found := words(inCode, m[2]), containing(files, words(inQuotes, m[1]))
			slices.Sort(listed)
			if !slices.Equal(listed, found) {
				t.Errorf("%s: %s: listed are\n%s\nit stands in\n%s", title, m[1], strings.Join(listed, "\n"), strings.Join(found, "\n"))
			}
			for _, file := range listed {
				if !slices.ContainsFunc(places, func(place string) bool { fits, _ := path.Match(place, file); return fits }) {
					t.Errorf("%s: %s is in %s, which no step names", title, m[1], file)
				}
			}
		}
	}
}

// containing are the paths of the files that have all words, in whatever case.
func containing(files []textFile, words []string) (paths []string) {
	for _, f := range files {
		text := strings.ToLower(f.text)
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) }) {
			paths = append(paths, f.path)
		}
	}
	slices.Sort(paths)
	return paths
}

// routeName is the name of a route in the code, or the beginning of several.
var routeName = regexp.MustCompile(`^[a-z]+\.[a-zA-Z]*$`)

// describedRoutes are the names of the routes that are described by hand, with an asterisk where the rest is computed.
func describedRoutes(t *testing.T) (routes []string) {
	t.Helper()
	for _, f := range tree(t) {
		if !strings.HasPrefix(f.path, "adapters/") || !strings.HasSuffix(f.path, ".go") || strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.path, f.text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if d, is := decl.(*ast.FuncDecl); is && returnsRoutes(d) {
				routes = append(routes, routesIn(d.Body)...)
			}
		}
	}
	slices.Sort(routes)
	return routes
}

// returnsRoutes reports whether a function returns []openapi.Route.
func returnsRoutes(d *ast.FuncDecl) bool {
	return d.Type.Results != nil && slices.ContainsFunc(d.Type.Results.List, func(r *ast.Field) bool {
		return types.ExprString(r.Type) == "[]openapi.Route"
	})
}

func routesIn(body *ast.BlockStmt) (routes []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		literal, is := n.(*ast.BasicLit)
		if !is || literal.Kind != token.STRING {
			return true
		}
		if name, _ := strconv.Unquote(literal.Value); routeName.MatchString(name) {
			if strings.HasSuffix(name, ".") {
				name += "*"
			}
			routes = append(routes, name)
		}
		return true
	})
	return routes
}

// What is no operation says why, and whoever describes another route by hand has to say it, too.
func TestRecipesNameEveryRouteDescribedByHand(t *testing.T) {
	_, table, _ := strings.Cut(recipes(t)["Add an operation"], "\n| routes | why not |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var listed []string
	for row := range strings.Lines(table) {
		listed = append(listed, words(inCode, strings.Split(row, "|")[1])...)
	}
	slices.Sort(listed)
	if described := describedRoutes(t); !slices.Equal(listed, described) {
		t.Errorf("the recipe for operations lists the routes %q; described by hand are %q", listed, described)
	}
}

var (
	// keepsGolden is how a test asks whether to write its golden file.
	keepsGolden = regexp.MustCompile(`\*[uU]pdate \{|compareGolden\(`)
	goldenTests = regexp.MustCompile(`(?m)^GOLDEN = (.+\\\n)*.+$`)
)

func TestMakeGoldenWritesEveryGoldenFile(t *testing.T) {
	var keep []string
	folders := map[string]bool{}
	for _, f := range tree(t) {
		if !strings.HasSuffix(f.path, "_test.go") || f.path == "features/recipes_test.go" {
			continue
		}
		for _, function := range strings.Split(f.text, "\nfunc ")[1:] {
			if name, _, _ := strings.Cut(function, "("); strings.HasPrefix(name, "Test") && keepsGolden.MatchString(function) {
				keep, folders[path.Dir(f.path)] = append(keep, name), true
			}
		}
	}
	slices.Sort(keep)
	makefile := readText(t, "../Makefile")
	list := strings.NewReplacer("GOLDEN = ", "", "$\\\n", "").Replace(goldenTests.FindString(makefile))
	if written := slices.Sorted(strings.SplitSeq(list, "|")); !slices.Equal(written, keep) {
		t.Errorf("make golden runs %q; golden files are kept by %q", written, keep)
	}
	_, rule, _ := strings.Cut(makefile, "\ngolden:")
	rule, _, _ = strings.Cut(rule, "\n\n")
	for folder := range folders {
		if !strings.Contains(rule, " ./"+folder+" ") {
			t.Errorf("make golden leaves out %s", folder)
		}
	}
}
