package program

import (
	"context"

	"github.com/spf13/cobra"
)

func (p process) doctorCommand() *cobra.Command {
	var c moneyCheck
	var asJSON, records bool
	command := &cobra.Command{
		Use: "doctor", Short: "Check configuration, data folder, database and durability, or reconcile money.", Args: exactArgs(),
		Example: "cartwright doctor\ncartwright doctor --money --tenant my-shop\ncartwright doctor --records",
		Long:    "Check configuration, data folder, database and durability. All problems are reported at once, each with a fix.\n\nWith --money: compare what orders say was paid and refunded with their transactions and the ledger, per tenant, environment and currency; compare reserved stock with the reservations; and with --provider compare every payment with its payment provider. It can run while servers run, prints every difference, and fails if there is one.\n\nWith --records: read every record of the database, print those that something else than cartwright has damaged, and fail if there is one. A list that such a record belongs to is answered with 500 until it is repaired; background work goes on without it.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !c.enabled && (c.tenant != "" || c.askProviders) {
				return usageErrorf("--tenant and --provider need --money")
			}
			if c.enabled && records {
				return usageErrorf("--money and --records cannot be combined: run doctor twice")
			}
			if (c.enabled || records) && asJSON {
				return usageErrorf("--json cannot be combined with --money or --records: use the exit code instead")
			}
			if !c.enabled && !records {
				return p.runDoctor(cmd.Context(), asJSON)
			}
			if settings, err := p.config(); err == nil {
				if err := settings.checkSchema(cmd.Context(), p.logger(settings)); err != nil {
					return err
				}
			}
			return p.withCore(cmd.Context(), func(ctx context.Context, k *core) error {
				if records {
					return k.checkRecords(ctx, p.out)
				}
				return k.checkMoney(ctx, p.out, c)
			})
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON: {well, checks: [{check, status, detail}]}; not with --money or --records")
	command.Flags().BoolVar(&c.enabled, "money", false, "reconcile orders, transactions, ledger and stock reservations")
	command.Flags().BoolVar(&records, "records", false, "read every record and name those that are damaged")
	command.Flags().StringVar(&c.tenant, "tenant", "", "only this tenant: its id, slug or name")
	command.Flags().BoolVar(&c.askProviders, "provider", false, "also look up every payment at its provider")
	return command
}
