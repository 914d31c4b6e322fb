package portstest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// folder is the parsed Go of one folder.
type folder struct {
	path         string // from the root of the repository
	files, tests []*ast.File
}

// parseFolder parses the Go files of a folder.
func parseFolder(t *testing.T, dir string) (f folder) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	f.path = filepath.ToSlash(strings.TrimPrefix(dir, filepath.Join("..", "..")+string(filepath.Separator)))
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			f.tests = append(f.tests, file)
		} else {
			f.files = append(f.files, file)
		}
	}
	return f
}

// methods are signatures without the names of parameters, by the name of the method.
type methods map[string]string

// signature writes types as package ports sees them: its own without a qualifier, others by the last part of
// their path.
func signature(file *ast.File, aliases map[string]ast.Expr, f *ast.FuncType) string {
	out := parameters(aliases, f)
	for _, im := range file.Imports {
		if im.Name != nil {
			out = regexp.MustCompile(`\b`+im.Name.Name+`\.`).ReplaceAllString(out, path.Base(strings.Trim(im.Path.Value, `"`))+".")
		}
	}
	return strings.ReplaceAll(out, "ports.", "")
}

// parameters are the types of the parameters and results of a function, those of its functions included.
func parameters(aliases map[string]ast.Expr, f *ast.FuncType) string {
	var text strings.Builder
	for _, list := range []*ast.FieldList{f.Params, f.Results} {
		text.WriteByte('(')
		if list == nil {
			list = &ast.FieldList{}
		}
		for _, field := range list.List {
			expr := field.Type
			if name, ok := expr.(*ast.Ident); ok && aliases[name.Name] != nil {
				expr = aliases[name.Name]
			}
			one := types.ExprString(expr)
			if function, ok := expr.(*ast.FuncType); ok {
				one = "func" + parameters(aliases, function)
			}
			text.WriteString(strings.Repeat(one+",", max(1, len(field.Names))))
		}
		text.WriteByte(')')
	}
	return text.String()
}

// eachType calls do with the declarations of types in a folder.
func (f folder) eachType(do func(file *ast.File, spec *ast.TypeSpec)) {
	for _, file := range f.files {
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range d.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						do(file, spec)
					}
				}
			}
		}
	}
}

// interfaces are the exported interfaces of a folder that others can implement. Those with an unexported method are
// sums of our own types.
func (f folder) interfaces() map[string]methods {
	all := map[string]methods{}
	f.eachType(func(file *ast.File, spec *ast.TypeSpec) {
		i, ok := spec.Type.(*ast.InterfaceType)
		if !ok || !spec.Name.IsExported() {
			return
		}
		all[spec.Name.Name] = methods{}
		for _, m := range i.Methods.List {
			of, ok := m.Type.(*ast.FuncType)
			switch {
			case ok && !m.Names[0].IsExported():
				delete(all, spec.Name.Name)
				return
			case ok:
				all[spec.Name.Name][m.Names[0].Name] = signature(file, nil, of)
			}
		}
	})
	return all
}

// implementation is what a type of an adapter has.
type implementation struct {
	methods  methods
	embedded []string // types of adapters whose methods it has, too: "Name" of this folder, "package.Name" of another one
	wraps    []string // ports that it embeds: whatever is behind it runs their suites
}

// implementations are the types of a folder, by name.
func (f folder) implementations() map[string]*implementation {
	all, aliases := map[string]*implementation{}, map[string]ast.Expr{}
	f.eachType(func(_ *ast.File, spec *ast.TypeSpec) {
		if spec.Assign.IsValid() {
			aliases[spec.Name.Name] = spec.Type
			return
		}
		all[spec.Name.Name] = &implementation{methods: methods{}}
		of, ok := spec.Type.(*ast.StructType)
		if !ok {
			return
		}
		for _, field := range of.Fields.List {
			if len(field.Names) > 0 {
				continue
			}
			name := strings.TrimPrefix(types.ExprString(field.Type), "*")
			if port, wraps := strings.CutPrefix(name, "ports."); wraps {
				all[spec.Name.Name].wraps = append(all[spec.Name.Name].wraps, port)
			} else {
				all[spec.Name.Name].embedded = append(all[spec.Name.Name].embedded, name)
			}
		}
	})
	for _, file := range f.files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Recv == nil {
				continue
			}
			receiver, _, _ := strings.Cut(strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*"), "[")
			if of := all[receiver]; of != nil {
				of.methods[d.Name.Name] = signature(file, aliases, d.Type)
			}
		}
	}
	return all
}

// has reports whether a type has a method, itself or by what it embeds.
func has(all map[string]*implementation, name, method, signature string) bool {
	of := all[name]
	return of != nil && (of.methods[method] == signature ||
		slices.ContainsFunc(of.embedded, func(embedded string) bool { return has(all, embedded, method, signature) }))
}

// elsewhere are the types of folders by "package.Name", as other folders embed them.
func elsewhere(folders []folder) map[string]*implementation {
	all := map[string]*implementation{}
	for _, f := range folders {
		qualified := func(name string) string {
			if strings.Contains(name, ".") {
				return name
			}
			return path.Base(f.path) + "." + name
		}
		for name, of := range f.implementations() {
			for i, embedded := range of.embedded {
				of.embedded[i] = qualified(embedded)
			}
			all[qualified(name)] = of
		}
	}
	return all
}

