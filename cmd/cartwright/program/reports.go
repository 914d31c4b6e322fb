package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// errReportsDiffer ends reports verify with a failure; the differences are in its output.
var errReportsDiffer = errors.New("the sums of reports are not those of their facts: make them again with cartwright reports rebuild")

func (p process) reportsCommand() *cobra.Command {
	return group("reports", "Check the sums that reports are read from, or make them again.",
		p.tenantScopedCommand(&cobra.Command{
			Use: "rebuild", Short: "Forget the sums of a shop's days and months, and make them again.", Args: exactArgs(),
			Long: `Forget the sums of a shop's days and months, and make them again from its orders and its ledger.

Servers may be running: until a day was added up again they read it from its facts, and refuse reports of more than 62 of
such days.`,
			Example: "cartwright reports rebuild --tenant corner-shop",
		}, "{rebuilt: true}", tenantCommandOptions{}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
			if err := rebuildReports(ctx, k.newReportMaker(), by.Tenant); err != nil {
				return commandResult{}, err
			}
			return jsonResult(map[string]any{"rebuilt": true}, func(out io.Writer) error {
				_, err := fmt.Fprintln(out, "the sums of all days that have ended were made again")
				return err
			})
		}),
		p.tenantScopedCommand(&cobra.Command{
			Use: "verify", Short: "Compare the sums of a shop's days and months with its orders and its ledger.", Args: exactArgs(),
			Example: "cartwright reports verify --tenant corner-shop",
		}, "{differences: []}", tenantCommandOptions{}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
			return k.verifyReports(ctx, by.Tenant)
		}),
	)
}

// rebuildPause is how long reports rebuild waits for the transactions that keep days from being added up.
const rebuildPause = 100 * time.Millisecond

// rebuildReports makes the sums of a shop again, and waits until all are there.
func rebuildReports(ctx context.Context, m *reports.Maker, shop tenant.Settings) error {
	if err := m.Reset(ctx, shop); err != nil {
		return err
	}
	for {
		if made, err := m.MakeAll(ctx, shop); made || err != nil {
			return err
		}
		select {
		case <-time.After(rebuildPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// verifyReports lists what differs. Errors: errReportsDiffer, and those of reading.
func (k *core) verifyReports(ctx context.Context, shop tenant.Settings) (commandResult, error) {
	differences := []string{}
	v := reports.Verifier{
		Reports: k.store.Reports(), Ledger: k.store.LedgerReader(), Now: k.now,
		OnDifference: func(d string) { differences = append(differences, d) },
	}
	if err := v.CheckTenant(ctx, shop); err != nil {
		return commandResult{}, err
	}
	result, err := jsonResult(map[string]any{"differences": differences}, func(out io.Writer) error {
		if len(differences) == 0 {
			_, err := fmt.Fprintln(out, "ok: all sums are those of their orders and of the ledger")
			return err
		}
		var err error
		for _, d := range differences {
			_, printErr := fmt.Fprintln(out, "DIFFERS  "+d)
			err = errors.Join(err, printErr)
		}
		return err
	})
	if len(differences) > 0 {
		err = errors.Join(errReportsDiffer, err)
	}
	return result, err
}
