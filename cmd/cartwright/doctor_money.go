package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/app/auditing"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// errMoney ends doctor --money with a failure; what differs stands in its table.
var errMoney = errors.New("the money does not add up")

// moneyCheck says whose money is looked at, and how far.
type moneyCheck struct {
	wanted   bool
	tenant   string // id, slug or name; "" is everybody
	provider bool   // ask the providers about every payment
}

func (p process) doctorCommand() *cobra.Command {
	var c moneyCheck
	var asJSON bool
	command := &cobra.Command{
		Use: "doctor", Short: "Check configuration, data folder, database and durability, or whether money adds up.", Args: takes(),
		Example: "cartwright doctor\ncartwright doctor --money --tenant my-shop",
		Long:    "Check configuration, data folder, database and durability. All that is wrong is told at once, with how to mend it.\n\nWith --money: whether what orders say was paid and refunded is what their transactions and the journal of movements say, per tenant, environment and currency; whether reserved stock is what was promised; and with --provider whether the payment providers say the same of every payment. It may run beside a server, names everything that differs, and fails if anything does.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !c.wanted && (c.tenant != "" || c.provider) {
				return mistaken("--tenant and --provider belong to --money: add that, or leave them away")
			}
			if c.wanted && asJSON {
				return mistaken("--json and --money do not go together: the money is told as a table; leave --json away, and look at the exit code")
			}
			if !c.wanted {
				return p.examine(cmd.Context(), asJSON)
			}
			if settings, err := loadConfig(p.getenv); err == nil {
				if err := settings.behind(cmd.Context(), p.logger(settings)); err != nil {
					return err
				}
			}
			return p.withCore(cmd.Context(), func(ctx context.Context, k *core) error { return k.examineMoney(ctx, p.out, c) })
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON: {well, checks: [{check, status, detail}]}; not with --money")
	command.Flags().BoolVar(&c.wanted, "money", false, "check whether money adds up")
	command.Flags().StringVar(&c.tenant, "tenant", "", "of one tenant: its id, slug or name")
	command.Flags().BoolVar(&c.provider, "provider", false, "ask the payment providers about every payment")
	return command
}

// examineMoney prints a line per tenant, environment and currency, and one per difference as it is found.
func (k *core) examineMoney(ctx context.Context, out io.Writer, c moneyCheck) error {
	var unheard error
	well := true
	audit := &auditing.Audit{Store: k.store, Books: k.store.Books(), Found: func(d auditing.Difference) {
		well = false
		_, err := fmt.Fprintf(out, "DIFFERS  tenant %s  %s %s: %s\n", d.Tenant, d.What, d.ID, d.Detail)
		unheard = errors.Join(unheard, err)
	}}
	if c.provider {
		sandboxURL, err := k.openSandbox(ctx, "")
		if err != nil {
			return err
		}
		asking := &buying.Buying{Store: k.store, Vault: k.vault, Providers: k.providers(payment.NewClient(k.config.providerLimits(), nil), sandboxURL, "")}
		audit.Ask = asking.Statement
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TENANT\tENVIRONMENT\tCURRENCY\tORDERS\tNO ORDER\tJOURNAL\tPROVIDERS\t")
	err := k.eachTenant(ctx, c.tenant, func(t tenant.Facts) error {
		sums, err := audit.Tenant(ctx, t.ID)
		for _, s := range sums {
			word := "ok"
			if !s.Adds(c.provider) {
				word, well = "DIFFERS", false
			}
			major := func(minor int64) string { return money.Of(minor, s.Currency).Major() }
			provider := "not asked"
			if c.provider {
				provider = major(s.Provider)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.Tenant, s.Environment, s.Currency, major(s.Orders), major(s.Loose), major(s.Journal), provider, word)
		}
		return err
	})
	switch err := errors.Join(err, unheard, table.Flush()); {
	case err != nil:
		return err
	case !well:
		return errMoney
	}
	return nil
}

// eachTenant calls fn with one tenant, or with page after page of all of them.
func (k *core) eachTenant(ctx context.Context, ref string, fn func(tenant.Facts) error) error {
	if ref != "" {
		t, err := k.tenant(ctx, ref)
		if err != nil {
			return err
		}
		return fn(t)
	}
	s := identity.Tenants
	byID := []collection.Order{{Path: s.Where("id", collection.Exists, true).Path}}
	for after := ""; ; {
		found, err := k.store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
			Schema: s, Where: s.Where("id", collection.GreaterThan, after), Sort: byID, Limit: collection.MaxLimit, Page: 1, Uncounted: true,
		})
		if err != nil {
			return err
		}
		for _, r := range found.Docs {
			if err := fn(identity.FactsOf(r)); err != nil {
				return err
			}
			after = r.ID()
		}
		if len(found.Docs) < collection.MaxLimit {
			return nil
		}
	}
}
