package connections

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Tester asks providers whether connections work. Rule payments-72.
type Tester struct {
	Store  ports.Store
	Opener Opener
	Now    func() time.Time
}

// TestProblem is why a connection does not work; "": it works.
type TestProblem string

// The problems of a connection.
const (
	CredentialsRefused  TestProblem = "credentials_refused"  // the provider answered, and refused
	ProviderUnreachable TestProblem = "provider_unreachable" // no answer in time, or none that says anything
	CallsPaused         TestProblem = "calls_paused"         // it was not asked: too many calls just failed, or are under way
)

// TestProblems are all problems of a connection.
var TestProblems = []string{string(CredentialsRefused), string(ProviderUnreachable), string(CallsPaused)}

// TestResult is what a test of a connection found.
type TestResult struct {
	CheckedAt    time.Time     // when it ended
	Latency      time.Duration // of the answer, or until there was none
	Problem      TestProblem   // "": none
	ProviderCode string        // the provider's own code of a refusal; "" otherwise
}

// Test asks the provider of a connection, be it switched off, for a payment that does not exist, as payments are looked up:
// through the circuit breaker, within the time of a look-up, and with no effect. An answer that there is none says that the
// credentials work. Errors: fault.ErrForbidden, ports.ErrNotFound, payment.ErrNotConfigured without an adapter for it.
func (s *Tester) Test(ctx context.Context, by tenant.Principal, id string) (TestResult, error) {
	for _, verb := range []collection.Verb{collection.Read, collection.Update} {
		if _, err := access.Allowed(by, payment.Connections, verb); err != nil {
			return TestResult{}, err
		}
	}
	row, err := s.Store.Read(ports.ForTenant(by.Tenant.ID)).Get(ctx, payment.Connections, id)
	if err != nil {
		return TestResult{}, err
	}
	a, err := s.Opener.Open(row)
	if err != nil {
		return TestResult{}, err
	}
	began := s.Now()
	_, err = a.Adapter.Lookup(ctx, a.Connection, ports.NoPayment)
	ended := s.Now()
	r := TestResult{CheckedAt: collection.TruncateTime(ended), Latency: ended.Sub(began)}
	switch {
	case errors.Is(err, ports.ErrNotSent):
		r.Problem = CallsPaused
	case errors.Is(err, ports.ErrProviderUnavailable):
		r.Problem = ProviderUnreachable
	case errors.Is(err, ports.ErrProviderRejected):
		r.Problem = CredentialsRefused
		r.ProviderCode, _ = fault.From(err).Data["providerCode"].(string)
	case err != nil:
		return TestResult{}, err
	}
	return r, nil
}
