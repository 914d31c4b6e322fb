package taxing

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Tester asks tax services about a sale that nobody makes. Rule taxes-19.
type Tester struct {
	Store   ports.Store
	Vault   ports.Vault
	Service ports.TaxService
	Now     func() time.Time
}

// TestProblem is why a connection does not work; "": it works.
type TestProblem string

// The problems of a connection.
const (
	QuestionRefused    TestProblem = "question_refused"    // it answered that it does not answer this: a wrong secret, or an address it does not know
	SecretUnreadable   TestProblem = "secret_unreadable"   // it was not asked: no secret of this server opens what is stored
	ServiceUnreachable TestProblem = "service_unreachable" // no answer in time, or none that says anything
	AnswerUnreadable   TestProblem = "answer_unreadable"   // not in the form of the contract
	AnswerWrong        TestProblem = "answer_wrong"        // it cannot be right
	CallsPaused        TestProblem = "calls_paused"        // it was not asked: too many calls just failed, or are under way
)

// TestProblems are all problems of a connection.
var TestProblems = []string{
	string(QuestionRefused), string(SecretUnreadable), string(ServiceUnreachable), string(AnswerUnreadable), string(AnswerWrong),
	string(CallsPaused),
}

// TestResult is what a test of a connection found.
type TestResult struct {
	CheckedAt time.Time     // when it ended
	Latency   time.Duration // of the answer, or until there was none
	Problem   TestProblem   // "": none
	Detail    string        // what cannot be right of an answer; "" otherwise
	Total     money.Money   // the taxes of the sale, without a problem
}

// Test asks the service of a connection, be it switched off, about one unit at a price of 100 that goes to the shop's own country, and
// checks the answer as that to a sale. Errors: fault.ErrForbidden, ports.ErrNotFound.
func (s *Tester) Test(ctx context.Context, by tenant.Principal, id string) (TestResult, error) {
	if err := access.RequireEach(by, tax.Connections, collection.Read, collection.Update); err != nil {
		return TestResult{}, err
	}
	row, err := s.Store.Read(ports.ForTenant(by.Tenant.ID)).Get(ctx, tax.Connections, id)
	if err != nil {
		return TestResult{}, err
	}
	began := s.Now()
	conn, err := open(s.Vault, row)
	if err != nil {
		return TestResult{CheckedAt: collection.TruncateTime(began), Problem: SecretUnreadable}, nil //nolint:nilerr // the answer says it
	}
	q := sample(conn, by.Tenant, began)
	answer, err := s.Service.Quote(ctx, q)
	if err == nil {
		answer, err = q.Rules.Check(q.Sale, answer)
	}
	ended := s.Now()
	r := TestResult{CheckedAt: collection.TruncateTime(ended), Latency: ended.Sub(began), Problem: problemOf(err)}
	switch r.Problem {
	case "":
		r.Total = money.Of(answer.Total, q.Sale.Currency)
	case AnswerWrong:
		r.Detail = err.Error()
	default:
	}
	return r, ctx.Err()
}

// sample is the question of a test.
func sample(conn ports.TaxConnection, of tenant.Settings, now time.Time) ports.TaxQuestion {
	hundred, err := money.Parse("100", of.Currency)
	if err != nil {
		hundred = money.Of(0, of.Currency)
	}
	here := tax.Place{Country: of.Country}
	return ports.TaxQuestion{
		Connection: conn, Rules: tax.Rules{Mode: tax.Added, Outside: true},
		Sale: tax.Sale{
			Currency: of.Currency, Place: here, From: here, At: now,
			Items: []tax.Item{{Key: "test", Class: tax.Standard, Quantity: 1, Amount: hundred}},
		},
	}
}

// problemOf is what an error of a service says; "" for nil.
func problemOf(err error) TestProblem {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ports.ErrNotSent):
		return CallsPaused
	case errors.Is(err, ports.ErrTaxServiceRefused):
		return QuestionRefused
	case errors.Is(err, ports.ErrTaxServiceUnreadable):
		return AnswerUnreadable
	case errors.Is(err, tax.ErrImplausible):
		return AnswerWrong
	}
	return ServiceUnreachable
}
