package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/fulfilling"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// carrying is what the carrier files are told on the command line.
type carrying struct {
	whose

	carrier, from, to, format, output string
	strict                            bool
}

func (p process) fulfillmentsCommand() *cobra.Command {
	return group("fulfillments", "Give carriers their files, and take them back with tracking numbers.", p.carrierExportCommand(), p.carrierImportCommand())
}

func (p process) carrierExportCommand() *cobra.Command {
	var o carrying
	cmd := &cobra.Command{
		Use: "export", Short: "Write what is to be shipped to a file for carriers.", Args: takes(), Annotations: plain("it prints a file in a format of its own"),
		Example: "cartwright fulfillments export --tenant my-shop --carrier cj --format xlsx --output out.xlsx",
		RunE: func(cmd *cobra.Command, args []string) error {
			x, err := fulfilling.NewCarrierExport(o.carrier, o.from, o.to, o.format)
			if err != nil {
				return err
			}
			_, err = p.onTenant(&o.whose, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
				if o.output == "" {
					return answer{}, k.carriers.Export(ctx, by, x, p.out, nil)
				}
				return answer{}, replaced(o.output, func(f io.Writer) error {
					return p.counting(o.output, func(progress func(int)) error { return k.carriers.Export(ctx, by, x, f, progress) })
				})
			})(cmd.Context(), args)
			return err
		},
	}
	o.askBoth(cmd)
	cmd.Flags().StringVar(&o.carrier, "carrier", "", "carrier to write into every row")
	cmd.Flags().StringVar(&o.from, "from", "", "first day of the orders, in UTC: 2026-01-31")
	cmd.Flags().StringVar(&o.to, "to", "", "last day of the orders, in UTC")
	oneOf(cmd, &o.format, "format", "", "format of the file; csv when missing", string(ports.CSV), string(ports.XLSX))
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "file to write; standard output when missing")
	return cmd
}

// replaced writes a file anew. It is made beside its place and put there when it is whole: whoever opens it meanwhile, or
// after a failure, finds what was there before. What is there and no file, a pipe or a device, is written to as it is.
func replaced(name string, write func(io.Writer) error) error {
	mode := os.FileMode(0o600)
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if info, err := os.Stat(name); err == nil {
		if mode = info.Mode(); !mode.IsRegular() {
			f, err := os.OpenFile(name, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			return errors.Join(write(f), f.Close())
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(mode.Perm()), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func (p process) carrierImportCommand() *cobra.Command {
	var o carrying
	cmd := p.answering(&cobra.Command{
		Use: "import FILE…", Short: "Ship what the files of carriers have tracking numbers for; the same file again changes nothing.", Args: takesSome("FILE"),
		Example: "cartwright fulfillments import --tenant my-shop back.xlsx",
	}, "{files: [{file, …}]}, each with what POST /fulfillments/carrier-file answers", p.onTenant(&o.whose, func(ctx context.Context, k *core, by tenant.Principal, files []string) (answer, error) {
		var reports carrierReports
		var failed error
		for _, name := range files {
			report, err := p.importCarrierFile(ctx, k, by, name)
			if err == nil || report.Rows > 0 {
				reports = append(reports, carrierReport{report, name})
			}
			if err != nil {
				failed = fmt.Errorf("%s: %w", name, spelled(err))
				break
			}
			if report.Refused() > 0 && o.strict {
				failed = errRejected
			}
		}
		if len(reports) == 0 {
			return answer{}, failed
		}
		return answer{reports.json(), reports.text}, failed
	}))
	o.askBoth(cmd)
	cmd.Flags().BoolVar(&o.strict, "strict", false, "end with a failure code when rows were refused")
	return cmd
}

func (p process) importCarrierFile(ctx context.Context, k *core, by tenant.Principal, name string) (report fulfilling.CarrierReport, err error) {
	in, err := os.Open(name)
	if err != nil {
		return report, err
	}
	sheet, err := k.carriers.Open(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return report, err
	}
	err = p.counting(name, func(progress func(int)) error {
		report, err = k.carriers.Run(ctx, by, sheet, progress)
		return err
	})
	return report, errors.Join(err, sheet.Close())
}

// counting shows on a terminal how many rows of a file are done while work runs.
func (p process) counting(name string, work func(progress func(rows int)) error) error {
	if !terminal(p.log) {
		return work(nil)
	}
	err := work(func(rows int) { _, _ = fmt.Fprintf(p.log, "\r\x1b[K%s: %d rows", name, rows) }) // who is not there misses nothing
	_, _ = fmt.Fprint(p.log, "\r\x1b[K")
	return err
}

// carrierReport is what became of a file.
type carrierReport struct {
	fulfilling.CarrierReport

	file string
}

type carrierReports []carrierReport

func (all carrierReports) json() []byte {
	b := []byte(`{"files":[`)
	for i, r := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(collection.AppendString(append(b, `{"file":`...), r.file), ',')
		b = append(b, r.Body()[1:]...)
	}
	return append(b, "]}"...)
}

func (all carrierReports) text(out io.Writer) error {
	text := ""
	for _, r := range all {
		text += fmt.Sprintf("%s: %d applied, %d unchanged, %d refused\n", r.file, r.Applied, r.Unchanged, r.Refused())
		for _, n := range r.Errors {
			text += fmt.Sprintf("  row %d: %s\n", n.Row, oneLine(n.Message))
		}
		for _, n := range r.Warnings {
			text += fmt.Sprintf("  row %d, applied: %s\n", n.Row, oneLine(n.Message))
		}
		if more := r.MoreErrors + r.MoreWarnings; more > 0 {
			text += fmt.Sprintf("  and %d rows more\n", more)
		}
	}
	_, err := io.WriteString(out, text)
	return err
}
