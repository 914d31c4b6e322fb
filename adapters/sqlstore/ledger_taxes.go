package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
)

// taxAmount is a tax.Amount as ledger_taxes has it: amounts are minor units, the percentage is in hundred-millionths.
type taxAmount struct {
	Rate         string         `json:"rate,omitempty"`
	Name         string         `json:"name"`
	Country      string         `json:"country,omitempty"`
	Jurisdiction string         `json:"jurisdiction,omitempty"`
	PercentE8    int64          `json:"percentE8"`
	Currency     money.Currency `json:"currency"`
	Base         int64          `json:"base"`
	Amount       int64          `json:"amount"`
}

// AppendTaxes implements ports.Ledger.
func (t ledgerRows) AppendTaxes(ctx context.Context, e tax.Entry) error {
	if !t.Covers(string(e.Tenant)) {
		return t.fail(table.ErrForeignTenant)
	}
	list := make([]taxAmount, len(e.Taxes))
	for i, a := range e.Taxes {
		list[i] = taxAmount{a.Rate, a.Name, a.Country, a.Jurisdiction, a.Percent.E8(), a.Amount.Currency, a.Base.Minor, a.Amount.Minor}
	}
	taxes, err := json.Marshal(list)
	if err == nil {
		err = t.runOrDefer(ctx, db.Stmt{
			SQL:  "INSERT INTO ledger_taxes (tenant, id, environment, transaction_id, side, at, taxes) VALUES ($1, $2, $3, $4, $5, $6, $7)",
			Args: []any{string(e.Tenant), e.ID, string(e.Environment), e.Transaction, string(e.Side), e.At, string(taxes)},
		})
	}
	if err != nil {
		return fmt.Errorf("append taxes to the ledger: %w", err)
	}
	return nil
}

const selectTaxes = "SELECT id, transaction_id, side, at, taxes FROM ledger_taxes WHERE tenant = $1 AND environment = $2 " +
	"AND at >= $3 AND (at, id) > ($3, $4) AND at < $5 ORDER BY at, id LIMIT $6"

// Taxes implements ports.LedgerReader.
func (b LedgerReader) Taxes(ctx context.Context, q ports.TaxQuery) (all []tax.Entry, err error) {
	err = db.Query(ctx, b.session(q.Tenant), func(r db.Row) error {
		e := tax.Entry{Tenant: q.Tenant, Environment: q.Environment}
		var at db.NullTime
		var side, taxes string
		if err := r.Scan(&e.ID, &e.Transaction, &side, &at, &taxes); err != nil {
			return err
		}
		e.Side, e.At = tax.Side(side), at.Time
		var list []taxAmount
		err := json.Unmarshal([]byte(taxes), &list)
		for _, a := range list {
			e.Taxes = append(e.Taxes, tax.Amount{
				Rate: a.Rate, Name: a.Name, Country: a.Country, Jurisdiction: a.Jurisdiction, Percent: money.DecimalFromE8(a.PercentE8),
				Base:   money.Of(a.Base, a.Currency),
				Amount: money.Of(a.Amount, a.Currency),
			})
		}
		all = append(all, e)
		return err
	}, selectTaxes, string(q.Tenant), string(q.Environment), q.Since, q.After, q.Until, int64(q.Limit))
	if err != nil {
		return nil, fmt.Errorf("read taxes of the ledger: %w", err)
	}
	return all, nil
}
