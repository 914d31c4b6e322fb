package program

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const exampleBatch = "019a0c38-7000-7000-8000-000000000001"

func (p process) carrierBatchCommand() *cobra.Command {
	var carrier, from, to, note string
	var x fulfillments.BatchRequest
	cmd := p.tenantScopedCommand(&cobra.Command{
		Use: "batch", Short: "Put the open fulfillment orders that are in no batch into one.", Args: exactArgs(),
		Example: "cartwright fulfillments batch --tenant my-shop --carrier cj",
	}, "{carrierBatch, more}, as POST /fulfillments/carrier-batches answers", tenantCommandOptions{
		environment: true,
		checkArgs: func([]string) (err error) {
			x, err = fulfillments.ParseBatchRequest(carrier, from, to, note, nil)
			return err
		},
	}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
		return batchResult(k.newCarrierFiles(nil).CreateBatch(ctx, idempotency.Call{Principal: by}, x))
	})
	cmd.Flags().StringVar(&carrier, "carrier", "", "carrier that the batch is for")
	cmd.Flags().StringVar(&from, "from", "", "only orders from this UTC date on, such as 2026-01-31")
	cmd.Flags().StringVar(&to, "to", "", "only orders up to this UTC date")
	cmd.Flags().StringVar(&note, "note", "", "what you want to remember about the batch")
	return cmd
}

// batchResult shows a batch as the API answers it.
func batchResult(done idempotency.Response, err error) (commandResult, error) {
	if err != nil {
		return commandResult{}, err
	}
	return recordResult(done.Body.Bytes(), "carrierBatch", tableColumn{"batch", "id"}, tableColumn{"number", "number"},
		tableColumn{"fulfillment orders", "count"}, tableColumn{"released", "released"}), nil
}

func (p process) carrierBatchFileCommand() *cobra.Command {
	var o carrierFlags
	var open bool
	cmd := &cobra.Command{
		Use: "batch-file BATCH", Short: "Write the file of a batch.", Args: exactArgs("BATCH"),
		Annotations: withoutJSON("it writes a CSV or XLSX file"),
		Example:     "cartwright fulfillments batch-file --tenant my-shop --format xlsx --output out.xlsx " + exampleBatch,
		RunE: func(cmd *cobra.Command, args []string) error {
			format := ports.SpreadsheetFormat(o.format)
			if format == "" {
				format = ports.CSV
			}
			_, err := p.runForTenant(&o.tenantFlags, func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
				files, x := k.newCarrierFiles(nil), fulfillments.BatchFile{Batch: args[0], Format: format, OnlyOpen: open}
				if o.output == "" {
					return commandResult{}, files.ExportBatch(ctx, by, x, p.out, nil)
				}
				return commandResult{}, replaceOutputFile(o.output, func(f io.Writer) error {
					return p.withRowProgress(o.output, func(progress func(int)) error { return files.ExportBatch(ctx, by, x, f, progress) })
				})
			})(cmd.Context(), args)
			return err
		},
	}
	o.addTenantAndEnvironment(cmd)
	cmd.Flags().BoolVar(&open, "open", false, "leave out what cannot be given to the carrier now")
	addChoiceFlag(cmd, &o.format, "format", "", "file format (default: csv)", string(ports.CSV), string(ports.XLSX))
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "output file (default: standard output)")
	return cmd
}

func (p process) carrierBatchReleaseCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use:   "batch-release BATCH [FULFILLMENT_ORDER…]",
		Short: "Take fulfillment orders out of a batch, so that they are exported again; without names all that are not done.",
		Args:  atLeastOneArg("BATCH"), Example: "cartwright fulfillments batch-release --tenant my-shop " + exampleBatch,
	}, "{carrierBatch}, as POST /fulfillments/carrier-batches/{batch}/release answers", tenantCommandOptions{environment: true},
		func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
			ids := args[1:]
			if len(ids) == 0 {
				ids = nil
			}
			return batchResult(k.newCarrierFiles(nil).ReleaseBatch(ctx, idempotency.Call{Principal: by}, args[0], ids))
		})
}
