package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func (p process) keyCommand() *cobra.Command {
	return group("key", "Create, list, rotate and revoke API keys.", p.keyCreateCommand(), p.keyListCommand(), p.keyRotateCommand(), p.keyRevokeCommand())
}

// keyText is the answer of a command that made the text of a key: {id, message, doc, key}, for people the text alone.
func keyText(done once.Answer, err error) (answer, error) {
	return answer{done.Body, func(out io.Writer) error {
		var made struct{ Key string }
		if err := decode(done.Body, &made); err != nil {
			return err
		}
		_, err := fmt.Fprintln(out, made.Key)
		return err
	}}, err
}

func (p process) keyCreateCommand() *cobra.Command {
	var name, kind string
	var scopes []string
	cmd := p.forTenant(&cobra.Command{
		Use: "create", Short: "Make an API key and print it, once.", Args: takes(),
		Example: `cartwright key create --name Warehouse --kind secret --scopes read`,
	}, "{id, message, doc, key}, as POST /api-keys answers", asking{both: true}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
		input := map[string]any{"name": name, "kind": kind, "environment": string(by.Environment)}
		if len(scopes) > 0 {
			given := make([]any, len(scopes))
			for i, s := range scopes {
				given[i] = s
			}
			input["scopes"] = given
		}
		return keyText(k.access.NewKey(ctx, once.Call{Principal: by}, input))
	})
	cmd.Flags().StringVar(&name, "name", "From the command line", "name for the operator")
	oneOf(cmd, &kind, "kind", identity.SecretKey, "what the key is for", identity.ClientKey, identity.SecretKey)
	cmd.Flags().StringSliceVar(&scopes, "scopes", nil, "what a secret key may: read, write; both when missing")
	return cmd
}

func (p process) keyListCommand() *cobra.Command {
	var pages paging
	return p.forTenant(&cobra.Command{
		Use: "list", Short: "List the API keys; their texts are known to nobody.", Args: takes(),
		Example: "cartwright key list --tenant corner-shop",
	}, "the list that GET /api-keys answers", asking{pages: &pages}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
		return k.list(ctx, by, identity.APIKeys, pages, nil, []heading{
			{"ID", "id"}, {"KIND", "kind"}, {"ENVIRONMENT", "environment"}, {"ENDS IN", "last4"}, {"SCOPES", "scopes"}, {"REVOKED", "revokedAt"}, {"NAME", "name"},
		}...)
	})
}

func (p process) keyRotateCommand() *cobra.Command {
	return p.forTenant(&cobra.Command{
		Use: "rotate KEY", Short: "Give an API key a new text and print it, once; the old one ends within a second.", Args: takes("KEY"),
		Example: "cartwright key rotate 019a0c38-7000-7000-8000-000000000001 --yes",
	}, "{id, message, doc, key}, as POST /api-keys/{id}/rotate answers", asking{sure: "Whoever still uses the old text of key %s will be refused."}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error) {
		done, err := k.access.RotateKey(ctx, once.Call{Principal: by}, args[0])
		return keyText(done, noKey(err, args[0]))
	})
}

func (p process) keyRevokeCommand() *cobra.Command {
	return p.forTenant(&cobra.Command{
		Use: "revoke KEY", Short: "End an API key; servers forget it within a second.", Args: takes("KEY"),
		Example: "cartwright key revoke 019a0c38-7000-7000-8000-000000000001 --yes",
	}, "{id, message, doc}, as POST /api-keys/{id}/revoke answers", asking{sure: "Key %s cannot be brought back; whoever uses it will be refused."}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error) {
		done, err := k.access.RevokeKey(ctx, once.Call{Principal: by}, args[0])
		return answer{done.Body, sentence("The key is revoked.")}, noKey(err, args[0])
	})
}

// noKey says where to look for the key that was not found.
func noKey(err error, id string) error {
	return notFound(err, "API key", id, "cartwright key list shows their ids")
}

// notFound says what was not found, and where to look.
func notFound(err error, what, id, hint string) error {
	if errors.Is(err, ports.ErrAbsent) || errors.Is(err, fault.ErrNotFound) {
		return fmt.Errorf("this tenant has no %s %q; %s", what, id, hint)
	}
	return err
}
