package program

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every path lists in Allow exactly the methods that it answers otherwise than with 405.
func TestAllowListsWhatAnswers(t *testing.T) {
	t.Parallel()
	paths, send := everyPath(t)
	for path := range paths {
		refused := map[string]*http.Response{"OPTIONS": send("OPTIONS", path), "BREW": send("BREW", path)}
		var answered []string
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "TRACE"} {
			if res := send(method, path); res.StatusCode == http.StatusMethodNotAllowed {
				refused[method] = res
			} else {
				answered = append(answered, method)
			}
		}
		for method, res := range refused {
			want := map[bool]int{true: http.StatusNoContent, false: http.StatusMethodNotAllowed}[method == "OPTIONS"]
			if allow := res.Header.Get("Allow"); allow != strings.Join(append(slices.Clone(answered), "OPTIONS"), ", ") || res.StatusCode != want {
				t.Errorf("%s %s: %d, Allow %q; it answers %v", method, path, res.StatusCode, allow, answered)
			}
		}
	}
}

// No cache stores the answer of a path that does not say so: pages, files, and the API's description do. The schemas and the forms
// of addresses may be kept by the client itself alone, which asks each time: the console reads them at every start. Rules api-9, api-26.
func TestOnlyPagesAreStored(t *testing.T) {
	t.Parallel()
	paths, send := everyPath(t)
	for path := range paths {
		page := slices.ContainsFunc([]string{"/api/docs", "/api/openapi.json", "/api/graphql-playground", "/demo", "/console"},
			func(under string) bool { return strings.HasPrefix(path, under) })
		store := send("GET", path).Header.Get("Cache-Control")
		if path == "/api/schemas" || path == "/api/server/commerce/addresses/format" {
			if store != "private, no-cache" {
				t.Errorf("%s: Cache-Control %q", path, store)
			}
			continue
		}
		if !page && !strings.Contains(store, "no-store") || store == "" {
			t.Errorf("%s: Cache-Control %q", path, store)
		}
	}
}

// everyPath starts a server, and returns a path of every route of it, and send, which sends a request with the secret
// key and an empty object.
func everyPath(t *testing.T) (paths map[string]bool, send func(method, path string) *http.Response) {
	t.Helper()
	c := testDefaults()
	c.Address, c.Data, c.BurstPerMinute = "127.0.0.1:0", demoFolder(t), 0
	log, _ := captureLog(t)
	return everyPathOf(t, startServer(t, c, time.Now, log))
}

// everyPathOf is everyPath of a server that was started.
func everyPathOf(t *testing.T, s *Server) (paths map[string]bool, send func(method, path string) *http.Response) {
	t.Helper()
	paths = map[string]bool{}
	for _, r := range s.app.GetRoutes(true) {
		paths[pathOf(r.Path)] = true
	}
	if len(paths) < 150 {
		t.Fatalf("only %d paths", len(paths))
	}
	return paths, func(method, path string) *http.Response {
		t.Helper()
		req := httptest.NewRequest(method, path, strings.NewReader("{}"))
		req.Header.Set("Content-Type", "application/json")
		if path != "/api/events/stream" { // without an end for those who may read it
			req.Header.Set("X-Api-Key", s.NewCredentials.SecretKey)
		}
		res, err := s.app.Test(req, -1)
		if err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
		_ = res.Body.Close() // only the head counts
		return res
	}
}

// pathOf is a path of a route, with a word for each of its parameters.
func pathOf(pattern string) string {
	steps := strings.Split(pattern, "/")
	for i, s := range steps {
		if strings.HasPrefix(s, ":") {
			steps[i] = "nothing"
		}
	}
	return strings.Join(steps, "/")
}
