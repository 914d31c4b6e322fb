package program

import (
	"context"
	"encoding/json"
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
const typescriptFolder = "../../../adapters/sdk/typescript"

// typescriptTime bounds one run of its tests on a busy machine.
const typescriptTime = 8 * time.Minute

// noteTypeScript makes the files that Node, tsc and esbuild read inputs of Go's test cache.
func noteTypeScript(t *testing.T) {
	t.Helper()
	for _, name := range []string{
		"src", "test", "scripts", "example", "package.json", "tsconfig.json", "tsconfig.test.json", "README.md", "node_modules/.lock",
	} {
		testservers.NoteInputs(t, filepath.Join(typescriptFolder, name))
	}
}

// builtTypeScript builds dist/ from the sources once, if it is older: it is not checked in, and the tests must not run
// on an old one.
var builtTypeScript = sync.OnceValues(func() ([]byte, error) {
	build := exec.Command("make", "--silent", "--no-print-directory", "clients")
	build.Dir = "../../.."
	return build.CombinedOutput()
})

// The helpers of the TypeScript package, its behavior when the network fails, its webhooks and the snippets
// of its README are tested against a server. Rule sdk-9.
func TestTypeScriptSDKAgainstServer(t *testing.T) {
	t.Parallel()
	for database, env := range demoVariables {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			s := startProcess(t, append(env(t), "CARTWRIGHT_LOG_LEVEL=warn", "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true")...)
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

// The types of the package are those of the OpenAPI document; -update generates them.
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

// nodeTests runs the test files of the package that match the patterns, in parallel. Every pattern must match.
func nodeTests(t *testing.T, patterns []string, env ...string) {
	t.Helper()
	if out, err := builtTypeScript(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, pattern := range patterns {
		files, err := filepath.Glob(typescriptFolder + "/test/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no tests match %s: %v", pattern, err)
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

// inTypeScript runs Node in the folder of the package, and reports its output if it fails.
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

// newStage serves what tests in other languages need besides the server: a shop of their own at POST /shops, and a fault
// proxy in front of the server at POST /proxies.
func newStage(t *testing.T, s serverProcess) *httptest.Server {
	t.Helper()
	var mu sync.Mutex
	var proxies []*faultproxy.Proxy
	mux := http.NewServeMux()
	mux.HandleFunc("POST /shops", func(w http.ResponseWriter, r *http.Request) {
		shop, err := s.createShop(r.Context(), r.FormValue("name"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(shop) // a truncated response fails at the client
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
