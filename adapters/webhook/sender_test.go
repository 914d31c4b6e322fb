package webhook_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/webhook"
	domain "github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// endpoint serves h and counts connections.
func endpoint(t *testing.T, h http.HandlerFunc) (s *httptest.Server, dialed *atomic.Int64) {
	t.Helper()
	dialed = &atomic.Int64{}
	s = httptest.NewUnstartedServer(h)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			dialed.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s, dialed
}

func ok(http.ResponseWriter, *http.Request) {}

// Rules webhooks-2, webhooks-4 and webhooks-13.
func TestSender(t *testing.T) {
	t.Parallel()
	portstest.WebhookSender(t, func(o portstest.WebhookSenderOptions) ports.WebhookSender {
		return webhook.NewSender(webhook.Options{
			AllowPrivate: o.AllowPrivate, Timeout: o.Timeout, Roots: o.Roots,
			Public: domain.AddressPolicy{AllowHTTP: true, AllowAnyPort: true},
		})
	})
}

func TestProductionSenderRefusesPlainText(t *testing.T) {
	t.Parallel()
	s, dialed := endpoint(t, ok)
	got := webhook.NewSender(webhook.Options{}).Send(t.Context(), ports.WebhookRequest{URL: s.URL})
	if got.Failure != domain.AddressNotAllowed || dialed.Load() != 0 {
		t.Errorf("answer %+v, %d connections", got, dialed.Load())
	}
}

func TestUnknownHostIsNamedAsSuch(t *testing.T) {
	t.Parallel()
	sender := webhook.NewSender(webhook.Options{AllowPrivate: true, Resolver: names(t)})
	if got := sender.Send(t.Context(), ports.WebhookRequest{URL: "http://nobody.example."}); got.Status != 0 ||
		got.Failure != domain.UnknownHost || got.Excerpt == "" {
		t.Errorf("answer %+v", got)
	}
}

// Rule webhooks-13: the address is checked when it is dialed.
func TestDNSRebindingIsRefused(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]string{
		"loopback": "127.0.0.1", "loopback, mapped": "::ffff:127.0.0.1", "IPv6 loopback": "::1", "NAT64": "64:ff9b::7f00:1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dialed := endpoint(t, ok)
			resolver := names(t, "93.184.216.34", address) // public when it is checked, private when it is dialed
			seen, err := resolver.LookupNetIP(t.Context(), "ip", "rebind.example.")
			if err != nil || len(seen) != 1 || seen[0].Unmap().String() != "93.184.216.34" {
				t.Fatalf("looked up %v (%v)", seen, err)
			}
			sender := webhook.NewSender(webhook.Options{
				Resolver: resolver, Public: domain.AddressPolicy{AllowHTTP: true, AllowAnyPort: true},
			})
			_, at, _ := strings.Cut(s.Listener.Addr().String(), ":")
			got := sender.Send(t.Context(), ports.WebhookRequest{URL: "http://rebind.example.:" + at})
			if got.Status != 0 || got.Failure != domain.AddressNotAllowed || dialed.Load() != 0 {
				t.Errorf("answer %+v, %d connections", got, dialed.Load())
			}
		})
	}
}

func TestProxyIsIgnored(t *testing.T) { //nolint:paralleltest // sets the environment
	proxy, asked := endpoint(t, ok)
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("HTTPS_PROXY", proxy.URL)
	s, _ := endpoint(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	_, at, _ := strings.Cut(s.Listener.Addr().String(), ":")
	sender := webhook.NewSender(webhook.Options{AllowPrivate: true, Resolver: names(t, "127.0.0.1")})
	if got := sender.Send(t.Context(), ports.WebhookRequest{URL: "http://hooks.example.:" + at}); got.Status != http.StatusNoContent ||
		asked.Load() != 0 {
		t.Errorf("answer %+v, %d connections to the proxy", got, asked.Load())
	}
}

// Connections are reused, and a hanging request does not block others.
func TestConnectionsAreReused(t *testing.T) {
	t.Parallel()
	s, dialed := endpoint(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", 4<<10)) })
	sender := webhook.NewSender(webhook.Options{AllowPrivate: true})
	for range 5 {
		if got := sender.Send(t.Context(), ports.WebhookRequest{URL: s.URL}); got.Status != http.StatusOK {
			t.Fatalf("answer %+v", got)
		}
	}
	if dialed.Load() != 1 {
		t.Errorf("%d connections for five deliveries", dialed.Load())
	}
}
