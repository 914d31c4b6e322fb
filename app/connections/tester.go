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
	CredentialsRefused    TestProblem = "credentials_refused"    // the provider refused, or was not asked since one is missing
	CredentialsUnreadable TestProblem = "credentials_unreadable" // it was not asked: no secret of this server opens what is stored
	ProviderUnreachable   TestProblem = "provider_unreachable"   // no answer in time, or none that says anything
	CallsPaused           TestProblem = "calls_paused"           // it was not asked: too many calls just failed, or are under way
)

// TestProblems are all problems of a connection.
var TestProblems = []string{string(CredentialsRefused), string(CredentialsUnreadable), string(ProviderUnreachable), string(CallsPaused)}

// TestResult is what a test of a connection found.
type TestResult struct {
	CheckedAt    time.Time     // when it ended
	Latency      time.Duration // of the answer, or until there was none
	Problem      TestProblem   // "": none
	ProviderCode string        // the provider's own code of a refusal; "" otherwise
}

// testTime bounds a test, however many calls its look-up makes: as long as one of them may take, with its wait for a slot.
const testTime = 6 * time.Second

// Test asks the provider of a connection, be it switched off, for a payment that does not exist, as payments are looked up:
// through the circuit breaker, within the time of one call, and with no effect. An answer that there is none says that the
// secret key is accepted, and nothing of other credentials. Errors: fault.ErrForbidden, ports.ErrNotFound,
// payment.ErrNotConfigured without an adapter for it, fault.ErrValidation with the credentials that have not the form that the provider
// takes, which is not asked then.
func (s *Tester) Test(ctx context.Context, by tenant.Principal, id string) (TestResult, error) {
	if err := access.RequireEach(by, payment.Connections, collection.Read, collection.Update); err != nil {
		return TestResult{}, err
	}
	row, err := s.Store.Read(ports.ForTenant(by.Tenant.ID)).Get(ctx, payment.Connections, id)
	if err != nil {
		return TestResult{}, err
	}
	a, err := s.Opener.Open(row)
	switch {
	case errors.Is(err, payment.ErrNotConfigured):
		return TestResult{}, err
	case err != nil:
		return TestResult{CheckedAt: collection.TruncateTime(s.Now()), Problem: CredentialsUnreadable}, nil
	}
	if wrong := a.Description.Malformed(a.AccountKey, a.Credentials); len(wrong) > 0 {
		return TestResult{}, fault.ErrValidation.WithFields(wrong...)
	}
	began := s.Now()
	limited, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	_, err = a.Adapter.Lookup(limited, a.Connection, ports.NoPayment)
	ended := s.Now()
	r := TestResult{CheckedAt: collection.TruncateTime(ended), Latency: ended.Sub(began)}
	switch {
	case errors.Is(err, ports.ErrNotSent):
		r.Problem = CallsPaused
	case errors.Is(err, ports.ErrProviderUnavailable), limited.Err() != nil && ctx.Err() == nil:
		r.Problem = ProviderUnreachable
	case errors.Is(err, ports.ErrProviderRejected):
		r.Problem = CredentialsRefused
		r.ProviderCode, _ = fault.From(err).Data["providerCode"].(string)
	case err != nil:
		return TestResult{}, err
	}
	return r, nil
}
