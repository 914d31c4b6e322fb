package program

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/app/tenantdeletion"
	"github.com/cartwright-dev/cartwright/app/tenantexport"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func (p process) tenantExportCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "export FILE", Short: "Write everything that a tenant has into FILE, a new ZIP archive; safe while servers run.",
		Args: exactArgs("FILE"), Example: "cartwright tenant export corner-shop.zip --tenant corner-shop",
		Long: `Write everything that a tenant has into FILE, a new ZIP archive: records, events, movements of money and files.

manifest.json in it has the counts and checksums, and names what is left out: hashes of passwords and keys, secrets and
credentials. It contains personal data, so protect it. The export of a suspended tenant is recorded, which its deletion needs.`,
	}, "{file, files, complete, checksum}: the number of files in the archive, whether it counts as the export before a deletion, and the SHA-256 of its manifest.json",
		tenantCommandOptions{}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
			var done tenantexport.Result
			err := createFile(args[0], "export", func(to io.Writer) (err error) {
				done, err = k.tenantExport.Export(ctx, onboarding.SystemPrincipal(by.Tenant, tenant.Live), by.Tenant.ID, to)
				return err
			})
			if err != nil {
				return commandResult{}, err
			}
			line := "Export written to " + args[0] + ". "
			if done.Recorded {
				line += "It is complete: the tenant may be deleted."
			} else {
				line += "The tenant is not suspended, or changed meanwhile: for a deletion, suspend it and export it again."
			}
			return jsonResult(map[string]any{
				"file": args[0], "files": len(done.Manifest.Files), "complete": done.Recorded, "checksum": done.Checksum,
			}, textLine("%s", line))
		})
}

func (p process) tenantDeleteCommand() *cobra.Command {
	o := tenantdeletion.Order{}
	cmd := p.tenantScopedCommand(&cobra.Command{
		Use: "delete", Short: "Delete a suspended tenant that was exported, for ever; a running server erases it.", Args: exactArgs(),
		Example: "cartwright tenant delete --tenant corner-shop --confirm corner-shop",
	}, "the deletion, as POST /tenants/{id}/delete answers", tenantCommandOptions{},
		func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
			o.Tenant = by.Tenant.ID
			d, err := k.tenantDeletion.Delete(ctx, onboarding.SystemPrincipal(by.Tenant, tenant.Live), o)
			if err != nil {
				return commandResult{}, err
			}
			return commandResult{reply.OfObject(collection.Staff, operation.DeletionMembers(d)).Bytes(), textLine("The tenant is gone for its callers. " +
				"The server erases what is left of it: see cartwright tenant deletions.")}, nil
		})
	cmd.Flags().StringVar(&o.Confirm, "confirm", "", "slug of the tenant (required)")
	cmd.Flags().BoolVar(&o.WithoutExport, "without-export", false, "also if it was not exported, or changed since: what is deleted is lost")
	_ = cmd.MarkFlagRequired("confirm") // the flag was just declared
	return cmd
}

// deletionColumns are the columns of a list of deleted tenants.
var deletionColumns = []tableColumn{
	{"ID", "tenant"}, {"STATUS", "status"}, {"BEGUN", "begunAt"}, {"BY", "begunBy"}, {"FINISHED", "finishedAt"}, {"ARCHIVE", "archive"},
}

func (p process) tenantDeletionsCommand() *cobra.Command {
	return p.jsonCommand(&cobra.Command{
		Use: "deletions", Short: "List the tenants that are or were deleted, oldest first.", Args: exactArgs(),
		Example: "cartwright tenant deletions --json",
	}, "{docs}: of each its deletion, as GET /tenants/{id}/deletion answers",
		p.runOnCore(func(ctx context.Context, k *core, _ []string) (commandResult, error) {
			all, err := k.store.TenantErasure().Deletions(ctx, time.Time{})
			if err != nil {
				return commandResult{}, err
			}
			list := reply.List{}
			for _, d := range all {
				list = append(list, operation.DeletionMembers(d))
			}
			return listResult(reply.OfObject(collection.Staff, reply.Object{{Name: "docs", Value: list}}).Bytes(), deletionColumns...), nil
		}))
}
