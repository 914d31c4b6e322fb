// Package bank is the sandbox payment provider: a small HTTP service that takes play money the way real
// providers take real money. It has its own durable store, shared by all of its instances, shares no code
// with the adapter that calls it, and can run in a process of its own, so that it outlives a killed shop.
// Rule payments-34.
//
// Shops call /v1 with their account's secret; buyers call /sandbox without one.
//
//	POST /v1/payments                 register a payment to collect
//	GET  /v1/payments/{id}            its state
//	POST /v1/payments/{id}/confirm    capture an approved payment (widget)
//	POST /v1/payments/{id}/close      close an unpaid payment
//	POST /v1/payments/{id}/capture    capture an authorized payment, once, in part or whole
//	POST /v1/payments/{id}/void       release an authorized payment
//	POST /v1/payments/{id}/cancel     refund
//	GET|PUT|DELETE /sandbox/faults    order failures for the account's next calls
//	GET|POST /sandbox/pay/{id}        the payment page
//	POST /sandbox/authorize           the same decision by a script
//	POST /sandbox/refunds             finish or fail asynchronous refunds, by a script
//	POST /sandbox/payments/{id}/…     deposit: the buyer pays to its virtual account; reverse: the bank takes that back;
//	                                  dispute: of its buyer; authorization: captured or released in the provider's console
//
// Accounts exist from their first use. An account's secret is an HMAC of its name under one secret that all
// instances are configured with (see AccountSecret), so that accounts need no configuration.
//
// Webhooks go to the URL a payment was registered with, signed with the account's webhook secret (see
// WebhookSecret) by the Standard Webhooks specification, at least once and in no reliable order: POST {type,
// timestamp, data{paymentId}}.
//
// Every POST under /v1 needs an Idempotency-Key: the same key and request give the same answer, and another
// request under the key is refused. A call continues when its caller disconnects. Errors are {code, message}.
package bank

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
)

// Options configures a bank. Store and Secret are required.
type Options struct {
	Store           *Store
	Secret          string             // shared by all instances; at least 16 bytes
	PreviousSecrets []string           // earlier secrets whose account secrets are still valid
	PublicURL       string             // where buyers reach the payment page, without "/sandbox/…"; "" is the address of the call
	Now             func() time.Time   // nil is the wall clock
	HangTime        time.Duration      // how long a hanging call takes; 0 is 30 s
	Log             *slog.Logger       // nil is the default logger
	Background      *background.Runner // of its goroutines; may be nil
}

// Server serves the sandbox provider. It is safe for concurrent use.
type Server struct {
	Options

	mux        *http.ServeMux
	sender     *sender
	senderDone chan struct{} // closed when the sender has ended
	closed     chan struct{}
	once       sync.Once
}

