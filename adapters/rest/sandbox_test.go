package rest

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var testKey = as{
	Kind: tenant.SecretKey, ID: "key-2", Tenant: tenant.Settings{ID: "t1"}, Environment: tenant.Test, CanRead: true, CanWrite: true,
}

// provider answers like the sandbox and echoes the request.
func provider(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.HasPrefix(r.URL.Path, "/sandbox/pay/") && r.Method == http.MethodPost:
			http.Redirect(w, r, "https://shop.example/thanks", http.StatusSeeOther)
		case strings.HasPrefix(r.URL.Path, "/sandbox/pay/"):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", "default-src 'none'")
			fmt.Fprintf(w, "<h1>%s %s</h1>", r.URL.Path, r.Header.Get("Cookie")+r.Header.Get("X-API-Key"))
		case strings.Contains(string(body), "unknown"):
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"code":"NOT_FOUND_PAYMENT","message":"There is no such payment."}`)
		case strings.Contains(string(body), "late"):
			w.WriteHeader(http.StatusConflict)
			fmt.Fprint(w, `{"code":"PAYMENT_NOT_OPEN","message":"The payment is closed."}`)
		default:
			fmt.Fprintf(w, `{"auth":%q,"path":%q,"body":%q}`, r.Header.Get("Authorization"), r.URL.Path, body)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func sandboxApp(url string, auth Authenticator) *fiber.App {
	return New(Options{
		Log: slog.New(slog.DiscardHandler), Access: auth, NewID: func() string { return "made-id" },
		Now:  func() time.Time { return time.Unix(0, 0) },
		Root: []Area{Sandbox{URL: url, Access: auth, Secret: func(id tenant.ID) string { return "secret-of-" + string(id) }}},
	})
}

func TestSandboxForwardsRequests(t *testing.T) {
	t.Parallel()
	live := testKey
	live.Environment = tenant.Live
	nobody := as{Kind: tenant.Anonymous}
	for name, rule := range map[string]struct {
		off                bool
		caller             as
		method, path, body string
		status             int
		message            string
	}{
		"the payment page is forwarded without cookies and keys": {
			caller: nobody, method: "GET", path: "/sandbox/pay/ses_1", status: 200, message: "<h1>/sandbox/pay/ses_1 </h1>",
		},
		"a decision redirects the buyer": {
			caller: nobody, method: "POST", path: "/sandbox/pay/ses_1", body: "outcome=approve", status: 303,
		},
		"a scripted buyer needs no key": {
			caller: nobody, method: "POST", path: "/sandbox/authorize", body: `{"orderId":"abc123"}`, status: 200, message: `"auth":""`,
		},
		"an unknown payment is not found": {
			caller: nobody, method: "POST", path: "/sandbox/authorize", body: `{"orderId":"unknown"}`, status: 404,
			message: "There is no such payment.",
		},
		"a deposit names its payment": {
			caller: nobody, method: "POST", path: "/sandbox/payments/abc123/deposit", status: 200, message: `"path":"/sandbox/payments/abc123/deposit"`,
		},
		"so does its reversal": {
			caller: nobody, method: "POST", path: "/sandbox/payments/abc123/reverse", body: "{}", status: 200,
			message: `"path":"/sandbox/payments/abc123/reverse"`,
		},
		"and its dispute": {
			caller: nobody, method: "POST", path: "/sandbox/payments/abc123/dispute", body: "{}", status: 200,
			message: `"path":"/sandbox/payments/abc123/dispute"`,
		},
		"production has no deposits": {
			off: true, caller: nobody, method: "POST", path: "/sandbox/payments/abc123/deposit", status: 403, message: "sandbox_disabled",
		},
		"a closed payment is a conflict": {
			caller: nobody, method: "POST", path: "/sandbox/authorize", body: `{"orderId":"late"}`, status: 409, message: "sandbox_refused",
		},
		"faults are for the tenant of a test secret key": {
			caller: testKey, method: "PUT", path: "/sandbox/faults", body: `{"failNext":1}`, status: 200, message: "Bearer secret-of-t1",
		},
		"faults refuse a live key": {
			caller: live, method: "PUT", path: "/sandbox/faults", body: `{"failNext":1}`, status: 403, message: "forbidden",
		},
		"faults need a caller": {caller: nobody, method: "DELETE", path: "/sandbox/faults", status: 401},
		"production has no payment page": {
			off: true, caller: nobody, method: "GET", path: "/sandbox/pay/ses_1", status: 403, message: "sandbox_disabled",
		},
		"production has no scripted buyer": {
			off: true, caller: nobody, method: "POST", path: "/sandbox/authorize", body: `{}`, status: 403, message: "sandbox_disabled",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := provider(t)
			if rule.off {
				url = ""
			}
			status, body, header := request(t, sandboxApp(url, rule.caller), rule.method, rule.path, rule.body, "Cookie", "a=b",
				"X-API-Key", "sk_test_x")
			if status != rule.status || !strings.Contains(body, rule.message) {
				t.Errorf("got %d %s", status, body)
			}
			if status == 303 && header["Location"][0] != "https://shop.example/thanks" {
				t.Errorf("redirected to %v", header["Location"])
			}
		})
	}
}

func TestUnreachableSandboxIsUnavailable(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	if status, body, _ := request(t, sandboxApp(server.URL, testKey), "GET", "/sandbox/pay/x", ""); status != 503 ||
		!strings.Contains(body, "provider_unavailable") {
		t.Errorf("got %d %s", status, body)
	}
}
