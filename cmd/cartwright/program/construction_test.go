package program

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// Values are complete when they are constructed: this package never sets a field of a field, such as s.access.Attempts,
// nor an entry of a map in one.
func TestNothingIsWiredAfterItsConstruction(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			assigned, ok := n.(*ast.AssignStmt)
			if !ok {
				return true
			}
			for _, to := range assigned.Lhs {
				if isFieldOfField(to) {
					t.Errorf("%s: a field of a field is set: give it to the constructor", files.Position(to.Pos()))
				}
			}
			return true
		})
	}
}

// isFieldOfField reports whether to is x.y.z, or an entry of it.
func isFieldOfField(to ast.Expr) bool {
	for {
		entry, ok := to.(*ast.IndexExpr)
		if !ok {
			break
		}
		to = entry.X
	}
	outer, ok := to.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	_, ok = outer.X.(*ast.SelectorExpr)
	return ok
}
