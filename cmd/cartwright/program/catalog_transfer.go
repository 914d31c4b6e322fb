package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/shopify"
	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/app/catalogtransfer"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// transferFormats are the formats of import and export.
const transferFormats = "shopify"

// transferFlags are the flags of import and export.
type transferFlags struct {
	tenantFlags

	format, currency, rate string
	roundTo                int64
	output                 string
	strict                 bool
	stock                  catalogtransfer.StockMode
}

func (p process) importCommand() *cobra.Command {
	var o transferFlags
	cmd := p.jsonCommand(&cobra.Command{
		Use: "import FILE…", Short: "Import product files from another shop system; importing a file twice changes nothing.",
		Args:    atLeastOneArg("FILE"),
		Example: "cartwright import --tenant my-shop products.csv\ncartwright import --currency USD --rate 1380 --round 100 products.csv",
		Long: `Import product files from another shop system.

Products are matched by handle; differences are updated, products missing from the file stay. Files name no currency:
amounts are read in the shop's currency, and a row whose amount does not fit it (9.99 in KRW) is rejected. For a
file in another currency, give the currency and the rate: --currency USD --rate 1380 --round 100.

The quantities of new variants are their stock. Those of variants that the shop has already change nothing, because
units may have been sold since the file was written. If they were counted now, give --stock count; if they are units
that arrived, give --stock delta, which adds them, every time the file is imported.`,
	}, "{files: [{file, created, updated, unchanged, stockKept, errors: [{row, handle, message}]}]}",
		p.runForTenant(&o.tenantFlags, func(ctx context.Context, k *core, by tenant.Principal, files []string) (commandResult, error) {
			return p.importFiles(ctx, k, by, o, files)
		}))
	o.addTenant(cmd)
	addChoiceFlag(cmd, &o.format, "format", transferFormats, "format of the files", transferFormats)
	cmd.Flags().StringVar(&o.currency, "currency", "", "currency of the amounts in the files (default: the shop's)")
	cmd.Flags().StringVar(&o.rate, "rate", "", "units of the shop's currency per unit of the files' currency")
	addChoiceFlag(cmd, &o.stock, "stock", catalogtransfer.StockKept,
		"what quantities mean for variants that the shop has: count or delta (default: nothing)",
		catalogtransfer.StockCounted, catalogtransfer.StockAdded)
	cmd.Flags().BoolVar(&o.strict, "strict", false, "exit with 1 if any row was rejected")
	cmd.Flags().Int64Var(&o.roundTo, "round", 0, "round converted amounts to multiples of this many whole units")
	return cmd
}

// errRowsRejected ends a strict import with rejected rows.
var errRowsRejected = errors.New("some rows were rejected; correct them and import the file again")

// importOutcome is the result for one file.
type importOutcome struct {
	File      string        `json:"file"`
	Created   int           `json:"created"`
	Updated   int           `json:"updated"`
	Unchanged int           `json:"unchanged"`
	StockKept int           `json:"stockKept"`
	Errors    []rejectedRow `json:"errors"`
}

type rejectedRow struct {
	Row     int    `json:"row"`
	Handle  string `json:"handle"`
	Message string `json:"message"`
}

// importFiles stops at a file that cannot be read at all; the result has the outcomes of the files before it.
func (p process) importFiles(ctx context.Context, k *core, by tenant.Principal, o transferFlags, files []string) (commandResult, error) {
	prices := catalogtransfer.PriceConversion{
		Tenant: by.Tenant.Currency, File: money.Currency(strings.ToUpper(o.currency)), RoundingStep: o.roundTo,
	}
	if o.rate != "" {
		var err error
		if prices.Rate, err = money.ParseDecimal(o.rate); err != nil {
			return commandResult{}, usageErrorf("--rate: %q is not a number", o.rate)
		}
	}
	if err := prices.Check(); err != nil {
		return commandResult{}, err
	}
	done := []importOutcome{}
	var failed error
	for _, name := range files {
		report, err := p.importFile(ctx, k, by, catalogtransfer.Options{Prices: prices, Stock: o.stock}, name)
		if err != nil {
			failed = fmt.Errorf("%s: %w", name, describeFault(err))
			break
		}
		one := importOutcome{name, report.Created, report.Updated, report.Unchanged, report.StockKept, []rejectedRow{}}
		for _, x := range report.Rejected {
			one.Errors = append(one.Errors, rejectedRow{x.Row, x.Handle, x.Reason})
		}
		if done = append(done, one); len(one.Errors) > 0 && o.strict {
			failed = errRowsRejected
		}
	}
	if len(done) == 0 {
		return commandResult{}, failed
	}
	failed = errors.Join(failed, k.store.Analyze(ctx))
	a, err := jsonResult(map[string]any{"files": done}, func(out io.Writer) error { return printImportSummary(out, done) })
	return a, errors.Join(failed, err)
}

func (p process) importFile(
	ctx context.Context, k *core, by tenant.Principal, o catalogtransfer.Options, name string,
) (catalogtransfer.Report, error) {
	in, err := os.Open(name)
	if err != nil {
		return catalogtransfer.Report{}, err
	}
	defer func() { _ = in.Close() }() // it was only read
	file, err := shopify.Read(in, spreadsheet.UnescapeRow)
	if err != nil {
		return catalogtransfer.Report{}, err
	}
	progress := func(done, total int) {
		if terminal(p.log) {
			_, _ = fmt.Fprintf(p.log, "\r\x1b[K%s: %d of %d products", name, done, total) // progress may be lost
		}
	}
	report, err := k.catalogTransfer.Run(ctx, by, file, o, progress)
	if terminal(p.log) {
		_, _ = fmt.Fprint(p.log, "\r\x1b[K")
	}
	return report, err
}

func printImportSummary(out io.Writer, files []importOutcome) error {
	text := ""
	for _, f := range files {
		text += fmt.Sprintf("%s: %d created, %d updated, %d unchanged, %d rejected\n",
			f.File, f.Created, f.Updated, f.Unchanged, len(f.Errors))
		if f.StockKept > 0 {
			text += fmt.Sprintf("  %d variants kept a stock that differs from the file: see --stock\n", f.StockKept)
		}
		for _, x := range f.Errors {
			text += fmt.Sprintf("  row %d (%s): %s\n", x.Row, oneLine(x.Handle), oneLine(x.Message))
		}
	}
	_, err := io.WriteString(out, text)
	return err
}

func (p process) exportCommand() *cobra.Command {
	var o transferFlags
	cmd := &cobra.Command{
		Use: "export", Short: "Export the catalog in the format that import reads.", Args: exactArgs(),
		Annotations: withoutJSON("it writes a CSV file"), Example: "cartwright export --tenant my-shop --output catalog.csv",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := p.runForTenant(&o.tenantFlags,
				func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
					return commandResult{}, p.export(ctx, k, by, o.output)
				})(cmd.Context(), args)
			return err
		},
	}
	o.addTenant(cmd)
	addChoiceFlag(cmd, &o.format, "format", transferFormats, "format of the file", transferFormats)
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "output file (default: standard output)")
	return cmd
}

func (p process) export(ctx context.Context, k *core, by tenant.Principal, output string) error {
	products, err := catalogtransfer.Export(ctx, k.store, by.Tenant.ID)
	if err != nil {
		return err
	}
	if output == "" {
		return shopify.Write(p.out, products, spreadsheet.EscapeRow)
	}
	return replaceOutputFile(output, func(f io.Writer) error { return shopify.Write(f, products, spreadsheet.EscapeRow) })
}
