package program

import (
	"bytes"
	"context"
	"fmt"
	"index/suffixarray"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// secretScanner records all that a server logs, at every level, and all secrets and personal data in requests and
// responses: keys, tokens, passwords, secrets of webhooks and providers, payment keys, email addresses.
type secretScanner struct {
	mu      sync.Mutex
	secrets map[string]string // where each was first seen
	log     bytes.Buffer
}

// minScannedLength is the length of the shortest secret to look for: shorter ones may be in a log by chance.
const minScannedLength = 8

var (
	secretHeaders = []string{
		"Authorization", "X-Api-Key", "X-Client-Key", "X-Cart-Token", "X-Checkout-Token", "Cookie", "Set-Cookie", "Idempotency-Key",
		"Webhook-Signature", "Stripe-Signature",
	}
	secretMembers = regexp.MustCompile(`(?i)\b(\w*password|\w*token|\w*secret|\w*secretKey|\w*clientKey|\w*apiKey|key|paymentKey|signature|phone|recipientName|address1|email)\\?"?\s*:\s*\\?"([^"\\]+)`)
	secretForms   = regexp.MustCompile(`\b(?:whsec_|rst_|vfy_|inv_|ik_|sk_|ck_|eyJ)[\w.+/=-]{12,}`)
	people        = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	words         = regexp.MustCompile(`[^\s=;,]+`)
)

func (o *secretScanner) addSecret(where string, found ...string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, word := range found {
		if _, known := o.secrets[word]; !known && len(word) >= minScannedLength {
			o.secrets[word] = where
		}
	}
}

// addSecretsOf records the secrets in a text.
func (o *secretScanner) addSecretsOf(where, text string) {
	for _, member := range secretMembers.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(member[2], " ") || !strings.EqualFold(member[1], "key") {
			o.addSecret(where+" "+member[1], member[2])
		}
	}
	o.addSecret(where+" form", secretForms.FindAllString(text, -1)...)
	o.addSecret(where+" people", people.FindAllString(text, -1)...)
}

// addSecretsOfHeaders records the secrets in headers.
func (o *secretScanner) addSecretsOfHeaders(where string, h http.Header) {
	for _, name := range secretHeaders {
		for _, value := range h.Values(name) {
			for _, word := range words.FindAllString(value, -1) {
				if name != "Set-Cookie" || len(word) > 2*minScannedLength { // the others are its attributes
					o.addSecret(where+" "+name, word)
				}
			}
		}
	}
}

