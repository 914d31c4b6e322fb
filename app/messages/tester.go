package messages

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Tester asks message services whether they work. Rule mail-38.
type Tester struct {
	Store     ports.Store
	Vault     ports.Vault
	Messenger ports.Messenger
	Now       func() time.Time
	NewID     func() string
}

// TestResult is what a test of a service found.
type TestResult struct {
	CheckedAt time.Time     // when it ended
	Latency   time.Duration // of the answer, or until there was none
	Problem   string        // in the words of the service; "": it works
}

// maxProblem is how many characters of a problem are told.
const maxProblem = 500

// Test asks a service of p's environment, be it switched off, whether it takes what its secret signs. No message is sent. Errors: those of
// access.Allowed, ports.ErrNotFound.
func (s *Tester) Test(ctx context.Context, p tenant.Principal, id string) (TestResult, error) {
	if err := access.RequireEach(p, mail.MessageServices, collection.Read, collection.Update); err != nil {
		return TestResult{}, err
	}
	found, err := s.Store.Read(ports.ForPrincipal(p)).Get(ctx, mail.MessageServices, id)
	if err == nil && found.Text("environment") != string(p.Environment) {
		err = ports.ErrNotFound
	}
	if err != nil {
		return TestResult{}, err
	}
	began := s.Now()
	service, err := Open(s.Vault, found)
	if err == nil {
		err = s.Messenger.Check(ctx, service, s.NewID())
	}
	ended := s.Now()
	out := TestResult{CheckedAt: collection.TruncateTime(ended), Latency: ended.Sub(began)}
	if err != nil {
		said := []rune(err.Error())
		out.Problem = string(said[:min(len(said), maxProblem)])
	}
	return out, nil
}
