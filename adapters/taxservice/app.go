package taxservice

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/sony/gobreaker/v2"

	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
)

// Options are what an App needs, and what a slow or broken service can cost. Zero durations and numbers take their default.
type Options struct {
	Sender      ports.WebhookSender
	Signer      ports.WebhookSigner
	Now         func() time.Time
	Timeout     time.Duration // of a call; default 5 s
	MaxFailures uint32        // failures within Window that open a connection's circuit; default 5
	Window      time.Duration // default 30 s
	OpenFor     time.Duration // how long an open circuit refuses calls before one probe; default 10 s
	Concurrency int           // calls of a connection at once; more are refused; default 16
}

// The defaults.
const (
	callTimeout    = 5 * time.Second
	maxFailures    = 5
	failureWindow  = 30 * time.Second
	openFor        = 10 * time.Second
	concurrency    = 16
	maxAnswerBytes = 1 << 20
	maxConnections = 10_000 // whose circuits are remembered, by last use
)

// App is the ports.TaxService of services that speak the contract in GUIDE.md.
type App struct {
	options  Options
	circuits *lru.Cache[string, *circuit] // by connection
}

var _ ports.TaxService = (*App)(nil)

// circuit bounds the calls of one connection.
type circuit struct {
	breaker  *gobreaker.CircuitBreaker[tax.Answer]
	slots    chan struct{} // a token for each call under way
	closesAt atomic.Int64  // when an open circuit admits a trial call, in Unix nanoseconds
}

// New makes an app. One is enough for all connections.
func New(o Options) *App {
	o.Timeout, o.Window, o.OpenFor = cmp.Or(o.Timeout, callTimeout), cmp.Or(o.Window, failureWindow), cmp.Or(o.OpenFor, openFor)
	o.MaxFailures, o.Concurrency = cmp.Or(o.MaxFailures, maxFailures), cmp.Or(o.Concurrency, concurrency)
	circuits, _ := lru.New[string, *circuit](maxConnections) // it fails for a size below 1 only
	return &App{options: o, circuits: circuits}
}

// errCallerGone marks a call whose caller left. It says nothing of the service.
var errCallerGone = errors.New("the caller has gone")

// errNoAnswer is the cause where a service did not answer, or only that it fails.
var errNoAnswer = errors.New("no answer")

// Quote implements ports.TaxService.
func (a *App) Quote(ctx context.Context, q ports.TaxQuestion) (tax.Answer, error) {
	c := a.circuit(q.Connection.ID)
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	default:
		return tax.Answer{}, a.unavailable(c, fmt.Errorf("%w: too many calls are under way", ports.ErrNotSent))
	}
	refused := error(nil)
	answer, err := c.breaker.Execute(func() (answer tax.Answer, err error) {
		answer, err = a.call(ctx, q)
		if errors.Is(err, ports.ErrTaxServiceRefused) { // the service is there
			refused, err = err, nil
		}
		return answer, err
	})
	switch {
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		err = fmt.Errorf("%w: its circuit is open", ports.ErrNotSent)
	case err == nil:
		err = refused
	}
	if err != nil {
		return tax.Answer{}, a.unavailable(c, err)
	}
	return answer, nil
}

// call asks a service once.
func (a *App) call(ctx context.Context, q ports.TaxQuestion) (tax.Answer, error) {
	body, err := encode(q)
	if err != nil {
		return tax.Answer{}, err
	}
	sum := sha256.Sum256(append([]byte(q.Connection.ID+"\n"), body...))
	headers, err := a.options.Signer.Sign("tax_"+hex.EncodeToString(sum[:]), a.options.Now(), body, q.Connection.Secret)
	if err != nil {
		return tax.Answer{}, err
	}
	limited, cancel := context.WithTimeout(ctx, a.options.Timeout)
	defer cancel()
	got := a.options.Sender.Send(limited, ports.WebhookRequest{URL: q.Connection.URL, Headers: headers, Body: body, MaxAnswer: maxAnswerBytes})
	switch {
	case ctx.Err() != nil:
		return tax.Answer{}, errCallerGone
	case got.Failure != "":
		return tax.Answer{}, fmt.Errorf("%w: %s", errNoAnswer, got.Failure)
	case got.NotSent, got.Status >= http.StatusInternalServerError, got.Status == http.StatusTooManyRequests, got.Status == http.StatusRequestTimeout:
		return tax.Answer{}, fmt.Errorf("%w: status %d", errNoAnswer, got.Status)
	case got.Status != http.StatusOK:
		return tax.Answer{}, fmt.Errorf("%w: status %d", ports.ErrTaxServiceRefused, got.Status)
	}
	return decode(got.Answer, q)
}

// circuit returns that of a connection.
func (a *App) circuit(connection string) *circuit {
	if c, known := a.circuits.Get(connection); known {
		return c
	}
	made := a.newCircuit(connection)
	if before, known, _ := a.circuits.PeekOrAdd(connection, made); known {
		return before
	}
	return made
}

func (a *App) newCircuit(connection string) *circuit {
	o := a.options
	c := &circuit{slots: make(chan struct{}, o.Concurrency)}
	c.breaker = gobreaker.NewCircuitBreaker[tax.Answer](gobreaker.Settings{
		Name: connection, MaxRequests: 1, Interval: o.Window, BucketPeriod: max(o.Window/10, time.Millisecond), Timeout: o.OpenFor,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.TotalFailures >= o.MaxFailures },
		IsExcluded:  func(err error) bool { return errors.Is(err, errCallerGone) },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				c.closesAt.Store(time.Now().Add(o.OpenFor).UnixNano())
			}
		},
	})
	return c
}

// unavailable is the error of a call that got no answer. While the circuit is open it says when that may close.
func (a *App) unavailable(c *circuit, err error) error {
	f := tax.ErrUnavailable.WithCause(err)
	if c.breaker.State() != gobreaker.StateOpen {
		return f
	}
	return f.WithRetry(min(max(time.Until(time.Unix(0, c.closesAt.Load())), time.Millisecond), a.options.OpenFor))
}

// Circuits is the state of the circuit of each connection that was asked lately, in no order.
func (a *App) Circuits() []ports.Circuit {
	var out []ports.Circuit
	for _, id := range a.circuits.Keys() {
		if c, known := a.circuits.Peek(id); known {
			out = append(out, ports.Circuit{
				Name: "tax", Connection: id, State: ports.CircuitState(c.breaker.State().String()), InFlight: len(c.slots),
			})
		}
	}
	return out
}
