package program

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// The page of the console is there for every screen, with a strict content security policy. Its files have addresses of their own
// version, which browsers keep; another version's are not there.
func TestConsoleIsServed(t *testing.T) {
	t.Parallel()
	server, secret, _ := demoShop(t)
	get := func(path string, encodings ...string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept-Encoding", strings.Join(encodings, ", "))
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
	var page string
	for _, screen := range []string{"/console", "/console/", "/console/live/orders", "/console/test/records/products/0198"} {
		var res *http.Response
		res, page = get(screen)
		if p := res.Header.Get("Content-Security-Policy"); res.StatusCode != http.StatusOK || strings.Contains(p, "unsafe") ||
			!strings.Contains(p, "default-src 'none'") || !strings.Contains(p, "require-trusted-types-for 'script'") {
			t.Errorf("%s: %d %s", screen, res.StatusCode, p)
		}
		if !strings.Contains(res.Header.Get("Cache-Control"), "must-revalidate") {
			t.Errorf("%s is cached: %s", screen, res.Header.Get("Cache-Control"))
		}
	}
	if strings.Contains(page, "{{") || strings.Contains(page, "<style") || strings.Contains(page, strings.TrimPrefix(secret, "X-API-Key: ")) {
		t.Errorf("the page is %s", page)
	}
	files := regexp.MustCompile(`(?:href|src)="(/console/files/[^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(files) < 4 || !strings.Contains(page, `rel="modulepreload"`) {
		t.Fatalf("the page names %d files", len(files))
	}
	for _, file := range files {
		res, body := get(file[1])
		if res.StatusCode != http.StatusOK || body == "" || !strings.Contains(res.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", file[1], res.StatusCode, res.Header)
		}
		if res, _ := get(file[1], "gzip", "br"); res.Header.Get("Content-Encoding") != "br" || res.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s for a browser that reads brotli: %v", file[1], res.Header)
		}
	}
	version := strings.Split(files[0][1], "/")[3]
	for _, path := range []string{
		"/console/files/0123456789abcdef/main.js", "/console/files/" + version + "/console.go", "/console/files/" + version + "/../index.html",
	} {
		if res, _ := get(path); res.StatusCode == http.StatusOK && strings.Contains(res.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s is there", path)
		}
	}
}
