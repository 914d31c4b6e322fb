package portstest

import (
	"context"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// WebhookSenderOptions are what the suite asks of a sender.
type WebhookSenderOptions struct {
	AllowPrivate bool           // it may dial this machine; else public addresses alone, in plain text and on any port
	Timeout      time.Duration  // of an attempt; 0: that of production
	Roots        *x509.CertPool // certificates that it trusts; nil: the system's
}

// webhookSenders makes senders for one suite.
type webhookSenders struct {
	open func(WebhookSenderOptions) ports.WebhookSender
}

// WebhookSender checks ports.WebhookSender of the senders that open makes, against servers on this machine.
func WebhookSender(t *testing.T, open func(WebhookSenderOptions) ports.WebhookSender) {
	s := webhookSenders{open}
	t.Run("the request arrives byte for byte, and its answer is returned", s.testRequest)
	t.Run("redirects are answers and are not followed", s.testRedirects)
	t.Run("no private address is dialed unless it is allowed", s.testPrivateAddresses)
	t.Run("an endpoint that does not answer in time is a timeout", s.testTimeout)
	t.Run("a status counts whatever becomes of the body", s.testBrokenBodies)
	t.Run("a body that is to be read is kept whole or not at all", s.testKeptBodies)
	t.Run("the excerpt is text", s.testExcerpt)
	t.Run("Retry-After is read, and is a day at most", s.testRetryAfter)
	t.Run("each failure has its reason and no address in its words", s.testFailures)
	t.Run("many requests at once get the answers that are theirs", s.testConcurrency)
}

// webhookEndpoint serves h and counts the connections to it.
func webhookEndpoint(t *testing.T, h http.HandlerFunc) (s *httptest.Server, dialed *atomic.Int64) {
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

func acceptWebhook(http.ResponseWriter, *http.Request) {}

// send sends a request without a body to an address of this machine.
func (s webhookSenders) send(t *testing.T, url string) ports.WebhookResponse {
	t.Helper()
	return s.open(WebhookSenderOptions{AllowPrivate: true}).Send(t.Context(), ports.WebhookRequest{URL: url})
}

func (s webhookSenders) testRequest(t *testing.T) {
	type request struct {
		method, query, body string
		header              http.Header
	}
	requests := make(chan request, 1)
	server, _ := webhookEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests <- request{r.Method, r.URL.RawQuery, string(body), r.Header}
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "thank you")
	})
	body := "{\"title\": \"청바지\"}\n\x00\xff"
	got := s.open(WebhookSenderOptions{AllowPrivate: true}).Send(t.Context(), ports.WebhookRequest{
		URL: server.URL + "/in?shop=1", Headers: map[string]string{"webhook-id": "evt_1", "webhook-sequence": "7"}, Body: []byte(body),
	})
	if got.Status != http.StatusAccepted || got.Excerpt != "thank you" || got.Failure != "" || got.NotSent || got.Duration <= 0 ||
		got.RetryAfter != 0 {
		t.Fatalf("answer %+v", got)
	}
	r := <-requests
	if r.method != http.MethodPost || r.query != "shop=1" || r.body != body || r.header.Get("Content-Type") != "application/json" ||
		r.header.Get("Webhook-Id") != "evt_1" || r.header.Get("Webhook-Sequence") != "7" {
		t.Errorf("arrived: %+v", r)
	}
}

func (s webhookSenders) testRedirects(t *testing.T) {
	target, dialed := webhookEndpoint(t, acceptWebhook)
	for _, status := range []int{301, 302, 303, 307, 308} {
		server, _ := webhookEndpoint(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target.URL, status) })
		if got := s.send(t, server.URL); got.Status != status || dialed.Load() != 0 {
			t.Errorf("%d: answer %+v, %d connections to where it points", status, got, dialed.Load())
		}
	}
}

func (s webhookSenders) testPrivateAddresses(t *testing.T) {
	server, dialed := webhookEndpoint(t, acceptWebhook)
	_, port, _ := strings.Cut(server.Listener.Addr().String(), ":")
	sender := s.open(WebhookSenderOptions{})
	for _, host := range []string{
		"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0.0.0.0",
		"me:secret@127.0.0.1", "10.0.0.1", "192.168.0.1", "172.16.0.1", "169.254.169.254", "[fe80::1]", "[fd00::1]", "100.64.0.1",
	} {
		got := sender.Send(t.Context(), ports.WebhookRequest{URL: "http://" + host + ":" + port})
		if got.Status != 0 || got.Failure != webhook.AddressNotAllowed || dialed.Load() != 0 {
			t.Errorf("%s: answer %+v, %d connections", host, got, dialed.Load())
		}
		if strings.Contains(got.Excerpt, "127.") || strings.Contains(got.Excerpt, "secret") {
			t.Errorf("%s: the excerpt shows %q", host, got.Excerpt)
		}
	}
}

