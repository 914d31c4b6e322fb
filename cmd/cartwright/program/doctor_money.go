package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/reconciliation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	domainpayment "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// errMoneyMismatch ends doctor --money with a failure; the differences are in its table.
var errMoneyMismatch = errors.New("the money check found differences")

// moneyCheck selects the tenants, and whether payments are looked up at their providers.
type moneyCheck struct {
	enabled      bool
	tenant       string // id, slug or name; "" is all tenants
	askProviders bool   // look every payment up at its provider
}

// checkMoney prints a line per tenant, environment and currency, and one per difference when it is found.
func (k *core) checkMoney(ctx context.Context, out io.Writer, c moneyCheck) error {
	var printErr error
	balanced := true
	audit := &reconciliation.Reconciler{Store: k.store, Ledger: k.store.LedgerReader(), OnDiscrepancy: func(d reconciliation.Discrepancy) {
		balanced = false
		_, err := fmt.Fprintf(out, "DIFFERS  tenant %s  %s %s: %s\n", d.Tenant, d.Kind, d.ID, d.Detail)
		printErr = errors.Join(printErr, err)
	}}
	if c.askProviders {
		sandboxURL, err := k.openSandbox(ctx, "")
		if err != nil {
			return err
		}
		opener := connections.Opener{
			Vault: k.vault, Providers: k.providers(payment.NewClient(k.config.providerLimits(), nil), sandboxURL, ""),
		}
		audit.LookupPayment = func(ctx context.Context, s domainpayment.Session) (ports.ProviderPayment, error) {
			return opener.LookupPayment(ctx, k.store.Read(ports.ForTenant(s.Tenant)), s)
		}
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TENANT\tENVIRONMENT\tCURRENCY\tORDERS\tNO ORDER\tLEDGER\tPROVIDERS\t")
	err := k.eachTenant(ctx, c.tenant, func(t tenant.Settings) error {
		sums, err := audit.CheckTenant(ctx, t.ID)
		for _, s := range sums {
			result := "ok"
			if !s.Balanced(c.askProviders) {
				result, balanced = "DIFFERS", false
			}
			major := func(minor int64) string { return money.Of(minor, s.Currency).Major() }
			provider := "not checked"
			if c.askProviders {
				provider = major(s.Provider)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.Tenant, s.Environment, s.Currency, major(s.Orders), major(s.Unapplied),
				major(s.Ledger), provider, result)
		}
		return err
	})
	switch err := errors.Join(err, printErr, table.Flush()); {
	case err != nil:
		return err
	case !balanced:
		return errMoneyMismatch
	}
	return nil
}

// eachTenant calls fn with one tenant, or with page after page of all of them.
func (k *core) eachTenant(ctx context.Context, ref string, fn func(tenant.Settings) error) error {
	if ref != "" {
		t, err := k.tenant(ctx, ref)
		if err != nil {
			return err
		}
		return fn(t)
	}
	s := identity.Tenants
	byID := s.SortBy("id")
	for after := ""; ; {
		found, err := k.store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
			Schema: s, Where: s.Where("id", collection.GreaterThan, after), Sort: byID, Limit: collection.MaxLimit, Page: 1,
			SkipCount: true,
		})
		if err != nil {
			return err
		}
		for _, r := range found.Docs {
			after = r.ID()
			if identity.IsDeleting(r) {
				continue
			}
			if err := fn(identity.SettingsFrom(r)); err != nil {
				return err
			}
		}
		if len(found.Docs) < collection.MaxLimit {
			return nil
		}
	}
}
