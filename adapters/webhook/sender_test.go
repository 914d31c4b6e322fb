package webhook_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/cartwright-dev/cartwright/adapters/webhook"
	domain "github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// endpoint serves h and counts connections.
func endpoint(t *testing.T, h http.HandlerFunc) (s *httptest.Server, dialled *atomic.Int64) {
	t.Helper()
	dialled = &atomic.Int64{}
	s = httptest.NewUnstartedServer(h)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			dialled.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s, dialled
}

func ok(http.ResponseWriter, *http.Request) {}

// Contract 10: what arrives is what was signed.
func TestADeliveryArrivesAsItWasSigned(t *testing.T) {
	t.Parallel()
	hook, err := standardwebhooks.NewWebhook(newSecret)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = hook.Verify(body, r.Header)
		}
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Webhook-Sequence") != "7" || r.URL.RawQuery != "shop=1" {
			http.Error(w, "not as it was signed", http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "thank you")
	})
	body := []byte(`{"collection":"orders"}`)
	headers, err := webhook.Signer{}.Sign("evt_1", time.Now(), body, newSecret, oldSecret)
	if err != nil {
		t.Fatal(err)
	}
	headers["webhook-sequence"] = "7"
	got := webhook.NewSender(webhook.Options{AllowPrivate: true}).Send(t.Context(), ports.WebhookRequest{URL: s.URL + "/in?shop=1", Headers: headers, Body: body})
	if got.Status != http.StatusAccepted || got.Response != "thank you" || got.Failure != "" || got.Took <= 0 {
		t.Errorf("answer %+v", got)
	}
}

// Pitfalls R60.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	secret, dialled := endpoint(t, ok)
	for _, status := range []int{301, 302, 303, 307, 308} {
		s, _ := endpoint(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, secret.URL, status) })
		got := webhook.NewSender(webhook.Options{AllowPrivate: true}).Send(t.Context(), ports.WebhookRequest{URL: s.URL})
		if got.Status != status || dialled.Load() != 0 {
			t.Errorf("%d: answer %+v, %d connections to where it pointed", status, got, dialled.Load())
		}
	}
}

// Pitfalls R60: what a name stands for is decided when it is dialled.
func TestANameThatTurnsPrivateIsNotDialled(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]string{"loopback": "127.0.0.1", "loopback, mapped": "::ffff:127.0.0.1", "IPv6 loopback": "::1", "NAT64": "64:ff9b::7f00:1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dialled := endpoint(t, ok)
			resolver := names(t, "93.184.216.34", address) // public when it is looked at, private when it is used
			seen, err := resolver.LookupNetIP(t.Context(), "ip", "rebind.example.")
			if err != nil || len(seen) != 1 || seen[0].Unmap().String() != "93.184.216.34" {
				t.Fatalf("looked up %v (%v)", seen, err)
			}
			sender := webhook.NewSender(webhook.Options{Resolver: resolver, Public: domain.Where{Plain: true, AnyPort: true}})
			_, at, _ := strings.Cut(s.Listener.Addr().String(), ":")
			got := sender.Send(t.Context(), ports.WebhookRequest{URL: "http://rebind.example.:" + at})
			if got.Status != 0 || got.Failure != domain.AddressNotAllowed || dialled.Load() != 0 {
				t.Errorf("answer %+v, %d connections", got, dialled.Load())
			}
		})
	}
}

func TestForbiddenAddressesAreNotDialled(t *testing.T) {
	t.Parallel()
	s, dialled := endpoint(t, ok)
	_, at, _ := strings.Cut(s.Listener.Addr().String(), ":")
	sender := webhook.NewSender(webhook.Options{Public: domain.Where{Plain: true, AnyPort: true}})
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0.0.0.0", "me:secret@127.0.0.1"} {
		got := sender.Send(t.Context(), ports.WebhookRequest{URL: "http://" + host + ":" + at})
		if got.Status != 0 || got.Failure != domain.AddressNotAllowed || dialled.Load() != 0 {
			t.Errorf("%s: answer %+v, %d connections", host, got, dialled.Load())
		}
		if strings.Contains(got.Response, "127.") || strings.Contains(got.Response, "secret") {
			t.Errorf("%s: tells %q", host, got.Response)
		}
	}
	got := webhook.NewSender(webhook.Options{}).Send(t.Context(), ports.WebhookRequest{URL: s.URL})
	if got.Failure != domain.AddressNotAllowed || dialled.Load() != 0 {
		t.Errorf("plain text: %+v", got)
	}
}

