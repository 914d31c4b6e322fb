package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// found is the tests of a package that start processes.
type found struct {
	dir   string
	tests []string
}

// find lists the tests below folders that start processes: those from which a function can be reached, by the
// names in their package, that calls os/exec, or starts a server of testservers or a browser. A name with
// several declarations counts as all of them, so the list may have a test too many, but none too few.
func find(folders ...string) (all []found, err error) {
	packages := map[string]*graph{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || isModule(path)):
				return filepath.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			dir := filepath.Dir(path)
			if packages[dir] == nil {
				packages[dir] = &graph{uses: map[string][]string{}, starts: map[string]bool{}}
			}
			packages[dir].add(file)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for dir, g := range packages {
		if tests := g.tests(); len(tests) > 0 {
			all = append(all, found{dir, tests})
		}
	}
	slices.SortFunc(all, func(a, b found) int { return strings.Compare(a.dir, b.dir) })
	return all, nil
}

// isModule reports whether a folder is a module of its own, whose tests a test of ours runs.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

// graph is what the declarations of a package use, by name.
type graph struct {
	uses   map[string][]string // names that the declarations of a name use
	starts map[string]bool     // names whose declaration starts a process
}

func (g *graph) add(file *ast.File) {
	imported := map[string]string{} // paths by the name that the file gives them
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value) // the parser checked it
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		imported[name] = path
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.look(d.Name.Name, d, imported)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					for _, name := range v.Names {
						g.look(name.Name, v, imported)
					}
				}
			}
		}
	}
}

// look records which names a declaration uses.
func (g *graph) look(name string, of ast.Node, imported map[string]string) {
	ast.Inspect(of, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && imported[x.Name] != "" {
				g.starts[name] = g.starts[name] || starter(imported[x.Name], n.Sel.Name)
				return false
			}
			g.uses[name] = append(g.uses[name], n.Sel.Name)
		case *ast.Ident:
			g.uses[name] = append(g.uses[name], n.Name)
		}
		return true
	})
}

// starter reports whether a name of a package starts processes. The Postgres and Redis of cmd/testenv do not
// count.
func starter(path, name string) bool {
	switch path {
	case "os/exec":
		return strings.HasPrefix(name, "Command")
	case "github.com/chromedp/chromedp":
		return name == "NewExecAllocator"
	}
	return strings.HasSuffix(path, "/adapters/testservers") &&
		(strings.HasPrefix(name, "Start") || name == "Process" || name == "DurablePostgres")
}

// tests are the tests that start processes, sorted.
func (g *graph) tests() (names []string) {
	for name := range g.uses {
		if is, letter := strings.CutPrefix(name, "Test"); letter && is != "Main" && g.reaches(name, map[string]bool{}) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// reaches reports whether a declaration starts a process, itself or through the names it uses.
func (g *graph) reaches(name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	return g.starts[name] || slices.ContainsFunc(g.uses[name], func(used string) bool { return g.reaches(used, seen) })
}
