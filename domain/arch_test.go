package domain_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/cartwright-dev/cartwright/"

// Layers of the domain, lowest first: a package imports the kernel and lower layers only.
var layers = [][]string{
	{"fault", "money", "tenant", "collection"}, // the kernel; its packages may import each other
	{"phone"},
	{"address", "tax"},
	{"catalog", "inventory", "discount", "shipping", "identity", "media", "content", "timeline", "team", "report", "job"},
	{"pricing"},
	{"sale"}, // what carts, checkouts, drafts and orders share
	{"cart", "checkout", "draft", "shop"},
	{"order", "payment", "webhook", "quota"},
	{"returns", "carrier"}, // of what was bought and paid
	{"search", "productsearch", "paper", "transfer"},
	{"intake", "mail"},
	{"registry"},
}

// may lists what the non-test files below a folder may import besides the layers: our own folders ("." is the
// file's own package tree), then other imports; nil is anything. The longest matching folder counts.
var may = map[string]struct{ own, other []string }{
	"domain": {[]string{"."}, []string{
		"cmp", "errors", "fmt", "iter", "maps", "math", "math/big", "reflect", "regexp", "slices", "sort", "strconv", "strings", "time", "unicode",
		"unicode/utf8",
	}},
	"ports":           {[]string{"domain"}, []string{"cmp", "context", "errors", "fmt", "io", "iter", "slices", "time"}},
	"ports/portstest": {[]string{"domain", "ports"}, nil},
	"app": {[]string{"domain", "ports", "app"}, []string{
		"archive/zip", "bytes", "cmp", "context", "crypto/rand", "crypto/sha256", "crypto/subtle", "embed", "encoding/base64", "encoding/binary",
		"encoding/hex", "encoding/json", "errors", "fmt", "hash", "hash/maphash", "io", "iter", "log/slog", "maps", "math/big", "net/url",
		"runtime/debug", "slices", "strconv", "strings", "sync", "sync/atomic", "time", "time/tzdata", "unicode", "unicode/utf8",
		"github.com/google/uuid", "github.com/hashicorp/golang-lru/v2", "golang.org/x/text/cases", "golang.org/x/text/unicode/norm",
		"golang.org/x/net/idna", "golang.org/x/sync/singleflight",
	}},
	"adapters": {[]string{".", "domain", "ports", "app"}, nil},
	// The store is packages above each other: the database, the tables, what a change is in them, and above
	// these, each by itself, what commits, numbers events, answers lists, reads by id, queues deliveries, adds up figures and
	// migrates. The store composes them.
	"adapters/sqlstore/deliveries": {
		[]string{"adapters/sqlstore/change", "adapters/sqlstore/table", "adapters/sqlstore/db", "domain", "ports"}, nil,
	},
	"adapters/sqlstore/list": {
		[]string{"adapters/sqlstore/eventlog", "adapters/sqlstore/table", "adapters/sqlstore/db", "domain", "ports"}, nil,
	},
	"adapters/sqlstore/figures": {[]string{"adapters/sqlstore/table", "adapters/sqlstore/db", "domain", "ports"}, nil},
	"adapters/sqlstore/productindex": {
		[]string{"adapters/sqlstore/searchplace", "adapters/sqlstore/table", "adapters/sqlstore/db", "domain", "ports"}, nil,
	},
	"adapters/sqlstore/searchindex": {
		[]string{"adapters/sqlstore/searchplace", "adapters/sqlstore/table", "adapters/sqlstore/db", "domain", "ports"}, nil,
	},
	"adapters/sqlstore/searchplace": {[]string{"adapters/sqlstore/db", "domain", "ports"}, nil},
	"adapters/sqlstore/gather":      {[]string{"adapters/sqlstore/table", "adapters/sqlstore/db", "domain", "ports", "app/background"}, nil},
	"adapters/sqlstore/eventlog":    {[]string{"adapters/sqlstore/table", "adapters/sqlstore/db", "domain", "ports", "app/background"}, nil},
	"adapters/sqlstore/commit": {
		[]string{"adapters/sqlstore/change", "adapters/sqlstore/table", "adapters/sqlstore/db", "domain", "ports", "app/background"}, nil,
	},
	"adapters/sqlstore/change":  {[]string{"adapters/sqlstore/table", "adapters/sqlstore/db", "domain", "ports"}, nil},
	"adapters/sqlstore/migrate": {[]string{"adapters/sqlstore/table", "adapters/sqlstore/db", "domain", "ports"}, nil},
	"adapters/sqlstore/table":   {[]string{"adapters/sqlstore/db", "domain", "ports"}, nil},
	"adapters/sqlstore/db":      {[]string{"domain", "ports", "app/background"}, nil},
	// SDKs are for other people's programs, which have nothing of ours: the standard library only.
	"adapters/sdk": {[]string{}, []string{
		"bytes", "cmp", "container/list", "context", "crypto/hmac", "crypto/rand", "crypto/sha256", "embed", "encoding/base64",
		"encoding/hex", "encoding/json", "errors", "flag", "fmt", "go/format", "io", "io/fs", "iter", "log/slog", "maps", "math/big",
		"math/rand/v2", "mime/multipart", "net/http", "net/url", "os", "path/filepath", "reflect", "regexp", "slices", "strconv", "strings",
		"sync", "syscall", "time", "unicode",
	}},
	"adapters/testservers": {[]string{"adapters", "domain", "ports", "app"}, nil}, // real things for tests; no part of the product
	"cmd":                  {[]string{".", "domain", "ports", "app", "adapters", "features"}, nil},
	"features":             {[]string{"."}, nil},
}

