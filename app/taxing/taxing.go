// Package taxing asks for the taxes of sales: outside of transactions, and only where a market has a tax service. Rules: taxes-13 to
// taxes-19; Decision 86.
//
// # One path
//
// Whoever sells prices the goods in its transaction, from what the transaction sees (Decision 12), and computes their taxes with
// tax.Rules. In a market with the shop's own rates that is all. Where a service computes them, the rules know only what it was asked
// before, and refuse anything else with the question (tax.Unanswered). Asker.Ask then asks, outside of the rolled back transaction, and
// runs it again, with an answer to exactly this question: so a cart, a price or an address that changed meanwhile is another question.
//
// # What fails closed
//
// No answer in time, an open circuit, and an answer that cannot be right are all tax.ErrUnavailable: nothing is sold. A market may say
// that its own rates count then; they are asked by the same port, have to cover the place, and the sale tells so by its source.
package taxing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Asker asks tax services.
type Asker struct {
	Store   ports.Store
	Vault   ports.Vault
	Service ports.TaxService // that of the market
	Table   ports.TaxService // the rates of the shop, where they stand in for it
	Log     *slog.Logger

	answered, fallback, failed atomic.Int64
}

// attempts is how often a sale is priced anew because it changed while its service was asked.
const attempts = 4

// Ask runs work, which sells for p and is given what its tax service was asked; again with the answer, if work needs one. Errors: those
// of work; tax.ErrUnavailable without an answer, and when the sale keeps changing. A nil Asker asks nobody.
func (a *Asker) Ask(ctx context.Context, p tenant.Principal, work func(tax.Known) error) error {
	var known tax.Known
	for range attempts {
		err := work(known)
		question, open := errors.AsType[*tax.Unanswered](err)
		if a == nil || !open {
			return err
		}
		answer, err := a.ask(ctx, p, *question)
		if err != nil {
			return err
		}
		known = append(known, tax.Asked{Question: *question, Answer: answer})
	}
	return tax.ErrUnavailable.WithCause(errors.New("the sale kept changing while its taxes were asked for"))
}

// ask answers a question: by the service, or by the table where that is allowed to stand in.
func (a *Asker) ask(ctx context.Context, p tenant.Principal, q tax.Unanswered) (tax.Answer, error) {
	answer, connection, err := a.askService(ctx, p, q)
	if err == nil {
		a.answered.Add(1)
		return answer, nil
	}
	if ctx.Err() != nil {
		return tax.Answer{}, err
	}
	note := []any{"tenant", string(p.Tenant.ID), "connection", connection, "market", q.Rules.Market, "error", err.Error()}
	if !q.Rules.Fallback || !q.Rules.Covers(q.Sale.Place, q.Sale.At) {
		a.failed.Add(1)
		a.Log.WarnContext(ctx, "the taxes of a sale could not be computed, so nothing was sold", note...)
		return tax.Answer{}, err
	}
	if answer, err = a.Table.Quote(ctx, ports.TaxQuestion{Rules: q.Rules, Sale: q.Sale}); err != nil {
		return tax.Answer{}, err
	}
	a.fallback.Add(1)
	a.Log.WarnContext(ctx, "a sale was taxed by the shop's rates, since its tax service gave no answer", note...)
	answer.Source = tax.Fallback
	return answer, nil
}

// askService asks the service of a market and checks its answer. Errors: tax.ErrUnavailable.
func (a *Asker) askService(ctx context.Context, p tenant.Principal, q tax.Unanswered) (answer tax.Answer, connection string, err error) {
	row, err := a.find(ctx, p, q.Rules.Market)
	if err != nil {
		return answer, "", err
	}
	conn, err := open(a.Vault, row)
	if err != nil {
		return answer, row.ID(), tax.ErrUnavailable.WithCause(err)
	}
	if answer, err = a.Service.Quote(ctx, ports.TaxQuestion{Connection: conn, Rules: q.Rules, Sale: q.Sale}); err != nil {
		return answer, conn.ID, err
	}
	if answer, err = q.Rules.Check(q.Sale, answer); err != nil {
		return answer, conn.ID, tax.ErrUnavailable.WithCause(err)
	}
	return answer, conn.ID, nil
}

// errNotConnected is the cause where a market has no service to ask.
var errNotConnected = errors.New("the market has no enabled tax connection in this environment")

// find is the connection that a market uses: its own, else the oldest for all markets. Errors: tax.ErrUnavailable.
func (a *Asker) find(ctx context.Context, p tenant.Principal, market string) (best collection.Record, err error) {
	s := tax.Connections
	page, err := a.Store.Read(ports.ForPrincipal(p)).Find(ctx, collection.Query{
		Schema: s, Sort: s.SortBy("createdAt"), Limit: collection.MaxLimit, Page: 1, SkipCount: true,
		Where: collection.And{
			s.Where("environment", collection.Equals, string(p.Environment)), s.Where("enabled", collection.Equals, true),
		},
	})
	if err != nil {
		return nil, err
	}
	for _, row := range page.Docs {
		switch row.Text("market") {
		case market:
			return row, nil
		case "":
			if best == nil {
				best = row
			}
		}
	}
	if best == nil {
		return nil, tax.ErrUnavailable.WithCause(errNotConnected)
	}
	return best, nil
}

// open decrypts a connection.
func open(v ports.Vault, row collection.Record) (ports.TaxConnection, error) {
	secret, err := v.Open(label(row.ID()), row.Text("secret"))
	if err != nil {
		return ports.TaxConnection{}, fmt.Errorf("open the secret of tax connection %s: %w", row.ID(), err)
	}
	return ports.TaxConnection{
		ID: row.ID(), Tenant: tenant.ID(row.Text("tenant")), Environment: tenant.Environment(row.Text("environment")), URL: row.Text("url"),
		Secret: string(secret),
	}, nil
}

// Stats are how many questions this process had answered by services, and how many sales the table stood in for, or were refused.
func (a *Asker) Stats() (answered, fallback, failed int64) {
	return a.answered.Load(), a.fallback.Load(), a.failed.Load()
}