func TestNoProxyIsAsked(t *testing.T) { //nolint:paralleltest // sets the environment
	proxy, asked := endpoint(t, ok)
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("HTTPS_PROXY", proxy.URL)
	s, _ := endpoint(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	_, at, _ := strings.Cut(s.Listener.Addr().String(), ":")
	sender := webhook.NewSender(webhook.Options{AllowPrivate: true, Resolver: names(t, "127.0.0.1")})
	if got := sender.Send(t.Context(), ports.WebhookRequest{URL: "http://hooks.example.:" + at}); got.Status != http.StatusNoContent || asked.Load() != 0 {
		t.Errorf("answer %+v, %d connections to the proxy", got, asked.Load())
	}
}

func TestASlowEndpointIsGivenUp(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	s, _ := endpoint(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	})
	t.Cleanup(func() { close(hang) })
	got := webhook.NewSender(webhook.Options{AllowPrivate: true, Timeout: 50 * time.Millisecond}).Send(t.Context(), ports.WebhookRequest{URL: s.URL})
	if got.Status != 0 || got.Failure != domain.Timeout || got.Response != "no answer within 50ms" {
		t.Errorf("answer %+v", got)
	}
}

// A status is an answer, whatever follows it or does not.
func TestEndlessAndBrokenAnswersCount(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"endless": func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := io.WriteString(w, strings.Repeat("가", 1000)); err != nil {
					return
				}
			}
		},
		"hanging": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat("가", 1000))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
		"broken off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5000")
			_, _ = io.WriteString(w, strings.Repeat("가", 1000))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := endpoint(t, h)
			got := webhook.NewSender(webhook.Options{AllowPrivate: true, Timeout: 500 * time.Millisecond}).Send(t.Context(), ports.WebhookRequest{URL: s.URL})
			if got.Status != http.StatusOK || got.Response != strings.Repeat("가", 341) { // 1024 bytes hold 341 of them and a third
				t.Errorf("status %d, failure %q, %d bytes", got.Status, got.Failure, len(got.Response))
			}
		})
	}
}

func TestAnswersAreShownAsText(t *testing.T) {
	t.Parallel()
	s, _ := endpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = w.Write([]byte("a\x00b\x1b[31m\xff\xfe 오류\n\tc\r\n"))
	})
	got := webhook.NewSender(webhook.Options{AllowPrivate: true}).Send(t.Context(), ports.WebhookRequest{URL: s.URL})
	if got.Status != http.StatusInternalServerError || got.Response != "ab[31m 오류\n\tc" {
		t.Errorf("answer %+v", got)
	}
}

func TestRetryAfterIsRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]time.Duration{
		"":         {0, 0},
		"120":      {2 * time.Minute, 2 * time.Minute},
		"soon":     {0, 0},
		"-5":       {0, 0},
		"99999999": {24 * time.Hour, 24 * time.Hour},
		time.Now().Add(time.Hour).UTC().Format(http.TimeFormat):  {59 * time.Minute, time.Hour},
		time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat): {0, 0},
	} {
		s, _ := endpoint(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", text)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		got := webhook.NewSender(webhook.Options{AllowPrivate: true}).Send(t.Context(), ports.WebhookRequest{URL: s.URL})
		if got.Status != http.StatusTooManyRequests || got.RetryAfter < want[0] || got.RetryAfter > want[1] {
			t.Errorf("%q: %v", text, got.RetryAfter)
		}
	}
}

func TestWhyThereIsNoAnswer(t *testing.T) {
	t.Parallel()
	gone, _ := endpoint(t, ok)
	gone.Close()
	secure := httptest.NewTLSServer(http.HandlerFunc(ok))
	t.Cleanup(secure.Close)
	plain, _ := endpoint(t, ok)
	babble := babbler(t)
	for url, want := range map[string]domain.Failure{
		gone.URL: domain.Unreachable, secure.URL: domain.Insecure, "https" + strings.TrimPrefix(plain.URL, "http"): domain.Insecure,
		"http://nobody.example.": domain.UnknownHost, babble: domain.NoSense,
	} {
		got := webhook.NewSender(webhook.Options{AllowPrivate: true, Resolver: names(t)}).Send(t.Context(), ports.WebhookRequest{URL: url})
		if got.Status != 0 || got.Failure != want || got.Response == "" || strings.Contains(got.Response, "127.0.0.1") {
			t.Errorf("%s: %+v, want %s", url, got, want)
		}
	}
	trusted := webhook.NewSender(webhook.Options{AllowPrivate: true, Roots: roots(secure)})
	if got := trusted.Send(t.Context(), ports.WebhookRequest{URL: secure.URL}); got.Status != http.StatusOK {
		t.Errorf("with a good certificate: %+v", got)
	}
	gaveUp, cancel := context.WithCancel(t.Context())
	cancel()
	if got := trusted.Send(gaveUp, ports.WebhookRequest{URL: secure.URL}); got.Status != 0 || got.Failure == "" {
		t.Errorf("given up: %+v", got)
	}
}

// Connections are used again, and one that hangs takes no other with it.
func TestConnectionsAreUsedAgain(t *testing.T) {
	t.Parallel()
	s, dialled := endpoint(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", 4<<10)) })
	sender := webhook.NewSender(webhook.Options{AllowPrivate: true})
	for range 5 {
		if got := sender.Send(t.Context(), ports.WebhookRequest{URL: s.URL}); got.Status != http.StatusOK {
			t.Fatalf("answer %+v", got)
		}
	}
	if dialled.Load() != 1 {
		t.Errorf("%d connections for five deliveries", dialled.Load())
	}
}
