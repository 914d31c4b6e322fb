package domain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goroutinesOf are the folders whose programs end with the command that starts them, or that are no part of the product.
var goroutinesOf = []string{
	"app/background/", "ports/portstest/", "adapters/testservers/", "adapters/sdk/", "cmd/bench/", "cmd/torture/",
	"cmd/testall/", "cmd/testenv/",
	"features/",
}

// timersOf are the files with timers whose functions cannot panic.
var timersOf = map[string]string{
	"adapters/blob/blob.go":                "cancels contexts",
	"cmd/cartwright/program/log_buffer.go": "writes bytes that are there",
}

// A panic in a goroutine ends the process, so that package background starts all of them, and recovers.
func TestOnlyBackgroundStartsGoroutines(t *testing.T) {
	timers := map[string]bool{}
	for _, top := range []string{"domain", "ports", "app", "adapters", "cmd", "features"} {
		err := filepath.WalkDir("../"+top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "node_modules" {
				return skipDirOnError(err)
			}
			name := strings.TrimPrefix(filepath.ToSlash(path), "../")
			elsewhere := slices.ContainsFunc(goroutinesOf, func(dir string) bool { return strings.HasPrefix(name, dir) })
			if elsewhere || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch how := startsGoroutine(n); {
				case how == "":
				case how == "AfterFunc" && timersOf[name] != "":
					timers[name] = true
				default:
					t.Errorf("%s starts a goroutine (%s), whose panic would end the process; use app/background", set.Position(n.Pos()), how)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range timersOf {
		if !timers[name] {
			t.Errorf("%s has no timer any more", name)
		}
	}
}

// startsGoroutine is how n starts a goroutine; "" when it does not.
func startsGoroutine(n ast.Node) (how string) {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "go"
	case *ast.CallExpr:
		called, ok := n.Fun.(*ast.SelectorExpr)
		if ok && slices.Contains([]string{"Go", "TryGo", "DoChan", "AfterFunc"}, called.Sel.Name) {
			return called.Sel.Name
		}
	}
	return ""
}