func (s webhookSenders) testTimeout(t *testing.T) {
	server, _ := webhookEndpoint(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	got := s.open(WebhookSenderOptions{AllowPrivate: true, Timeout: 50 * time.Millisecond}).Send(t.Context(),
		ports.WebhookRequest{URL: server.URL})
	if got.Status != 0 || got.Failure != webhook.Timeout || !strings.Contains(got.Excerpt, "50ms") {
		t.Errorf("answer %+v", got)
	}
}

func (s webhookSenders) testBrokenBodies(t *testing.T) {
	long := strings.Repeat("가", 1000)
	for name, h := range map[string]http.HandlerFunc{
		"endless": func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := io.WriteString(w, long); err != nil {
					return
				}
			}
		},
		"hanging": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, long)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
		"broken off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5000")
			_, _ = io.WriteString(w, long)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, _ := webhookEndpoint(t, h)
			var got ports.WebhookResponse
			for timeout := 100 * time.Millisecond; timeout < time.Minute && got.Status == 0; timeout *= 2 { // until it reaches the body
				got = s.open(WebhookSenderOptions{AllowPrivate: true, Timeout: timeout}).Send(t.Context(),
					ports.WebhookRequest{URL: server.URL})
			}
			if got.Status != http.StatusOK || got.Excerpt != strings.Repeat("가", 341) { // 1024 bytes hold 341 of them and a third
				t.Errorf("status %d, failure %q, %d bytes", got.Status, got.Failure, len(got.Excerpt))
			}
		})
	}
}

func (s webhookSenders) testKeptBodies(t *testing.T) {
	body := strings.Repeat("가", 100_000)
	server, _ := webhookEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/broken" {
			w.Header().Set("Content-Length", "500000")
		}
		_, _ = io.WriteString(w, body)
	})
	for _, c := range []struct {
		path string
		most int64
		want string
	}{{"/", int64(len(body)), body}, {"/", int64(len(body)) - 1, ""}, {"/", 0, ""}, {"/broken", 1 << 20, ""}} {
		got := s.open(WebhookSenderOptions{AllowPrivate: true}).Send(t.Context(), ports.WebhookRequest{URL: server.URL + c.path, MaxAnswer: c.most})
		if got.Status != http.StatusOK || string(got.Answer) != c.want {
			t.Errorf("%s at most %d: status %d, %d bytes", c.path, c.most, got.Status, len(got.Answer))
		}
	}
}

func (s webhookSenders) testExcerpt(t *testing.T) {
	server, _ := webhookEndpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = w.Write([]byte("a\x00b\x1b[31m\xff\xfe 오류\n\tc\r\n"))
	})
	if got := s.send(t, server.URL); got.Status != http.StatusInternalServerError || got.Excerpt != "ab[31m 오류\n\tc" {
		t.Errorf("answer %+v", got)
	}
}

func (s webhookSenders) testRetryAfter(t *testing.T) {
	for text, want := range map[string][2]time.Duration{
		"":         {0, 0},
		"120":      {2 * time.Minute, 2 * time.Minute},
		"soon":     {0, 0},
		"-5":       {0, 0},
		"99999999": {24 * time.Hour, 24 * time.Hour},
		time.Now().Add(time.Hour).UTC().Format(http.TimeFormat):  {59 * time.Minute, time.Hour},
		time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat): {0, 0},
	} {
		server, _ := webhookEndpoint(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", text)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		got := s.send(t, server.URL)
		if got.Status != http.StatusTooManyRequests || got.RetryAfter < want[0] || got.RetryAfter > want[1] {
			t.Errorf("%q: %v", text, got.RetryAfter)
		}
	}
}

func (s webhookSenders) testFailures(t *testing.T) {
	closed, _ := webhookEndpoint(t, acceptWebhook)
	closed.Close()
	secure := httptest.NewTLSServer(http.HandlerFunc(acceptWebhook))
	t.Cleanup(secure.Close)
	plain, _ := webhookEndpoint(t, acceptWebhook)
	for url, want := range map[string]webhook.Failure{
		closed.URL: webhook.Unreachable, secure.URL: webhook.TLSFailure,
		"https" + strings.TrimPrefix(plain.URL, "http"): webhook.TLSFailure, mailServer(t): webhook.InvalidResponse,
	} {
		if got := s.send(t, url); got.Status != 0 || got.Failure != want || got.Excerpt == "" ||
			strings.Contains(got.Excerpt, "127.0.0.1") {
			t.Errorf("%s: %+v, want %s", url, got, want)
		}
	}
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	trusting := s.open(WebhookSenderOptions{AllowPrivate: true, Roots: roots})
	if got := trusting.Send(t.Context(), ports.WebhookRequest{URL: secure.URL}); got.Status != http.StatusOK || got.Failure != "" {
		t.Errorf("with a certificate that it trusts: %+v", got)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if got := trusting.Send(canceled, ports.WebhookRequest{URL: secure.URL}); got.Status != 0 || got.Failure == "" {
		t.Errorf("canceled: %+v", got)
	}
}

func (s webhookSenders) testConcurrency(t *testing.T) {
	server, _ := webhookEndpoint(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.RawQuery) })
	sender := s.open(WebhookSenderOptions{AllowPrivate: true})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			want := strings.Repeat("x", i+1)
			if got := sender.Send(t.Context(), ports.WebhookRequest{URL: server.URL + "?" + want}); got.Excerpt != want {
				t.Errorf("%q got %+v", want, got)
			}
		})
	}
	wg.Wait()
}

// mailServer is the address of a server that does not speak HTTP.
func mailServer(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 4096))
			_, _ = c.Write([]byte("220 mail.example ESMTP\r\n"))
			_ = c.Close()
		}
	}()
	return "http://" + listener.Addr().String()
}
