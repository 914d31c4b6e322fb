package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/founding"
	"github.com/cartwright-dev/cartwright/app/fulfilling"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// carrying is what the carrier files are told on the command line.
type carrying struct {
	tenant, environment               string
	carrier, from, to, format, output string
	strict                            bool
}

func (p process) fulfillmentsCommand() *cobra.Command {
	group := &cobra.Command{Use: "fulfillments", Short: "Give carriers their files, and take them back with tracking numbers."}
	group.AddCommand(p.carrierExportCommand(), p.carrierImportCommand())
	return group
}

// shared adds the flags that both have.
func (o *carrying) shared(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.tenant, "tenant", "", tenantFlag)
	cmd.Flags().StringVar(&o.environment, "environment", string(tenant.Live), "live or test")
}

// owner acts in the environment that was named.
func (o *carrying) owner(t tenant.Facts) (tenant.Principal, error) {
	env := tenant.Environment(o.environment)
	if env != tenant.Live && env != tenant.Test {
		return tenant.Principal{}, fmt.Errorf("--environment: %q is neither live nor test", o.environment)
	}
	return founding.Owner(t, env), nil
}

func (p process) carrierExportCommand() *cobra.Command {
	var o carrying
	cmd := &cobra.Command{
		Use: "export", Short: "Write what is to be shipped to a file for carriers.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			x, err := fulfilling.NewCarrierExport(o.carrier, o.from, o.to, o.format)
			if err != nil {
				return spelled(err)
			}
			return p.withTenant(cmd.Context(), o.tenant, func(ctx context.Context, k *core, t tenant.Facts) error {
				by, err := o.owner(t)
				if err != nil {
					return err
				}
				if o.output == "" {
					return k.carriers.Export(ctx, by, x, p.out, nil)
				}
				return replaced(o.output, func(f io.Writer) error {
					return p.counting(o.output, func(progress func(int)) error { return k.carriers.Export(ctx, by, x, f, progress) })
				})
			})
		},
	}
	o.shared(cmd)
	cmd.Flags().StringVar(&o.carrier, "carrier", "", "carrier to write into every row")
	cmd.Flags().StringVar(&o.from, "from", "", "first day of the orders, in UTC: 2026-01-31")
	cmd.Flags().StringVar(&o.to, "to", "", "last day of the orders, in UTC")
	cmd.Flags().StringVar(&o.format, "format", "", "csv or xlsx; csv when missing")
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
	cmd := &cobra.Command{
		Use: "import FILE…", Short: "Ship what the files of carriers have tracking numbers for; the same file again changes nothing.", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			return p.withTenant(cmd.Context(), o.tenant, func(ctx context.Context, k *core, t tenant.Facts) error {
				by, err := o.owner(t)
				if err != nil {
					return err
				}
				refused := false
				for _, name := range files {
					report, err := p.importCarrierFile(ctx, k, by, name)
					refused = refused || report.Refused() > 0
					if err == nil || report.Rows > 0 {
						err = errors.Join(err, tellCarrierReport(p.out, name, report))
					}
					if err != nil {
						return fmt.Errorf("%s: %w", name, spelled(err))
					}
				}
				if refused && o.strict {
					return errRejected
				}
				return nil
			})
		},
	}
	o.shared(cmd)
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

func tellCarrierReport(out io.Writer, name string, r fulfilling.CarrierReport) error {
	text := fmt.Sprintf("%s: %d applied, %d unchanged, %d refused\n", name, r.Applied, r.Unchanged, r.Refused())
	for _, n := range r.Errors {
		text += fmt.Sprintf("  row %d: %s\n", n.Row, n.Message)
	}
	for _, n := range r.Warnings {
		text += fmt.Sprintf("  row %d, applied: %s\n", n.Row, n.Message)
	}
	if more := r.MoreErrors + r.MoreWarnings; more > 0 {
		text += fmt.Sprintf("  and %d rows more\n", more)
	}
	_, err := io.WriteString(out, text)
	return err
}
