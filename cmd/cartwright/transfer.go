package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/shopify"
	"github.com/cartwright-dev/cartwright/app/founding"
	"github.com/cartwright-dev/cartwright/app/importing"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// formats lists what import and export speak.
const formats = "shopify"

func badFormat(format string) error {
	if format != formats {
		return fmt.Errorf("the format %q is not known; there is: %s", format, formats)
	}
	return nil
}

// transfer is what import and export are told on the command line.
type transfer struct {
	tenant, format, currency, rate string
	step                           int64
	output                         string
	strict                         bool
}

func (p process) importCommand() *cobra.Command {
	var o transfer
	cmd := &cobra.Command{
		Use: "import --format shopify FILE…", Short: "Take the product files of another shop in; the same file again changes nothing.", Args: cobra.MinimumNArgs(1),
		Long: `Take the product files of another shop in.

Products are recognised by their handle; what differs is updated, what the file does not name stays. Files name no currency:
their amounts are taken as the shop's own, and a row whose amount that currency cannot hold (9.99 in KRW) is rejected. For a
file in another currency say which and how to convert: --currency USD --rate 1380 --round 100.`,
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := badFormat(o.format); err != nil {
				return err
			}
			return p.withTenant(cmd.Context(), o.tenant, func(ctx context.Context, k *core, t tenant.Facts) error {
				return p.importFiles(ctx, k, t, o, files)
			})
		},
	}
	cmd.Flags().StringVar(&o.format, "format", formats, "format of the files")
	cmd.Flags().StringVar(&o.tenant, "tenant", "", tenantFlag)
	cmd.Flags().StringVar(&o.currency, "currency", "", "currency of the amounts in the files; the shop's when missing")
	cmd.Flags().StringVar(&o.rate, "rate", "", "units of the shop's currency per unit of the files'")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "end with a failure code when rows were rejected")
	cmd.Flags().Int64Var(&o.step, "round", 0, "round converted amounts to multiples of so many whole units")
	return cmd
}

// errRejected ends a strict import of which some rows were not taken.
var errRejected = errors.New("some rows were rejected; correct them and import the file again")

func (p process) importFiles(ctx context.Context, k *core, t tenant.Facts, o transfer, files []string) error {
	prices := importing.Prices{Tenant: t.Currency, File: money.Currency(strings.ToUpper(o.currency)), Step: o.step}
	if o.rate != "" {
		var err error
		if prices.Rate, err = money.ParseDecimal(o.rate); err != nil {
			return fmt.Errorf("--rate: %q is no number", o.rate)
		}
	}
	if err := prices.Check(); err != nil {
		return spelled(err)
	}
	rejected := false
	for _, name := range files {
		report, err := p.importFile(ctx, k, t, prices, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rejected = rejected || len(report.Rejected) > 0
		if err := summarize(p.out, name, report); err != nil {
			return err
		}
	}
	if rejected && o.strict {
		return errRejected
	}
	return nil
}

func (p process) importFile(ctx context.Context, k *core, t tenant.Facts, prices importing.Prices, name string) (importing.Report, error) {
	in, err := os.Open(name)
	if err != nil {
		return importing.Report{}, err
	}
	defer func() { _ = in.Close() }() // it was only read
	file, err := shopify.Read(in)
	if err != nil {
		return importing.Report{}, err
	}
	progress := func(done, total int) {
		if terminal(p.log) {
			_, _ = fmt.Fprintf(p.log, "\r\x1b[K%s: %d of %d products", name, done, total) // who is not there misses nothing
		}
	}
	report, err := k.imports.Run(ctx, founding.Owner(t, tenant.Live), file, prices, progress)
	if terminal(p.log) {
		_, _ = fmt.Fprint(p.log, "\r\x1b[K")
	}
	return report, err
}

func summarize(out io.Writer, name string, r importing.Report) error {
	text := fmt.Sprintf("%s: %d created, %d updated, %d unchanged, %d rejected\n", name, r.Created, r.Updated, r.Unchanged, len(r.Rejected))
	for _, x := range r.Rejected {
		text += fmt.Sprintf("  row %d (%s): %s\n", x.Row, x.Handle, x.Reason)
	}
	_, err := io.WriteString(out, text)
	return err
}

func (p process) exportCommand() *cobra.Command {
	var o transfer
	cmd := &cobra.Command{
		Use: "export", Short: "Write the catalog in the form that import takes.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := badFormat(o.format); err != nil {
				return err
			}
			return p.withTenant(cmd.Context(), o.tenant, func(ctx context.Context, k *core, t tenant.Facts) error {
				products, err := importing.Export(ctx, k.store, t.ID)
				if err != nil {
					return err
				}
				if o.output == "" {
					return shopify.Write(p.out, products)
				}
				f, err := os.OpenFile(o.output, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644) //nolint:gosec // a catalog is for others to read
				if err != nil {
					return err
				}
				return errors.Join(shopify.Write(f, products), f.Close())
			})
		},
	}
	cmd.Flags().StringVar(&o.format, "format", formats, "format of the file")
	cmd.Flags().StringVar(&o.tenant, "tenant", "", tenantFlag)
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "file to write; standard output when missing")
	return cmd
}
