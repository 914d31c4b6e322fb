package rest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/problem"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// routes is an Area that calls a function.
type routes func(fiber.Router)

func (f routes) Mount(r fiber.Router) { f(r) }

// as authenticates everyone as one principal.
type as tenant.Principal

func (p as) Authenticate(context.Context, access.Credentials) (tenant.Principal, error) {
	return tenant.Principal(p), nil
}

func (as) IsSameSite(access.Credentials) bool { return true }

var secretKey = as{Kind: tenant.SecretKey, ID: "key-1", Tenant: tenant.Settings{ID: "t1"}}

func serve(t *testing.T, auth Authenticator, log io.Writer, areas ...Area) *fiber.App {
	t.Helper()
	return New(Options{
		Log: slog.New(slog.NewJSONHandler(log, nil)), Access: auth, Areas: areas,
		NewID: func() string { return "made-id" }, Now: func() time.Time { return time.Unix(0, 0) },
		Checks: []Check{{Name: "database", Ready: func(context.Context) error { return nil }}},
	})
}

func request(
	t *testing.T, app *fiber.App, method, path, body string, headers ...string,
) (status int, answer string, header map[string][]string) {
	t.Helper()
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	if body == "" {
		req.Body = nil
	} else {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := app.Test(req, -1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b), res.Header
}

func TestEveryKindHasAStatusAndCode(t *testing.T) {
	for _, k := range fault.Kinds() {
		if w := errorForms[k]; w.status == 0 || problem.Code(k) == "" || w.name == "" {
			t.Errorf("kind %d is not mapped", k)
		}
	}
}

var echo = routes(func(r fiber.Router) {
	r.Post("/things", func(c *fiber.Ctx) error {
		body, err := readObject(c)
		if err != nil {
			return err
		}
		return send(c, 200, collection.AppendJSONValue(nil, body))
	})
	r.Get("/panic", func(*fiber.Ctx) error { panic("secret detail") })
	r.Get("/broken", func(*fiber.Ctx) error { return errors.New("secret detail") })
	r.Get("/late", func(*fiber.Ctx) error { return context.DeadlineExceeded })
	r.Get("/busy", func(*fiber.Ctx) error { return fault.ErrUnavailable.WithRetry(1500 * time.Millisecond) })
	r.Get("/fields", func(*fiber.Ctx) error { return fault.Invalidf("lines.0.quantity", "Too many.") })
})

func TestFailuresAreErrorBodies(t *testing.T) {
	app := serve(t, secretKey, io.Discard, echo)
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	for name, c := range map[string]struct {
		method, path, body string
		headers            []string
		status             int
		want               string
	}{
		"unknown route": {
			"GET", "/api/nothing", "", nil, 404,
			`{"errors":[{"extensions":{"code":"NOT_FOUND","reason":"route_not_found","requestId":"made-id"},"message":"There is no such endpoint.","name":"NotFound"}]}`,
		},
		"wrong method":    {"DELETE", "/api/things", "", nil, 405, `"reason":"method_not_allowed"`},
		"panic":           {"GET", "/api/panic", "", nil, 500, `"message":"Something went wrong on our side."`},
		"plain error":     {"GET", "/api/broken", "", nil, 500, `"code":"INTERNAL_SERVER_ERROR"`},
		"out of time":     {"GET", "/api/late", "", nil, 503, `"retryable":true`},
		"retry after":     {"GET", "/api/busy", "", nil, 503, `"retryAfter":2`},
		"invalid fields":  {"GET", "/api/fields", "", nil, 400, `"data":[{"field":"lines.0.quantity","message":"Too many."}]`},
		"broken JSON":     {"POST", "/api/things", `{"a":`, nil, 400, `not valid JSON`},
		"key given twice": {"POST", "/api/things", `{"a":1,"a":2}`, nil, 400, `The key \"a\" is given twice.`},
		"something after": {"POST", "/api/things", `{} {}`, nil, 400, `Something follows`},
		"not an object":   {"POST", "/api/things", `[1]`, nil, 400, `A JSON object is expected.`},
		"null":            {"POST", "/api/things", `null`, nil, 400, `A JSON object is expected.`},
		"deep":            {"POST", "/api/things", `{"a":` + deep + `}`, nil, 400, `nests deeper`},
		"no body":         {"POST", "/api/things", ``, nil, 400, `The body is empty`},
		"invalid UTF-8":   {"POST", "/api/things", "{\"a\":\"\xff\"}", nil, 400, `UTF-8`},
		"NUL":             {"POST", "/api/things", `{"a":"\u0000"}`, nil, 400, `NUL`},
		"too large":       {"POST", "/api/things", `{"a":"` + strings.Repeat("x", jsonLimit) + `"}`, nil, 413, `"reason":"body_too_large"`},
		"another media type": {
			"POST", "/api/things", `a=b`, []string{"Content-Type", "application/x-www-form-urlencoded"}, 415,
			`"reason":"media_type_not_supported"`,
		},
		"compressed":               {"POST", "/api/things", `{}`, []string{"Content-Encoding", "gzip"}, 415, `compressed`},
		"request id of the caller": {"GET", "/api/nothing", "", []string{"X-Request-Id", "mine-1"}, 404, `"requestId":"mine-1"`},
		"unusable request id": {
			"GET", "/api/nothing", "", []string{"X-Request-Id", strings.Repeat("x", 129)}, 404, `"requestId":"made-id"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			status, body, header := request(t, app, c.method, c.path, c.body, c.headers...)
			if status == 400 && !regexp.MustCompile(`"data":\[\{"field":"[^"]`).MatchString(body) {
				t.Errorf("a validation error names no input: %s", body)
			}
			if status != c.status || !strings.Contains(body, c.want) {
				t.Errorf("got %d %s", status, body)
			}
			if strings.Contains(body, "secret detail") || header["X-Request-Id"] == nil {
				t.Errorf("%s %v", body, header)
			}
			if status == 405 && header["Allow"] == nil {
				t.Error("no Allow header")
			}
			if name == "retry after" && header["Retry-After"][0] != "2" {
				t.Error(header["Retry-After"])
			}
		})
	}
}

func TestNumberTextIsPreserved(t *testing.T) {
	app := serve(t, secretKey, io.Discard, echo)
	const exact = `{"a":19.990,"b":12345678901234567890.5,"c":[null,true]}`
	if status, body, _ := request(t, app, "POST", "/api/things", exact); status != 200 || body != exact {
		t.Errorf("got %d %s", status, body)
	}
}

func TestInternalErrorsAreLoggedOnceWithoutSecrets(t *testing.T) {
	var log bytes.Buffer
	app := serve(t, secretKey, &log, echo)
	request(t, app, "GET", "/api/panic?token=ct_hidden", "", "X-API-Key", "sk_live_hidden", "Authorization", "Bearer hidden", headerKey,
		"ik_hidden_hidden_hidden")
	if n := strings.Count(log.String(), "request failed"); n != 1 || !strings.Contains(log.String(), "edge_test.go") {
		t.Errorf("logged %d times: %s", n, log.String())
	}
	if strings.Contains(log.String(), "hidden") {
		t.Error(log.String())
	}
}

func TestReplyStatusAndHeaders(t *testing.T) {
	answers := map[string]idempotency.Response{
		"created":  {Result: ports.ReceiptCreated, Body: reply.FromText([]byte(`{"a":1}`)), Revision: 1},
		"replayed": {Result: ports.ReceiptOK, Body: reply.FromText([]byte(`{"a":1}`)), Revision: 7, Replayed: true},
		"refused": {
			Fault: idempotency.ErrKeyReused.WithData("n", int64(3)), Replayed: true, RequestID: "first-id", Result: ports.ReceiptRefused,
		},
	}
	app := serve(t, secretKey, io.Discard, routes(func(r fiber.Router) {
		r.Get("/:which", func(c *fiber.Ctx) error { return sendResponse(c, answers[c.Params("which")]) })
	}))
	for name, want := range map[string]struct {
		status                   int
		body, replayed, revision string
	}{
		"created":  {201, `{"a":1}`, "", "1"},
		"replayed": {200, `{"a":1}`, "true", "7"},
		"refused":  {422, `{"errors":[{"data":{"n":3},"extensions":{"code":"UNPROCESSABLE","reason":"idempotency_key_reused","requestId":"first-id"},"message":"This idempotency key was already used for a different request.","name":"CommerceError"}]}`, "true", ""},
	} {
		status, body, h := request(t, app, "GET", "/api/"+name, "")
		got := func(k string) string { return strings.Join(h[k], "") }
		if status != want.status || body != want.body || got("Idempotency-Replayed") != want.replayed ||
			got("X-Cart-Revision") != want.revision {
			t.Errorf("%s: %d %s %v", name, status, body, h)
		}
	}
}

func TestPrefixesAdmitTheirPrincipals(t *testing.T) {
	area := Operations{{
		Name: "carts.addItem", Method: "POST", Path: "/carts/{id}/items", Surfaces: operation.Both, KeyPolicy: operation.KeyRequired,
		Params: []collection.Field{{Name: "id", Kind: collection.Text}},
		Run: func(_ context.Context, call idempotency.Call, _ *operation.Input) (idempotency.Response, error) {
			if want := idempotency.Fingerprint("POST", "/api"+prefixOf(call)+"/carts/:id/items", []string{"c1"}, map[string]any{}); call.Fingerprint != want {
				t.Error("receipts of an older version must still be found")
			}
			answer := map[string]any{"key": call.Key, "server": call.Server, "scope": call.Scope()}
			return idempotency.Response{Body: reply.Of(collection.Everyone, reply.Member{Value: answer})}, nil
		},
	}}
	clientKey := as{Kind: tenant.ClientKey, ID: "key-2", Tenant: tenant.Settings{ID: "t1"}}
	for name, c := range map[string]struct {
		caller as
		prefix string
		status int
		want   string
	}{
		"secret key on the server prefix": {
			secretKey, "/api/server/commerce", 200, `{"key":"0123456789abcdef","scope":"secret-key:key-1","server":true}`,
		},
		"secret key on the public prefix":               {secretKey, "/api/commerce", 403, "use /server/commerce"},
		"client key on the server prefix":               {clientKey, "/api/server/commerce", 403, `"FORBIDDEN"`},
		"client key on the public prefix":               {clientKey, "/api/commerce", 200, `"server":false`},
		"an anonymous call on the public prefix is 401": {as{Kind: tenant.Anonymous}, "/api/commerce", 401, `"UNAUTHENTICATED"`},
	} {
		t.Run(name, func(t *testing.T) {
			app := serve(t, c.caller, io.Discard, area)
			status, body, _ := request(t, app, "POST", c.prefix+"/carts/c1/items", "{}", headerKey, `"0123456789abcdef"`)
			if status != c.status || !strings.Contains(body, c.want) {
				t.Errorf("got %d %s", status, body)
			}
		})
	}
}

func prefixOf(call idempotency.Call) string {
	if call.Server {
		return "/server/commerce"
	}
	return "/commerce"
}

func TestHealth(t *testing.T) {
	down := errors.New("down")
	app := New(Options{Log: slog.New(slog.DiscardHandler), Access: secretKey, NewID: func() string { return "id" }, Now: time.Now,
		Checks: []Check{{Name: "database", Ready: func(context.Context) error { return down }}}})
	if status, body, _ := request(t, app, "GET", "/healthz", ""); status != 200 || body != `{"status":"ok"}` {
		t.Errorf("%d %s", status, body)
	}
	if status, body, _ := request(t, app, "GET", "/readyz", ""); status != 503 ||
		body != `{"checks":{"database":"failed"},"status":"unavailable"}` {
		t.Errorf("%d %s", status, body)
	}
}

func TestMetricsNeedTheirToken(t *testing.T) {
	app := New(Options{Log: slog.New(slog.DiscardHandler), Access: secretKey, NewID: func() string { return "id" }, Now: time.Now,
		Root: []Area{Metrics{Token: "scraper", Expose: func(string) (string, []byte, error) { return "text/plain", []byte("up 1\n"), nil }}}})
	for _, wrong := range []string{"", "Bearer", "Bearer scrape", "Basic scraper"} {
		if status, body, _ := request(t, app, "GET", "/metrics", "", "Authorization", wrong); status != 401 || strings.Contains(body, "up") {
			t.Errorf("with %q: %d %s", wrong, status, body)
		}
	}
	if status, body, _ := request(t, app, "GET", "/metrics", "", "Authorization", "Bearer scraper"); status != 200 || body != "up 1\n" {
		t.Errorf("%d %s", status, body)
	}
}

// A provider with an open circuit is listed and does not affect readiness; providers with closed circuits are
// not listed.
func TestReadinessListsOpenCircuits(t *testing.T) {
	circuits := []ports.Circuit{
		{Name: "database", State: ports.CircuitClosed}, {Name: "redis", State: ports.CircuitHalfOpen},
		{Name: "provider", Connection: "c1", State: ports.CircuitOpen}, {Name: "provider", Connection: "c2", State: ports.CircuitClosed},
	}
	app := New(Options{
		Log: slog.New(slog.DiscardHandler), Access: secretKey, NewID: func() string { return "id" }, Now: time.Now,
		Circuits: func() []ports.Circuit { return circuits },
	})
	want := `{"checks":{},"circuits":{"database":"closed","providers":{"c1":"open"},"redis":"half-open"},"status":"ok"}`
	if status, body, _ := request(t, app, "GET", "/readyz", ""); status != 200 || body != want {
		t.Errorf("%d %s", status, body)
	}
	for i := range 1000 {
		circuits = append(circuits, ports.Circuit{Name: "provider", Connection: strconv.Itoa(i), State: ports.CircuitOpen})
	}
	if _, body, _ := request(t, app, "GET", "/readyz", ""); strings.Count(body, `"open"`) != maxCircuits {
		t.Errorf("%d providers are listed", strings.Count(body, `"open"`))
	}
}

// A server on which only optional checks fail stays ready, so that load balancers keep sending to it.
func TestReadinessIsDegradedWithoutOptionalChecks(t *testing.T) {
	well, down := func(context.Context) error { return nil }, func(context.Context) error { return errors.New("down") }
	for name, c := range map[string]struct {
		checks []Check
		status int
		body   string
	}{
		"all succeed": {
			[]Check{{Name: "a", Ready: well}, {Name: "b", Ready: well, Optional: true}}, 200,
			`{"checks":{"a":"ok","b":"ok"},"status":"ok"}`,
		},
		"an optional check fails": {
			[]Check{{Name: "a", Ready: well}, {Name: "b", Ready: down, Optional: true}}, 200,
			`{"checks":{"a":"ok","b":"failed"},"status":"degraded"}`,
		},
		"a required check fails": {
			[]Check{{Name: "a", Ready: down}, {Name: "b", Ready: well, Optional: true}}, 503,
			`{"checks":{"a":"failed","b":"ok"},"status":"unavailable"}`,
		},
		"both fail, optional last": {
			[]Check{{Name: "a", Ready: down}, {Name: "b", Ready: down, Optional: true}}, 503,
			`{"checks":{"a":"failed","b":"failed"},"status":"unavailable"}`,
		},
		"both fail, optional first": {
			[]Check{{Name: "b", Ready: down, Optional: true}, {Name: "a", Ready: down}}, 503,
			`{"checks":{"a":"failed","b":"failed"},"status":"unavailable"}`,
		},
	} {
		app := New(Options{
			Log: slog.New(slog.DiscardHandler), Access: secretKey, NewID: func() string { return "id" }, Now: time.Now, Checks: c.checks,
		})
		if status, body, _ := request(t, app, "GET", "/readyz", ""); status != c.status || body != c.body {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
}
