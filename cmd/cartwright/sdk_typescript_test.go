package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/faultproxy"
)

// typescriptFolder is the package @cartwright/sdk.
const typescriptFolder = "../../adapters/sdk/typescript"

// typescriptTime bounds one run of its tests on a busy machine.
const typescriptTime = 8 * time.Minute

// noteTypeScript tells Go's test cache of the files that Node, tsc and esbuild read.
func noteTypeScript(t *testing.T) {
	t.Helper()
	for _, name := range []string{"src", "test", "scripts", "example", "package.json", "tsconfig.json", "tsconfig.test.json", "README.md", "node_modules/.lock"} {
		testservers.NoteInputs(t, filepath.Join(typescriptFolder, name))
	}
}

// builtTypeScript makes dist/ from the sources if it is older, once: it is not checked in, and an old one must not be what is
// tested.
var builtTypeScript = sync.OnceValues(func() ([]byte, error) {
	build := exec.Command("make", "--silent", "--no-print-directory", "clients")
	build.Dir = "../.."
	return build.CombinedOutput()
})

// Every helper of the TypeScript package, what it promises when the network fails, its webhooks and the snippets of its
// README, against the product as it ships. Rule sdk-9.
func TestTypeScriptSDKAgainstServer(t *testing.T) {
	t.Parallel()
	for database, env := range map[string]func(*testing.T) []string{
		"sqlite":   func(*testing.T) []string { return nil },
		"postgres": func(t *testing.T) []string { return []string{"CARTWRIGHT_DATABASE_URL=" + migratedDB.Postgres(t)} },
	} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			s := startProcess(t, append(env(t), "CARTWRIGHT_DATA="+t.TempDir(), "CARTWRIGHT_LOG_LEVEL=warn", "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true")...)
			stage := newStage(t, s)
			nodeTests(t, []string{"server/*.test.mjs", "readme.test.mjs"}, "STAGE="+stage.URL)
		})
	}
}

// The rest of the package needs no server.
func TestTypeScriptSDKWithoutServer(t *testing.T) {
	t.Parallel()
	nodeTests(t, []string{"unit/*.test.mjs", "bundle.test.mjs", "webhook.test.mjs", "readme-types.test.mjs"})
	inTypeScript(t, []string{"node_modules/typescript/bin/tsc", "-p", "tsconfig.test.json"})
}

// What the package knows of the API is what this server says of it; -update writes it.
func TestTypeScriptSDKTypesAreUpToDate(t *testing.T) {
	t.Parallel()
	document := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(document, []byte(newCommandEnv(t).must(t, "openapi")), 0o600); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"scripts/generate.mjs", document}
	if !*update {
		arguments = append(arguments, "--check")
	}
	inTypeScript(t, arguments)
}

// nodeTests runs test files of the package that fit the patterns, each of which has to name some, at the same time.
func nodeTests(t *testing.T, patterns []string, env ...string) {
	t.Helper()
	if out, err := builtTypeScript(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, pattern := range patterns {
		files, err := filepath.Glob(typescriptFolder + "/test/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no tests are called %s: %v", pattern, err)
		}
		for _, file := range files {
			file = strings.TrimPrefix(file, typescriptFolder+"/")
			t.Run(strings.TrimPrefix(file, "test/"), func(t *testing.T) {
				t.Parallel()
				inTypeScript(t, []string{"--test-reporter=spec", file}, env...)
			})
		}
	}
}

// inTypeScript runs Node in the package's folder, and fails with what it says.
func inTypeScript(t *testing.T, args []string, env ...string) {
	t.Helper()
	noteTypeScript(t)
	ctx, cancel := context.WithTimeout(t.Context(), typescriptTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Dir = typescriptFolder
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("node %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// newStage serves what tests in other languages need beside the server: its output at GET /log, a shop of their own at POST
// /shops, and a fault proxy before the server at POST /proxies.
func newStage(t *testing.T, s serverProcess) *httptest.Server {
	t.Helper()
	var mu sync.Mutex
	var proxies []*faultproxy.Proxy
	mux := http.NewServeMux()
	mux.HandleFunc("GET /log", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, s.Output()) // the client asks again
	})
	mux.HandleFunc("POST /shops", func(w http.ResponseWriter, r *http.Request) {
		shop, err := s.createShop(r.Context(), r.FormValue("name"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(shop) // the client would see it cut
	})
	mux.HandleFunc("POST /proxies", func(w http.ResponseWriter, _ *http.Request) {
		p, err := faultproxy.New(s.URL)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		proxies = append(proxies, p)
		_ = json.NewEncoder(w).Encode(map[string]string{"url": p.URL}) // as above
	})
	stage := httptest.NewServer(mux)
	t.Cleanup(func() {
		stage.Close()
		for _, p := range proxies {
			p.Close()
		}
	})
	return stage
}
