package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

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

func (p process) doctorCommand() *cobra.Command {
	var c moneyCheck
	var asJSON bool
	command := &cobra.Command{
		Use: "doctor", Short: "Check configuration, data folder, database and durability, or reconcile money.", Args: exactArgs(),
		Example: "cartwright doctor\ncartwright doctor --money --tenant my-shop",
		Long:    "Check configuration, data folder, database and durability. All problems are reported at once, each with a fix.\n\nWith --money: compare what orders say was paid and refunded with their transactions and the ledger, per tenant, environment and currency; compare reserved stock with the reservations; and with --provider compare every payment with its payment provider. It can run while servers run, prints every difference, and fails if there is one.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !c.enabled && (c.tenant != "" || c.askProviders) {
				return usageErrorf("--tenant and --provider need --money")
			}
			if c.enabled && asJSON {
				return usageErrorf("--json cannot be combined with --money: use the exit code instead")
			}
			if !c.enabled {
				return p.runDoctor(cmd.Context(), asJSON)
			}
			if settings, err := p.config(); err == nil {
				if err := settings.checkSchema(cmd.Context(), p.logger(settings)); err != nil {
					return err
				}
			}
			return p.withCore(cmd.Context(), func(ctx context.Context, k *core) error { return k.checkMoney(ctx, p.out, c) })
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON: {well, checks: [{check, status, detail}]}; not with --money")
	command.Flags().BoolVar(&c.enabled, "money", false, "reconcile orders, transactions, ledger and stock reservations")
	command.Flags().StringVar(&c.tenant, "tenant", "", "only this tenant: its id, slug or name")
	command.Flags().BoolVar(&c.askProviders, "provider", false, "also look up every payment at its provider")
	return command
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
	byID := []collection.SortKey{{Path: s.Where("id", collection.Exists, true).Path}}
	for after := ""; ; {
		found, err := k.store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
			Schema: s, Where: s.Where("id", collection.GreaterThan, after), Sort: byID, Limit: collection.MaxLimit, Page: 1,
			SkipCount: true,
		})
		if err != nil {
			return err
		}
		for _, r := range found.Docs {
			if err := fn(identity.SettingsFrom(r)); err != nil {
				return err
			}
			after = r.ID()
		}
		if len(found.Docs) < collection.MaxLimit {
			return nil
		}
	}
}