// recordingTransport records the secrets in requests and responses.
type recordingTransport struct {
	*secretScanner

	to http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (l recordingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	l.addSecretsOfHeaders("request", req.Header)
	if query, err := url.QueryUnescape(req.URL.RawQuery); err == nil {
		l.addSecretsOf("query", query)
	}
	if req.Body != nil && strings.Contains(req.Header.Get("Content-Type"), "json") {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		l.addSecretsOf("request", string(body))
	}
	res, err := l.to.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	l.addSecretsOfHeaders("response", res.Header)
	if strings.Contains(res.Header.Get("Content-Type"), "json") {
		body, err := io.ReadAll(res.Body)
		if err != nil {
			return nil, err
		}
		res.Body = io.NopCloser(bytes.NewReader(body))
		l.addSecretsOf("response", string(body))
	}
	return res, nil
}

// Write implements io.Writer.
func (o *secretScanner) Write(line []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.log.Write(line)
}

// addLog adds the output of another process: lines of JSON. Other output, such as the credentials of the demo
// shop, is not part of the log.
func (o *secretScanner) addLog(lines []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for line := range bytes.Lines(lines) {
		if bytes.HasPrefix(line, []byte("{")) {
			o.log.Write(line)
		}
	}
}

// logger records everything as production logs it, and also logs to other.
func (o *secretScanner) logger(other slog.Handler) *slog.Logger {
	return slog.New(teeHandler{slog.NewJSONHandler(o, &slog.HandlerOptions{Level: slog.LevelDebug}), other})
}

// teeHandler passes each record to two handlers.
type teeHandler struct{ all, some slog.Handler }

// Enabled implements slog.Handler.
func (b teeHandler) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler.
func (b teeHandler) Handle(ctx context.Context, r slog.Record) error {
	if b.some.Enabled(ctx, r.Level) {
		if err := b.some.Handle(ctx, r.Clone()); err != nil {
			return err
		}
	}
	return b.all.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (b teeHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return teeHandler{b.all.WithAttrs(attrs), b.some.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (b teeHandler) WithGroup(name string) slog.Handler {
	return teeHandler{b.all.WithGroup(name), b.some.WithGroup(name)}
}

// leaks describes each secret that is in the log.
func (o *secretScanner) leaks() (all []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	log := o.log.Bytes()
	index := suffixarray.New(log)
	for word, where := range o.secrets {
		for _, form := range []string{word, url.QueryEscape(word)} {
			if at := index.Lookup([]byte(form), 1); len(at) > 0 {
				start, end := bytes.LastIndexByte(log[:at[0]], '\n')+1, bytes.IndexByte(log[at[0]:], '\n')
				all = append(all, fmt.Sprintf("%q (%s) is logged in %s", word, where, log[start:at[0]+max(end, 0)]))
				break
			}
		}
	}
	return all
}

// check reports secrets in the log, and a log or a list of secrets that is too short to prove anything.
func (o *secretScanner) check(t *testing.T) {
	t.Helper()
	for _, leak := range o.leaks() {
		t.Error(leak)
	}
	if lines := bytes.Count(o.log.Bytes(), []byte("\n")); lines < 100 || len(o.secrets) < 100 {
		t.Errorf("%d lines were searched for %d secrets", lines, len(o.secrets))
	} else {
		t.Logf("%d lines of the log contain none of %d secrets", lines, len(o.secrets))
	}
}

// A secret in a request is found wherever it is logged.
func TestLogScannerFindsSecrets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ header, body, logged string }{
		"a key":      {"X-API-Key: sk_live_0123456789abcdef", "", "sk_live_0123456789abcdef"},
		"a bearer":   {"Authorization: Bearer eyJhbGciOi.J9.abc", "", "eyJhbGciOi.J9.abc"},
		"a cookie":   {"Cookie: a=b; cartwright-token=0123456789abcdef", "", "0123456789abcdef"},
		"a password": {"", `{"adminPassword": "correct-horse"}`, "correct-horse"},
		"a password over GraphQL": {
			"", `{"query": "mutation { login(email: \"x\", password: \"correct-horse\") { token } }"}`, "correct-horse",
		},
		"a capability": {"", `{"cart": {}, "cartToken":"abcdefgh01234567"}`, "abcdefgh01234567"},
		"a secret of a webhook": {
			"", `{"webhookSecrets":["a","whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]}`, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
		},
		"the key of a provider":    {"", `{"credentials":{"apiSecret": "api-secret-1"}}`, "api-secret-1"},
		"an address of a person":   {"", `{"note": "ask jiwoo@example.com"}`, "jiwoo@example.com"},
		"an address in a URL":      {"", `{"email": "jiwoo@example.com"}`, "jiwoo%40example.com"},
		"a token in a longer word": {"", `{"token": "abcdefgh01234567"}`, "https://shop/verify/abcdefgh01234567/x"},
		"the key of a payment":     {"", `{"paymentKey":"tviva20240929012"}`, "tviva20240929012"},
		"an idempotency key":       {"Idempotency-Key: my-own-key-17", "", "my-own-key-17"},
		"the signature of a webhook": {
			"Webhook-Signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN", "", "K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &secretScanner{secrets: map[string]string{}}
			header, value, _ := strings.Cut(c.header, ": ")
			o.addSecretsOfHeaders("request", http.Header{http.CanonicalHeaderKey(header): {value}})
			o.addSecretsOf("request", c.body)
			log := o.logger(slog.DiscardHandler)
			log.Debug("harmless")
			if found := o.leaks(); found != nil {
				t.Errorf("a secret is found before it is logged: %q", found)
			}
			log.Debug("line", "what", c.logged)
			if found := o.leaks(); len(found) == 0 {
				t.Error("the logged secret is not found")
			}
		})
	}
}
