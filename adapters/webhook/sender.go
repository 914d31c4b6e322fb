// Package webhook signs and sends what is delivered to the endpoints of tenants.
//
// An endpoint's address is whatever a tenant typed, so that a request to it must not become one into our own network.
// What counts is the address that is dialled, not the name: it is checked at the last moment, by the dialer, for every
// connection (Rule webhooks-13, Decision 29). Only https on a few ports goes out, through no proxy, with no
// credentials in the address, and redirects are answers like others: they are not followed. Where all of this is
// meant to reach a private network, as in development, CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS opens it.
//
// Answers are read as far as they are shown: a status, and the first KiB. What failed is told in words of our own, which
// name no address and no program. HTTP/1.1 is enough and used alone: a request that hangs takes its connection with it,
// and no other request of the same host.
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

// Options are what a Sender may do. The zero value is right for production.
type Options struct {
	AllowPrivate bool                  // any address and port, also in plain text
	Public       webhook.AddressPolicy // what is allowed of public addresses
	Timeout      time.Duration         // of an attempt, from the look-up of the name to the end of the answer; 0: 15 s
	Resolver     *net.Resolver         // nil: the system's
	Roots        *x509.CertPool        // that sign certificates of endpoints; nil: the system's
}

// The measures of an attempt.
const (
	attemptTimeout   = 15 * time.Second // Rule webhooks-8
	connectTimeout   = 5 * time.Second  // of it at most for one address, and as much again for TLS
	idleConnTimeout  = 30 * time.Second // that a connection is kept for the next delivery
	maxIdlePerHost   = 8
	maxIdleConns     = 256
	maxHeaderBytes   = 16 << 10 // bytes of an answer's headers
	maxResponseBytes = 64 << 10 // bytes of an answer that are read, so that its connection can be used again
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

// NewSender makes a sender. It keeps connections: one for all endpoints is enough.
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

// refuseRedirect keeps redirects from being followed.
func refuseRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Send implements ports.WebhookSender. A status counts from the moment it is read, even if the rest of the answer does not
// come, for the endpoint has said what it wanted to say.
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
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxResponseBytes))
	return ports.WebhookResponse{
		Status: res.StatusCode, Excerpt: excerpt(body), RetryAfter: retryAfter(res.Header.Get("Retry-After"), time.Now()),
	}, nil
}

// excerpt is the beginning of an answer as text: whole characters, and no control characters but those that break lines.
func excerpt(body []byte) string {
	text := strings.Map(func(c rune) rune {
		if c == utf8.RuneError || unicode.IsControl(c) && c != '\n' && c != '\t' {
			return -1
		}
		return c
	}, string(body[:min(len(body), maxExcerptBytes)]))
	return strings.TrimSpace(text)
}

// retryAfter reads the header, seconds or a time; 0 when it says nothing, at most a day.
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

// outOfFiles reports whether it was this server that could not open another connection. Looking up a name needs one, too, and
// tells of it in words alone.
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

// classify says why there is no answer.
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