// implemented are the ports that a type of the folder implements. others are the types of all folders; see elsewhere.
func (f folder) implemented(ports map[string]methods, others map[string]*implementation) (names []string) {
	own := f.implementations()
	all := maps.Clone(others)
	maps.Copy(all, own)
	for port, needed := range ports {
		for name, of := range own {
			complete := !slices.Contains(of.wraps, port)
			for method, signature := range needed {
				complete = complete && has(all, name, method, signature)
			}
			if complete {
				names = append(names, port)
				break
			}
		}
	}
	slices.Sort(names)
	return names
}

// portName is how the comment of a suite names the ports that it checks.
var portName = regexp.MustCompile(`\bports\.([A-Z]\w*)`)

// suites are the suites by the port that they check: functions of a *testing.T whose comment names it.
func (f folder) suites() map[string]string {
	all := map[string]string{}
	for _, file := range f.files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Recv != nil || !d.Name.IsExported() || len(d.Type.Params.List) == 0 ||
				types.ExprString(d.Type.Params.List[0].Type) != "*testing.T" {
				continue
			}
			for _, m := range portName.FindAllStringSubmatch(d.Doc.Text(), -1) {
				all[m[1]] = file.Name.Name + "." + d.Name.Name
			}
		}
	}
	return all
}

// calls are the functions of other packages that the tests of a folder call.
func (f folder) calls() map[string]bool {
	all := map[string]bool{}
	for _, file := range f.tests {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if _, ok := call.Fun.(*ast.SelectorExpr); ok {
					all[types.ExprString(call.Fun)] = true
				}
			}
			return true
		})
	}
	return all
}

// adapterFolders are the folders of Go below adapters.
func adapterFolders(t *testing.T) (all []folder) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("..", "..", "adapters"), func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "node_modules" || d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if f := parseFolder(t, dir); len(f.files)+len(f.tests) > 0 {
			all = append(all, f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// suitesOfPorts are the suites of portstest and of the payment providers, which need more of their adapters
// than the port.
func suitesOfPorts(t *testing.T) map[string]string {
	t.Helper()
	suites := parseFolder(t, ".").suites()
	maps.Copy(suites, parseFolder(t, filepath.Join("..", "..", "adapters", "payment", "paymenttest")).suites())
	return suites
}

// Every port has a suite, and every adapter runs the suites of the ports that it implements. A suite is found
// by its comment, "X checks ports.X and ports.Y". An adapter is a folder with a type that has all methods of
// a port.
func TestEveryAdapterRunsTheSuitesOfItsPorts(t *testing.T) {
	ports, suites := parseFolder(t, "..").interfaces(), suitesOfPorts(t)
	for _, port := range slices.Sorted(maps.Keys(ports)) {
		if suites[port] == "" {
			t.Errorf("ports.%s has no suite: no exported function of ports/portstest names it in its comment", port)
		}
	}
	for port, suite := range suites {
		if ports[port] == nil {
			t.Errorf("%s names ports.%s, which is no interface", suite, port)
		}
	}
	adapters := map[string][]string{}
	folders := adapterFolders(t)
	others := elsewhere(folders)
	for _, f := range folders {
		called := f.calls()
		for _, port := range f.implemented(ports, others) {
			adapters[port] = append(adapters[port], strings.TrimPrefix(f.path, "adapters/"))
			if !called[suites[port]] {
				t.Errorf("%s implements ports.%s, and no test of it calls %s", f.path, port, suites[port])
			}
		}
	}
	testDocumentation(t, ports, suites, adapters)
}

// testDocumentation: the package comment of ports lists each port with its suite and adapters, and README and
// the comment say which ports are swapped together.
func testDocumentation(t *testing.T, ports map[string]methods, suites map[string]string, adapters map[string][]string) {
	t.Helper()
	comment, err := os.ReadFile(filepath.Join("..", "doc.go"))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	swapped, _, _ := strings.Cut(string(comment), "// # Suites")
	for _, port := range slices.Sorted(maps.Keys(ports)) {
		if len(adapters[port]) == 0 {
			t.Errorf("no adapter implements ports.%s", port)
		}
		line := fmt.Sprintf("//\t%-18s %-28s %s\n", port, suites[port], strings.Join(adapters[port], ", "))
		if !strings.Contains(string(comment), line) {
			t.Errorf("the package comment of ports lacks\n%s", line)
		}
		if !regexp.MustCompile(`\b` + port + `\b`).MatchString(swapped) {
			t.Errorf("the package comment of ports does not say with what %s is swapped", port)
		}
		if !strings.Contains(string(readme), "`"+port+"`") {
			t.Errorf("README does not say with what `%s` is swapped", port)
		}
	}
	if listed := strings.Count(string(comment), "portstest.") + strings.Count(string(comment), "paymenttest."); listed != len(ports) {
		t.Errorf("the package comment of ports lists %d suites of %d ports", listed, len(ports))
	}
}
