package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// carrierFlags are the flags of the carrier file commands.
type carrierFlags struct {
	tenantFlags

	carrier, from, to, format, output string
	strict, dryRun                    bool
}

func (p process) fulfillmentsCommand() *cobra.Command {
	return group("fulfillments", "Export fulfillments for carriers and import their tracking numbers.", p.carrierExportCommand(),
		p.carrierImportCommand(), p.carrierBatchCommand(), p.carrierBatchFileCommand(), p.carrierBatchReleaseCommand())
}

func (p process) carrierExportCommand() *cobra.Command {
	var o carrierFlags
	cmd := &cobra.Command{
		Use: "export", Short: "Export the open fulfillment orders to a carrier file.", Args: exactArgs(),
		Annotations: withoutJSON("it writes a CSV or XLSX file"),
		Example:     "cartwright fulfillments export --tenant my-shop --carrier cj --format xlsx --output out.xlsx",
		RunE: func(cmd *cobra.Command, args []string) error {
			x, err := fulfillments.ParseCarrierExport(o.carrier, o.from, o.to, o.format)
			if err != nil {
				return err
			}
			_, err = p.runForTenant(&o.tenantFlags, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
				files := k.newCarrierFiles(nil)
				if o.output == "" {
					return commandResult{}, files.Export(ctx, by, x, p.out, nil)
				}
				return commandResult{}, replaceOutputFile(o.output, func(f io.Writer) error {
					return p.withRowProgress(o.output, func(progress func(int)) error { return files.Export(ctx, by, x, f, progress) })
				})
			})(cmd.Context(), args)
			return err
		},
	}
	o.addTenantAndEnvironment(cmd)
	cmd.Flags().StringVar(&o.carrier, "carrier", "", "carrier written into every row")
	cmd.Flags().StringVar(&o.from, "from", "", "only orders from this UTC date on, such as 2026-01-31")
	cmd.Flags().StringVar(&o.to, "to", "", "only orders up to this UTC date")
	addChoiceFlag(cmd, &o.format, "format", "", "file format (default: csv)", string(ports.CSV), string(ports.XLSX))
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "output file (default: standard output)")
	return cmd
}

// replaceOutputFile replaces a file atomically: it is written beside its final place and renamed when it is
// complete, so that readers see the previous or the new file, also after a failure. An existing path that is
// not a regular file, such as a pipe or a device, is written to directly.
func replaceOutputFile(name string, write func(io.Writer) error) error {
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
	var o carrierFlags
	cmd := p.jsonCommand(&cobra.Command{
		Use:   "import FILE…",
		Short: "Import tracking numbers from carrier files and ship their fulfillments; importing a file twice changes nothing.",
		Args:  atLeastOneArg("FILE"), Example: "cartwright fulfillments import --tenant my-shop back.xlsx",
	}, "{files: [{file, …}]}, each with what POST /fulfillments/carrier-file answers",
		p.runForTenant(&o.tenantFlags, func(ctx context.Context, k *core, by tenant.Principal, files []string) (commandResult, error) {
			var reports carrierReports
			var failed error
			for _, name := range files {
				report, err := p.importCarrierFile(ctx, k, by, name, o.dryRun)
				if err == nil || report.Rows > 0 {
					reports = append(reports, carrierReport{report, name})
				}
				if err != nil {
					failed = fmt.Errorf("%s: %w", name, describeFault(err))
					break
				}
				if report.Refused() > 0 && o.strict {
					failed = errRowsRejected
				}
			}
			if len(reports) == 0 {
				return commandResult{}, failed
			}
			return commandResult{reports.json(), reports.text}, failed
		}))
	o.addTenantAndEnvironment(cmd)
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "tell what the import would do, and change nothing")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "exit with 1 if any row was rejected")
	return cmd
}

func (p process) importCarrierFile(
	ctx context.Context, k *core, by tenant.Principal, name string, dryRun bool,
) (report fulfillments.CarrierReport, err error) {
	in, err := os.Open(name)
	if err != nil {
		return report, err
	}
	files := k.newCarrierFiles(nil)
	sheet, err := files.Open(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return report, err
	}
	run := files.Run
	if dryRun {
		run = files.Try
	}
	err = p.withRowProgress(name, func(progress func(int)) error {
		report, err = run(ctx, by, sheet, progress)
		return err
	})
	return report, errors.Join(err, sheet.Close())
}

// withRowProgress shows the number of processed rows on a terminal while work runs.
func (p process) withRowProgress(name string, work func(progress func(rows int)) error) error {
	if !terminal(p.log) {
		return work(nil)
	}
	err := work(func(rows int) { _, _ = fmt.Fprintf(p.log, "\r\x1b[K%s: %d rows", name, rows) }) // progress may be lost
	_, _ = fmt.Fprint(p.log, "\r\x1b[K")
	return err
}

// carrierReport is the result for one file.
type carrierReport struct {
	fulfillments.CarrierReport

	file string
}

type carrierReports []carrierReport

func (all carrierReports) json() []byte {
	files := make(reply.List, len(all))
	for i, r := range all {
		files[i] = reply.Object{{Name: "file", Value: r.file}, {Value: reply.JSON(r.Body("").Bytes())}}
	}
	return reply.Object{{Name: "files", Value: files}}.Append(nil, collection.Staff)
}

func (all carrierReports) text(out io.Writer) error {
	text := ""
	for _, r := range all {
		text += fmt.Sprintf("%s: %d applied, %d unchanged, %d rejected", r.file, r.Applied, r.Unchanged, r.Refused())
		if r.DryRun {
			text += ", if it were imported"
		}
		text += "\n"
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
