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
	"github.com/cartwright-dev/cartwright/app/importing"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// formats lists what import and export speak.
const formats = "shopify"

// transfer is what import and export are told on the command line.
type transfer struct {
	whose

	format, currency, rate string
	step                   int64
	output                 string
	strict                 bool
}

func (p process) importCommand() *cobra.Command {
	var o transfer
	cmd := p.answering(&cobra.Command{
		Use: "import FILE…", Short: "Take the product files of another shop in; the same file again changes nothing.", Args: takesSome("FILE"),
		Example: "cartwright import --tenant my-shop products.csv\ncartwright import --currency USD --rate 1380 --round 100 products.csv",
		Long: `Take the product files of another shop in.

Products are recognised by their handle; what differs is updated, what the file does not name stays. Files name no currency:
their amounts are taken as the shop's own, and a row whose amount that currency cannot hold (9.99 in KRW) is rejected. For a
file in another currency say which and how to convert: --currency USD --rate 1380 --round 100.`,
	}, "{files: [{file, created, updated, unchanged, errors: [{row, handle, message}]}]}", p.onTenant(&o.whose, func(ctx context.Context, k *core, by tenant.Principal, files []string) (answer, error) {
		return p.importFiles(ctx, k, by, o, files)
	}))
	o.ask(cmd)
	oneOf(cmd, &o.format, "format", formats, "format of the files", formats)
	cmd.Flags().StringVar(&o.currency, "currency", "", "currency of the amounts in the files; the shop's when missing")
	cmd.Flags().StringVar(&o.rate, "rate", "", "units of the shop's currency per unit of the files'")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "end with a failure code when rows were rejected")
	cmd.Flags().Int64Var(&o.step, "round", 0, "round converted amounts to multiples of so many whole units")
	return cmd
}

// errRejected ends a strict import of which some rows were not taken.
var errRejected = errors.New("some rows were rejected; correct them and import the file again")

// imported is what became of a file.
type imported struct {
	File      string        `json:"file"`
	Created   int           `json:"created"`
	Updated   int           `json:"updated"`
	Unchanged int           `json:"unchanged"`
	Errors    []rejectedRow `json:"errors"`
}

type rejectedRow struct {
	Row     int    `json:"row"`
	Handle  string `json:"handle"`
	Message string `json:"message"`
}

// importFiles stops at a file that cannot be read at all; the answer says what became of those before it.
func (p process) importFiles(ctx context.Context, k *core, by tenant.Principal, o transfer, files []string) (answer, error) {
	prices := importing.Prices{Tenant: by.Tenant.Currency, File: money.Currency(strings.ToUpper(o.currency)), Step: o.step}
	if o.rate != "" {
		var err error
		if prices.Rate, err = money.ParseDecimal(o.rate); err != nil {
			return answer{}, mistaken("--rate: %q is no number", o.rate)
		}
	}
	if err := prices.Check(); err != nil {
		return answer{}, err
	}
	done := []imported{}
	var failed error
	for _, name := range files {
		report, err := p.importFile(ctx, k, by, prices, name)
		if err != nil {
			failed = fmt.Errorf("%s: %w", name, spelled(err))
			break
		}
		one := imported{name, report.Created, report.Updated, report.Unchanged, []rejectedRow{}}
		for _, x := range report.Rejected {
			one.Errors = append(one.Errors, rejectedRow{x.Row, x.Handle, x.Reason})
		}
		if done = append(done, one); len(one.Errors) > 0 && o.strict {
			failed = errRejected
		}
	}
	if len(done) == 0 {
		return answer{}, failed
	}
	a, err := valued(map[string]any{"files": done}, func(out io.Writer) error { return summarize(out, done) })
	return a, errors.Join(failed, err)
}

func (p process) importFile(ctx context.Context, k *core, by tenant.Principal, prices importing.Prices, name string) (importing.Report, error) {
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
	report, err := k.imports.Run(ctx, by, file, prices, progress)
	if terminal(p.log) {
		_, _ = fmt.Fprint(p.log, "\r\x1b[K")
	}
	return report, err
}

func summarize(out io.Writer, files []imported) error {
	text := ""
	for _, f := range files {
		text += fmt.Sprintf("%s: %d created, %d updated, %d unchanged, %d rejected\n", f.File, f.Created, f.Updated, f.Unchanged, len(f.Errors))
		for _, x := range f.Errors {
			text += fmt.Sprintf("  row %d (%s): %s\n", x.Row, oneLine(x.Handle), oneLine(x.Message))
		}
	}
	_, err := io.WriteString(out, text)
	return err
}

func (p process) exportCommand() *cobra.Command {
	var o transfer
	cmd := &cobra.Command{
		Use: "export", Short: "Write the catalog in the form that import takes.", Args: takes(), Annotations: plain("it prints a file in a format of its own"),
		Example: "cartwright export --tenant my-shop --output catalog.csv",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := p.onTenant(&o.whose, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
				return answer{}, p.export(ctx, k, by, o.output)
			})(cmd.Context(), args)
			return err
		},
	}
	o.ask(cmd)
	oneOf(cmd, &o.format, "format", formats, "format of the file", formats)
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "file to write; standard output when missing")
	return cmd
}

func (p process) export(ctx context.Context, k *core, by tenant.Principal, output string) error {
	products, err := importing.Export(ctx, k.store, by.Tenant.ID)
	if err != nil {
		return err
	}
	if output == "" {
		return shopify.Write(p.out, products)
	}
	return replaced(output, func(f io.Writer) error { return shopify.Write(f, products) })
}