// never lists what no file imports, with the reason.
var never = map[string]string{
	"github.com/gofiber/fiber/v2/middleware/adaptor": "see fasthttpadaptor",
	"github.com/valyala/fasthttp/fasthttpadaptor":    "a request hangs for ever when its net/http handler ends before the adaptor waits for it",
}

func TestImportsPointInward(t *testing.T) {
	for _, top := range []string{"domain", "ports", "app", "adapters", "cmd", "features"} {
		err := filepath.WalkDir("../"+top, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // a layer without code breaks no rule
			}
			if err != nil || d.IsDir() && (d.Name() == "node_modules" || isModule(path)) {
				return skipDirOnError(err)
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			check(t, strings.TrimPrefix(filepath.ToSlash(path), "../"), f)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// isModule reports whether a folder is a module of its own, which sees of ours what other people's do.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

func skipDirOnError(err error) error {
	if err != nil {
		return err
	}
	return filepath.SkipDir
}

func check(t *testing.T, path string, f *ast.File) {
	t.Helper()
	parts := strings.Split(path, "/")
	home := strings.Join(parts[:min(2, len(parts)-1)], "/")
	var rule struct{ own, other []string }
	for n := range parts[:len(parts)-1] {
		if r, ok := may[strings.Join(parts[:n+1], "/")]; ok {
			rule = r
		}
	}
	for _, im := range f.Imports {
		p, _ := strconv.Unquote(im.Path.Value)
		own, ours := strings.CutPrefix(p, module)
		allowed := !ours && (rule.other == nil || slices.Contains(rule.other, p))
		for _, dir := range rule.own {
			if dir == "." {
				dir = home
			}
			allowed = allowed || ours && (own == dir || strings.HasPrefix(own, dir+"/"))
		}
		if ours && parts[0] == "domain" && strings.HasPrefix(own, "domain/") {
			allowed = allowed || layerBelow(parts[1], strings.Split(own, "/")[1])
		}
		if why := never[p]; why != "" {
			t.Errorf("%s must not import %s: %s", path, p, why)
		}
		if !allowed {
			t.Errorf("%s must not import %s", path, p)
		}
	}
	if parts[0] == "domain" || parts[0] == "app" {
		checkNoClock(t, path, f)
	}
}

func layerBelow(importer, imported string) bool {
	at := func(name string) int {
		return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, name) })
	}
	from, to := at(importer), at(imported)
	return from >= 0 && to >= 0 && (to < from || from == 0 && to == 0)
}

func checkNoClock(t *testing.T, path string, f *ast.File) {
	t.Helper()
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until"}, s.Sel.Name) {
				t.Errorf("%s reads the clock; take now as an argument", path)
			}
		}
		return true
	})
}

// The tree has exactly these top-level names besides dotfiles.
func TestTopLevelIsClosed(t *testing.T) {
	want := []string{
		"Dockerfile", "LICENSE", "Makefile", "README.md", "adapters", "app", "cmd", "compose.yaml", "domain", "features", "go.mod",
		"go.sum", "ports",
	}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		local := slices.Contains([]string{"data", "bin", "artifacts"}, e.Name()) // made by make run, make build and .ci/run, ignored by git
		if !strings.HasPrefix(e.Name(), ".") && !local && !slices.Contains(want, e.Name()) {
			t.Errorf("%s does not belong at the top level", e.Name())
		}
	}
}

// madeElsewhere are the files of app that make or read JSON of their own, which is none of an answer.
var madeElsewhere = map[string]string{
	"app/access/email_tokens.go":           "what a sealed token holds",
	"app/access/passkeys.go":               "what a sealed challenge holds",
	"app/access/second_factor.go":          "what a sealed challenge holds",
	"app/connections/connections.go":       "sealed credentials",
	"app/connections/hooks.go":             "sealed credentials",
	"app/connections/sealed_call.go":       "what a sealed call holds",
	"app/connections/secret_rotation.go":   "sealed credentials",
	"app/deliveries/body.go":               "the body of a webhook, around the stored text of its event",
	"app/idempotency/call.go":              "stored refusals, and fingerprints",
	"app/operation/passkeys.go":            "what a browser sends of a passkey, for its reader",
	"app/orders/import.go":                 "the digest of an imported order",
	"app/returnrequests/refund_account.go": "a sealed account",
}

// Answers of use cases are members until app/reply makes their JSON, once, for the receipt, the reply and the event.
func TestOnlyReplyMakesTheJSONOfAnswers(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir("../app", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(path, filepath.FromSlash("../app/reply/")) {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../")
		if how := jsonMaking(f); how != "" {
			found[name] = true
			if madeElsewhere[name] == "" {
				t.Errorf("%s makes JSON (%s); name the members of the answer and let app/reply make it", name, how)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range madeElsewhere {
		if !found[name] {
			t.Errorf("%s makes no JSON any more", name)
		}
	}
}

// jsonMaking is a piece of f that makes or reads JSON text, "" without one: an import, a call of an encoder,
// or the text of a member.
func jsonMaking(f *ast.File) (how string) {
	encoders := []string{
		"AppendJSON", "AppendJSONValue", "AppendCanonicalJSON", "AppendFields", "AppendGroup", "AppendString", "AppendValue", "AppendMajor", "AppendStored",
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			if n.Path.Value == `"encoding/json"` {
				how = "encoding/json"
			}
			return false
		case *ast.SelectorExpr:
			if slices.Contains(encoders, n.Sel.Name) {
				how = n.Sel.Name
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING &&
				(strings.Contains(text, `":`) || strings.HasPrefix(text, `{"`)) {
				how = n.Value
			}
		}
		return true
	})
	return how
}
