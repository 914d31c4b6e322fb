package program

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What varies in a format, and options that a sentence lists itself.
var (
	problemVerb    = regexp.MustCompile(`%[a-zA-Z]`)
	problemOptions = regexp.MustCompile(`one of: [^{}]+\.$`)
)

// problemReader collects the sentences about fields of a package. What varies in them is {}.
type problemReader struct {
	*testing.T

	dir   string
	found map[string]string // the package, by sentence
}

// problemSentences are the sentences about fields in the code, with the package that says them.
func problemSentences(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	root := filepath.Dir(filepath.Dir(consoleFolder))
	for _, layer := range []string{"domain", "app", "adapters"} {
		err := filepath.WalkDir(filepath.Join(root, layer), func(name string, e os.DirEntry, err error) error {
			local := strings.TrimPrefix(name, root+"/")
			left := slices.ContainsFunc(withoutForm, func(start string) bool { return strings.HasPrefix(local, start) })
			if err != nil || e.IsDir() || left || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err == nil {
				ast.Inspect(file, (&problemReader{t, filepath.Dir(local), found}).read)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// read takes the sentences of a part of the code.
func (r *problemReader) read(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		name := types.ExprString(n.Fun)
		at, ok := problemArguments[name]
		if !ok {
			at, ok = problemArguments[r.dir+" "+name[strings.LastIndexByte(name, '.')+1:]]
		}
		if ok && at < len(n.Args) {
			r.take(n.Args[at])
		}
	case *ast.CompositeLit:
		r.takeFields(n)
	case *ast.FuncDecl:
		if n.Body != nil && slices.Contains(problemHolders, n.Name.Name) {
			ast.Inspect(n.Body, r.takeTexts)
		}
	case *ast.ValueSpec:
		if slices.Contains(problemHolders, n.Names[0].Name) {
			ast.Inspect(n, r.takeTexts)
		}
	}
	return true
}

// takeFields takes the messages of a fault.Field, or of a list of them.
func (r *problemReader) takeFields(n *ast.CompositeLit) {
	if n.Type == nil {
		return
	}
	switch types.ExprString(n.Type) {
	case "fault.Field":
		for i, part := range n.Elts {
			if pair, ok := part.(*ast.KeyValueExpr); ok && types.ExprString(pair.Key) == "Message" {
				r.take(pair.Value)
			} else if !ok && i == 1 {
				r.take(part)
			}
		}
	case "[]fault.Field":
		for _, one := range n.Elts {
			if inner, ok := one.(*ast.CompositeLit); ok && inner.Type == nil {
				inner.Type = ast.NewIdent("fault.Field") // it is met again, as one of its own
			}
		}
	}
}

// takeTexts takes what is a sentence in one of problemHolders.
func (r *problemReader) takeTexts(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BasicLit, *ast.BinaryExpr:
		e, _ := n.(ast.Expr)
		if said := r.sentences(e); strings.Contains(said[0], " ") && strings.HasSuffix(said[0], ".") {
			r.take(e)
			return false // the parts of a sentence are none
		}
	}
	return true
}

// take takes a sentence, or reports where none is known.
func (r *problemReader) take(e ast.Expr) {
	expr := types.ExprString(e)
	for _, s := range r.sentences(e) {
		if s != "{}" {
			r.found[problemOptions.ReplaceAllString(s, "one of: {}.")] = r.dir
		} else if !slices.Contains(strings.Fields(problemsPassedOn[expr]), r.dir) {
			r.Errorf("%s: what does %s say about a field? Add where it is made to the tables", r.dir, expr)
		}
	}
}

// sentences are what an expression says: several where a kind of value is named.
func (r *problemReader) sentences(e ast.Expr) (all []string) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return []string{strings.ReplaceAll(problemVerb.ReplaceAllString(text, "{}"), "%%", "%")}
	case *ast.BinaryExpr:
		for _, before := range r.sentences(e.X) {
			for _, after := range r.sentences(e.Y) {
				all = append(all, before+after)
			}
		}
		return all
	case *ast.CallExpr:
		if name := types.ExprString(e.Fun); name == "fmt.Sprintf" {
			return r.sentences(e.Args[0])
		} else if strings.HasSuffix(name, ".withArticle") {
			return kindsOfValues
		}
	}
	return []string{"{}"}
}
