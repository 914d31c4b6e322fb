package program

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func (p process) keyCommand() *cobra.Command {
	return group("key", "Create, list, rotate and revoke API keys.",
		p.keyCreateCommand(), p.keyListCommand(), p.keyRotateCommand(), p.keyRevokeCommand())
}

// keyResult is the result of a command that creates a key: {id, message, doc, key}, for people only the key.
func keyResult(done idempotency.Response, err error) (commandResult, error) {
	return commandResult{done.Body.Bytes(), func(out io.Writer) error {
		var created struct{ Key string }
		if err := decodeJSON(done.Body.Bytes(), &created); err != nil {
			return err
		}
		_, err := fmt.Fprintln(out, created.Key)
		return err
	}}, err
}

func (p process) keyCreateCommand() *cobra.Command {
	var name, kind string
	var scopes []string
	cmd := p.tenantScopedCommand(&cobra.Command{
		Use: "create", Short: "Create an API key and print it once.", Args: exactArgs(),
		Example: `cartwright key create --name Warehouse --kind secret --scopes read`,
	}, "{id, message, doc, key}, as POST /api-keys answers", tenantCommandOptions{environment: true},
		func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
			input := map[string]any{"name": name, "kind": kind, "environment": string(by.Environment)}
			if len(scopes) > 0 {
				given := make([]any, len(scopes))
				for i, s := range scopes {
					given[i] = s
				}
				input["scopes"] = given
			}
			return keyResult(k.access.CreateKey(ctx, idempotency.Call{Principal: by}, input))
		})
	cmd.Flags().StringVar(&name, "name", "From the command line", "name shown to operators")
	addChoiceFlag(cmd, &kind, "kind", identity.SecretKey, "kind of the key", identity.ClientKey, identity.SecretKey)
	cmd.Flags().StringSliceVar(&scopes, "scopes", nil, "scopes of a secret key: read, write (default: both)")
	return cmd
}

func (p process) keyListCommand() *cobra.Command {
	var pages paging
	return p.tenantScopedCommand(&cobra.Command{
		Use: "list", Short: "List the API keys; the keys themselves are not stored.", Args: exactArgs(),
		Example: "cartwright key list --tenant corner-shop",
	}, "the list that GET /api-keys answers", tenantCommandOptions{paging: &pages}, func(ctx context.Context, k *core, by tenant.Principal,
		_ []string) (commandResult, error) {
		return k.listRecords(ctx, by, identity.APIKeys, pages, nil, []tableColumn{
			{"ID", "id"}, {"KIND", "kind"}, {"ENVIRONMENT", "environment"}, {"ENDS IN", "last4"}, {"SCOPES", "scopes"},
			{"REVOKED", "revokedAt"}, {"NAME", "name"},
		}...)
	})
}

func (p process) keyRotateCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "rotate KEY", Short: "Rotate an API key and print the new key once; the old key stops working within a second.",
		Args: exactArgs("KEY"), Example: "cartwright key rotate 019a0c38-7000-7000-8000-000000000001 --yes",
	}, "{id, message, doc, key}, as POST /api-keys/{id}/rotate answers",
		tenantCommandOptions{confirmation: "Clients that still use the old key %s will be rejected."},
		func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
			done, err := k.access.RotateKey(ctx, idempotency.Call{Principal: by}, args[0])
			return keyResult(done, keyNotFound(err, args[0]))
		})
}

func (p process) keyRevokeCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "revoke KEY", Short: "Revoke an API key; it stops working within a second.", Args: exactArgs("KEY"),
		Example: "cartwright key revoke 019a0c38-7000-7000-8000-000000000001 --yes",
	}, "{id, message, doc}, as POST /api-keys/{id}/revoke answers",
		tenantCommandOptions{confirmation: "Key %s cannot be restored; clients that use it will be rejected."},
		func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
			done, err := k.access.RevokeKey(ctx, idempotency.Call{Principal: by}, args[0])
			return commandResult{done.Body.Bytes(), textLine("API key revoked.")}, keyNotFound(err, args[0])
		})
}

// keyNotFound says which key was not found, and which command lists them.
func keyNotFound(err error, id string) error {
	return notFound(err, "API key", id, "cartwright key list lists their ids")
}

// notFound says what was not found, and which command lists it.
func notFound(err error, what, id, hint string) error {
	if errors.Is(err, ports.ErrNotFound) || errors.Is(err, fault.ErrNotFound) {
		return fmt.Errorf("this tenant has no %s %q; %s", what, id, hint)
	}
	return err
}
