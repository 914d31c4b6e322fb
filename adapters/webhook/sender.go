// Package webhook signs deliveries and sends them to the endpoints of tenants.
//
// The URL of an endpoint is whatever a tenant typed, so a request to it must not reach our own network. The
// dialer checks the resolved address of every connection (Rule webhooks-13, Decision 29). Only https on a few
// ports is allowed, without proxies and without credentials in the URL, and redirects are not followed.
// CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS permits private networks, as for development.
//
// Of a response, the status and the first KiB are kept, and all of one that is to be read. Errors are described
// in our own words, which name no address and no program. Only HTTP/1.1 is used, so that a hanging request blocks
// its own connection and no other request to the same host.
package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Options configure a Sender. The zero value is right for production.
type Options struct {
	AllowPrivate bool                  // any address and port, also in plain text
	Public       webhook.AddressPolicy // which public addresses are allowed
	Timeout      time.Duration         // of an attempt, from the look-up of the name to the end of the answer; 0: 15 s
	Resolver     *net.Resolver         // nil: the system's
	Roots        *x509.CertPool        // root certificates; nil: the system's
}

// The limits of an attempt.
const (
	attemptTimeout   = 15 * time.Second // Rule webhooks-8
	connectTimeout   = 5 * time.Second  // for one address; TLS may take as long again
	idleConnTimeout  = 30 * time.Second // how long a connection is kept for the next delivery
	maxIdlePerHost   = 8
	maxIdleConns     = 256
	maxHeaderBytes   = 16 << 10 // bytes of a response's headers
	maxResponseBytes = 64 << 10 // bytes of a response that are read, so that its connection can be reused
	maxExcerptBytes  = 1 << 10  // bytes of it that are kept
	maxRetryAfter    = 24 * time.Hour
	userAgent        = "Cartwright-Webhooks/1"
	jsonContentType  = "application/json"
)

// Sender is a ports.WebhookSender.
type Sender struct {
	policy  dialPolicy
	timeout time.Duration
	http    *http.Client
}

var _ ports.WebhookSender = (*Sender)(nil)

// NewSender makes a sender. One is enough for all endpoints: it keeps connections.
func NewSender(o Options) *Sender {
	r := dialPolicy{allowPrivate: o.AllowPrivate, public: o.Public, ownAddresses: ownAddresses()}
	dialer := &net.Dialer{Timeout: connectTimeout, Resolver: o.Resolver, ControlContext: r.checkDial}
	timeout := o.Timeout
	if timeout <= 0 {
		timeout = attemptTimeout
	}
	return &Sender{policy: r, timeout: timeout, http: &http.Client{CheckRedirect: refuseRedirect, Transport: &http.Transport{
		Proxy: nil, DialContext: dialer.DialContext, TLSHandshakeTimeout: connectTimeout,
		TLSClientConfig: &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
		TLSNextProto:    map[string]func(string, *tls.Conn) http.RoundTripper{}, // HTTP/1.1 alone
		IdleConnTimeout: idleConnTimeout, MaxIdleConns: maxIdleConns, MaxIdleConnsPerHost: maxIdlePerHost,
		MaxResponseHeaderBytes: maxHeaderBytes, DisableCompression: true,
	}}}
}

// refuseRedirect returns a redirect as the response instead of following it.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Send implements ports.WebhookSender. A status counts as soon as it is read, even if the rest of the
// response is lost.
func (s *Sender) Send(ctx context.Context, r ports.WebhookRequest) ports.WebhookResponse {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	answer, err := s.exchange(ctx, r)
	switch {
	case outOfFiles(err):
		answer.NotSent, answer.Excerpt = true, "this server has too many open files to send webhooks"
	case err != nil:
		answer.Failure, answer.Excerpt = s.classify(ctx, err)
		dialed, isNet := errors.AsType[*net.OpError](err)
		answer.Undialed = policyError(err) != nil || isNet && dialed.Op == "dial"
	}
	answer.Duration = time.Since(began)
	return answer
}

func (s *Sender) exchange(ctx context.Context, r ports.WebhookRequest) (answer ports.WebhookResponse, err error) {
	to, err := s.policy.parse(r.URL)
	if err != nil {
		return answer, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(r.Body))
	if err != nil {
		return answer, err
	}
	for name, value := range r.Headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", jsonContentType)
	req.Header.Set("User-Agent", userAgent)
	res, err := s.http.Do(req)
	if err != nil {
		return answer, err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	body, err := io.ReadAll(io.LimitReader(res.Body, max(maxResponseBytes, r.MaxAnswer+1)))
	answer = ports.WebhookResponse{
		Status: res.StatusCode, Excerpt: excerpt(body), RetryAfter: retryAfter(res.Header.Get("Retry-After"), time.Now()),
	}
	if err == nil && r.MaxAnswer > 0 && int64(len(body)) <= r.MaxAnswer {
		answer.Answer = body
	}
	return answer, nil
}

// excerpt is the start of a response as text: whole characters, and no control characters except line breaks.
func excerpt(body []byte) string {
	text := strings.Map(func(c rune) rune {
		if c == utf8.RuneError || unicode.IsControl(c) && c != '\n' && c != '\t' {
			return -1
		}
		return c
	}, string(body[:min(len(body), maxExcerptBytes)]))
	return strings.TrimSpace(text)
}

// retryAfter parses the header, seconds or a date; 0 when it is invalid, at most a day.
func retryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}

// outOfFiles reports whether this process could not open another connection. A DNS look-up needs one too, and
// reports it in its text only.
func outOfFiles(err error) bool {
	name := new(net.DNSError)
	looking := errors.As(err, &name)
	for _, none := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, none) || looking && strings.Contains(name.Err, none.Error()) {
			return true
		}
	}
	return false
}

// classify says why there is no response.
func (s *Sender) classify(ctx context.Context, err error) (webhook.Failure, string) {
	if why := policyError(err); why != nil {
		return webhook.AddressNotAllowed, why.Error()
	}
	var slow net.Error
	if ctx.Err() != nil || errors.As(err, &slow) && slow.Timeout() {
		return webhook.Timeout, "no answer within " + s.timeout.String()
	}
	if name := new(net.DNSError); errors.As(err, &name) {
		return webhook.UnknownHost, "host name not found"
	}
	var certificate *tls.CertificateVerificationError
	var alert tls.AlertError
	var garbled tls.RecordHeaderError
	if errors.As(err, &certificate) || errors.As(err, &alert) || errors.As(err, &garbled) || errors.Is(err, http.ErrSchemeMismatch) {
		return webhook.TLSFailure, "TLS failed: certificate or protocol not accepted"
	}
	if strings.Contains(err.Error(), "malformed HTTP") || strings.Contains(err.Error(), "response headers exceeded") {
		return webhook.InvalidResponse, "invalid HTTP response or headers too long"
	}
	return webhook.Unreachable, "the connection failed"
}