// New makes a bank on a store, which Close closes.
func New(o Options) (*Server, error) {
	if o.Store == nil || len(o.Secret) < 16 {
		return nil, errors.New("a sandbox bank needs a store and a secret of 16 bytes or more")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.HangTime == 0 {
		o.HangTime = 30 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	o.PublicURL = strings.TrimSuffix(o.PublicURL, "/")
	b := &Server{Options: o, mux: http.NewServeMux(), closed: make(chan struct{}), senderDone: make(chan struct{})}
	b.sender = newSender(b)
	b.mux.HandleFunc("POST /v1/payments", b.authenticated(b.idempotent(b.register)))
	b.mux.HandleFunc("GET /v1/payments/{id}", b.authenticated(b.lookup))
	b.mux.HandleFunc("POST /v1/payments/{id}/confirm", b.authenticated(b.idempotent(b.confirm)))
	b.mux.HandleFunc("POST /v1/payments/{id}/close", b.authenticated(b.idempotent(b.closePayment)))
	b.mux.HandleFunc("POST /v1/payments/{id}/capture", b.authenticated(b.idempotent(b.capture)))
	b.mux.HandleFunc("POST /v1/payments/{id}/void", b.authenticated(b.idempotent(b.void)))
	b.mux.HandleFunc("POST /v1/payments/{id}/cancel", b.authenticated(b.idempotent(b.cancel)))
	b.mux.HandleFunc("GET /sandbox/faults", b.controlCall(b.readFaults))
	b.mux.HandleFunc("PUT /sandbox/faults", b.controlCall(b.writeFaults))
	b.mux.HandleFunc("DELETE /sandbox/faults", b.controlCall(b.clearFaults))
	b.mux.HandleFunc("GET /sandbox/pay/{id}", b.page)
	b.mux.HandleFunc("POST /sandbox/pay/{id}", b.decide)
	b.mux.HandleFunc("POST /sandbox/authorize", b.public(b.authorize))
	b.mux.HandleFunc("POST /sandbox/refunds", b.public(b.settleRefunds))
	b.mux.HandleFunc("POST /sandbox/payments/{id}/deposit", b.public(b.depositByScript))
	b.mux.HandleFunc("POST /sandbox/payments/{id}/reverse", b.public(b.reverseByScript))
	b.mux.HandleFunc("POST /sandbox/payments/{id}/dispute", b.public(b.disputeByScript))
	b.mux.HandleFunc("POST /sandbox/payments/{id}/authorization", b.public(b.authorizationByScript))
	for _, path := range []string{"GET /healthz", "GET /readyz"} {
		b.mux.HandleFunc(path, b.public(func(*http.Request) (any, error) { return map[string]string{"status": "ok"}, nil }))
	}
	ctx, stop := context.WithCancel(context.Background())
	task := b.Background.Task("sandbox webhooks")
	task.Start(func() { <-b.closed; stop() })
	task.Start(func() {
		defer close(b.senderDone)
		task.Run(ctx, b.sender.run)
	})
	return b, nil
}

// ServeHTTP answers one request.
func (b *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost { // it may have planned webhooks
		defer b.sender.wakeUp()
	}
	b.mux.ServeHTTP(w, r)
}

// Stop ends hanging and delayed calls, so that an HTTP server can finish its requests soon, and stops sending
// webhooks.
func (b *Server) Stop() { b.once.Do(func() { close(b.closed) }) }

// Close stops the bank and closes its store. Call it after the HTTP server finished its requests.
func (b *Server) Close() error {
	b.Stop()
	<-b.senderDone
	return b.Store.Close()
}

var accountPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

const secretPrefix = "sandbox_sk_"

// AccountSecret is the secret of an account (1–64 letters, digits, "-" or "_"): the account's name and its
// HMAC-SHA256 under the secret shared by all instances of the bank. It goes into the tenant's connection
// credentials as "secretKey". It reveals nothing about the secrets of other accounts.
func AccountSecret(shared, account string) string {
	mac := hmac.New(sha256.New, []byte(shared))
	mac.Write([]byte("cartwright sandbox account\x00" + account))
	return secretPrefix + account + "." + hex.EncodeToString(mac.Sum(nil))
}

// secrets are the secrets from which account secrets derive, newest first.
func (b *Server) secrets() []string { return append([]string{b.Secret}, b.PreviousSecrets...) }

// authenticate reads the account from "Bearer <secret>" or from Basic credentials with the secret as user name.
func (b *Server) authenticate(r *http.Request) (string, error) {
	secret, _, basic := r.BasicAuth()
	if !basic {
		secret, _ = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	}
	rest, _ := strings.CutPrefix(secret, secretPrefix)
	account, _, _ := strings.Cut(rest, ".")
	ours := func(shared string) bool { return hmac.Equal([]byte(secret), []byte(AccountSecret(shared, account))) }
	if !accountPattern.MatchString(account) || !slices.ContainsFunc(b.secrets(), ours) {
		return "", refuse(http.StatusUnauthorized, "UNAUTHORIZED_KEY", "Unknown secret key.")
	}
	return account, nil
}

// pause waits until d has passed, or the caller or the bank has gone.
func (b *Server) pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-b.closed:
	}
}

// randomID is an unguessable id with a readable prefix.
func randomID(prefix string) string { return prefix + rand.Text() }
