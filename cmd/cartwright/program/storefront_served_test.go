package program

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/sdk/typescript/example"
	"github.com/cartwright-dev/cartwright/ports"
)

// The storefront is served with a strict content security policy, and contains no secret.
func TestStorefrontSecurityHeaders(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	get := func(path string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var body bytes.Buffer
		if _, err := body.ReadFrom(res.Body); err != nil {
			t.Fatal(err)
		}
		return res, body.String()
	}
	if res, _ := get("/demo"); res.StatusCode != http.StatusPermanentRedirect || res.Header.Get("Location") != "/demo/" {
		t.Error(res.StatusCode, res.Header)
	}
	res, page := get("/demo/")
	if p := res.Header.Get("Content-Security-Policy"); res.StatusCode != http.StatusOK || strings.Contains(p, "unsafe") ||
		!strings.Contains(p, "default-src 'none'") {
		t.Error(res.StatusCode, p)
	}
	if strings.Contains(page, "style=") || strings.Contains(page, "<style") {
		t.Error("the page has styles in its markup")
	}
	for name, kind := range map[string]string{
		"app.js": "text/javascript", "base.css": "text/css", "icon.svg": "image/svg+xml", "display.woff2": "font/woff2",
	} {
		if res, _ := get("/demo/" + name); res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), kind) ||
			res.Header.Get("Etag") == "" {
			t.Errorf("%s: %d %v", name, res.StatusCode, res.Header)
		}
	}
	if res, _ := get("/demo/example.go"); res.StatusCode != http.StatusNotFound {
		t.Error(res.StatusCode)
	}
	res, config := get("/demo/shop.json")
	var shop map[string]string
	if err := json.Unmarshal([]byte(config), &shop); err != nil || shop["name"] != "Saebyeok Goods" ||
		!strings.HasPrefix(shop["clientKey"], "pk_test_") || len(shop) != 2 {
		t.Error(config, err)
	}
	if strings.Contains(config, strings.TrimPrefix(secret, "X-API-Key: ")) || res.Header.Get("Cache-Control") != "no-store" {
		t.Error(res.Header)
	}
}

// Without a sandbox provider, as in production, the storefront is neither served nor in the OpenAPI document.
func TestNoStorefrontWithoutSandbox(t *testing.T) {
	t.Parallel()
	s, err := process{}.describedServer()
	if err != nil {
		t.Fatal(err)
	}
	for sandbox, want := range map[string]int{"": http.StatusNotFound, "http://sandbox": http.StatusOK} {
		o := s.routes(nil, sandbox, nil)
		app := rest.New(o)
		res, err := app.Test(httptest.NewRequest(http.MethodGet, "/demo/", nil), -1)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close() // only the status matters
		if described := strings.Contains(string(rest.Document(o)), "/demo"); res.StatusCode != want ||
			described != (want == http.StatusOK) {
			t.Errorf("with the sandbox %q: %d, described: %v", sandbox, res.StatusCode, described)
		}
	}
}

// Production serves /metrics only where it has a token, which then is asked for.
func TestProductionMetricsNeedToken(t *testing.T) {
	t.Parallel()
	s, err := process{}.describedServer()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mode  Mode
		token string
		want  int
	}{
		{Development, "", http.StatusOK}, {Development, "scraper", http.StatusUnauthorized},
		{Production, "", http.StatusNotFound}, {Production, "scraper", http.StatusUnauthorized},
	} {
		s.config.Mode, s.config.MetricsToken, s.metrics = c.mode, c.token, metrics.New(func() []ports.Circuit { return nil })
		res, err := rest.New(s.routes(nil, "", nil)).Test(httptest.NewRequest(http.MethodGet, "/metrics", nil), -1)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close() // only the status matters
		if res.StatusCode != c.want {
			t.Errorf("%s with the token %q: %d", c.mode, c.token, res.StatusCode)
		}
	}
}

// The bundle in the tree is the one that the package builds now.
func TestStorefrontBundleIsUpToDate(t *testing.T) {
	t.Parallel()
	noteTypeScript(t)
	fresh := filepath.Join(t.TempDir(), "sdk.js")
	build := exec.CommandContext(t.Context(), "npm", "run", "--silent", "example", "--", "--outfile="+fresh, "--log-level=error")
	build.Dir = typescriptFolder
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("esbuild is not installed (make clients), or fails: %v\n%s", err, out)
	}
	want, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := example.Files.ReadFile("cartwright-sdk.js"); err != nil || !bytes.Equal(got, want) {
		t.Error("example/cartwright-sdk.js is out of date: run npm run example in adapters/sdk/typescript", err)
	}
}

// The README's JavaScript block works as written, against a new server.
func TestReadmeBrowserExample(t *testing.T) {
	t.Parallel()
	noteTypeScript(t)
	server, _, m := demoShop(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(string(readme), "```js\n")
	lines, _, found := strings.Cut(lines, "```")
	script := strings.Replace(lines, "http://127.0.0.1:8080", server.url, 1)
	if !found || script == lines {
		t.Fatal("the README has no JavaScript block with the default address")
	}
	bundled := filepath.Join(t.TempDir(), "script.mjs")
	bundle := exec.CommandContext(t.Context(), "npx", "--no-install", "esbuild", "--bundle", "--format=esm", "--platform=node",
		"--log-level=error",
		"--alias:@cartwright/sdk=./src/index.ts", "--outfile="+bundled)
	bundle.Dir, bundle.Stdin = typescriptFolder, strings.NewReader(script)
	if out, err := bundle.CombinedOutput(); err != nil {
		t.Fatalf("esbuild is not installed (make clients), or fails: %v\n%s", err, out)
	}
	node := exec.CommandContext(t.Context(), "node", bundled)
	node.Env = append(os.Environ(), "CLIENT_KEY="+keys.TestClientKey)
	if out, err := node.CombinedOutput(); err != nil || string(out) != "Celadon Cup: 48 USD\n" {
		t.Errorf("the README's JavaScript block prints %q %v", out, err)
	}
}
