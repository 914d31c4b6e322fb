package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/founding"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// tenantFlag explains --tenant, which most commands have.
const tenantFlag = "id, slug or name of the tenant; the one of credentials.json, or the only one, when missing"

func (p process) tenantCommand() *cobra.Command {
	group := &cobra.Command{Use: "tenant", Short: "Create and list tenants.", Args: cobra.NoArgs, RunE: helpOnly}
	var shop struct{ name, slug, plan, currency, email string }
	var asJSON bool
	create := &cobra.Command{
		Use: "create", Short: "Found a tenant with its keys and first admin; safe while servers run.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withCore(cmd.Context(), func(ctx context.Context, k *core) error {
				draft, err := k.founding.Draft(founding.Shop{
					Name: shop.name, Slug: shop.slug, Plan: tenant.Plan(shop.plan), Currency: money.Currency(shop.currency), AdminEmail: shop.email,
				})
				if err == nil {
					err = k.founding.Found(ctx, draft)
				}
				if err != nil {
					return spelled(err)
				}
				told := credentialsOf(draft, k.knownURL())
				if asJSON {
					_, err = p.out.Write(told.encode())
					return err
				}
				return tell(p.out, told, "no file: keep them yourself")
			})
		},
	}
	create.Flags().StringVar(&shop.name, "name", "", "name of the shop (required)")
	create.Flags().StringVar(&shop.slug, "slug", "", "handle; made from the name when missing")
	create.Flags().StringVar(&shop.plan, "plan", string(tenant.Free), "free, basic, pro or enterprise")
	create.Flags().StringVar(&shop.currency, "currency", "KRW", "ISO 4217 currency of the catalog; it cannot change later")
	create.Flags().StringVar(&shop.email, "admin", "", "email address of the first admin; admin@<slug>.example when missing")
	create.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	_ = create.MarkFlagRequired("name") // the flag was just declared
	group.AddCommand(create, p.tenantListCommand())
	return group
}

func helpOnly(cmd *cobra.Command, _ []string) error { return cmd.Help() }

func (p process) tenantListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the tenants.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withCore(cmd.Context(), func(ctx context.Context, k *core) error {
				all, err := k.tenants(ctx)
				if err != nil {
					return err
				}
				table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(table, "ID\tSLUG\tPLAN\tCURRENCY\tNAME")
				for _, r := range all {
					fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", r.ID(), r.Text("slug"), r.Text("plan"), r.Text("currency"), r.Text("name"))
				}
				return table.Flush()
			})
		},
	}
}

// knownURL is where the server of this data folder was last seen, else where it would be.
func (k *core) knownURL() string {
	if c, err := readCredentials(k.config.File(credentialsFile)); err == nil && c.BaseURL != "" {
		return c.BaseURL
	}
	return k.config.expectedURL()
}

func (p process) keyCommand() *cobra.Command {
	group := &cobra.Command{Use: "key", Short: "Create, list and revoke API keys.", Args: cobra.NoArgs, RunE: helpOnly}
	var ref string
	group.PersistentFlags().StringVar(&ref, "tenant", "", tenantFlag)
	var name, kind, env string
	create := &cobra.Command{
		Use: "create", Short: "Make an API key and print it, once.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withTenant(cmd.Context(), ref, func(ctx context.Context, k *core, t tenant.Facts) error {
				text := access.MintKey(kind, tenant.Environment(env))
				record, err := checked(identity.APIKeys, access.KeyRecord(name, kind, tenant.Environment(env), text))
				if err != nil {
					return err
				}
				record["id"], record["tenant"] = newID(), string(t.ID)
				if err := k.write(ctx, t, collection.NewChange(identity.APIKeys, nil, record, newID(), k.now())); err != nil {
					return err
				}
				_, err = fmt.Fprintln(p.out, text)
				return err
			})
		},
	}
	create.Flags().StringVar(&name, "name", "From the command line", "name for the operator")
	create.Flags().StringVar(&kind, "kind", identity.SecretKey, "client or secret")
	create.Flags().StringVar(&env, "environment", string(tenant.Live), "live or test")
	list := &cobra.Command{
		Use: "list", Short: "List the API keys.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withTenant(cmd.Context(), ref, p.listKeys)
		},
	}
	revoke := &cobra.Command{
		Use: "revoke ID", Short: "End an API key; servers forget it within a second.", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withTenant(cmd.Context(), ref, func(ctx context.Context, k *core, t tenant.Facts) error { return k.revoke(ctx, t, args[0]) })
		},
	}
	group.AddCommand(create, list, revoke)
	return group
}

// checked is a record made of plain values, held to what its schema says of choices.
func checked(s *collection.Schema, r collection.Record) (collection.Record, error) {
	input := map[string]any{}
	for name, v := range r {
		if text, ok := v.(string); ok {
			input[name] = text
		}
	}
	if _, err := (collection.Writer{Schema: s, NewID: newID, Trusted: true}).Accept(nil, input); err != nil {
		return nil, spelled(err)
	}
	return r, nil
}

func (k *core) write(ctx context.Context, t tenant.Facts, changes ...collection.Change) error {
	return k.store.Atomically(ctx, ports.Of(t.ID), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, changes...)
	})
}

func (p process) listKeys(ctx context.Context, k *core, t tenant.Facts) error {
	page, err := k.store.Read(ports.Of(t.ID)).Find(ctx, collection.Query{Schema: identity.APIKeys, Limit: collection.MaxLimit, Page: 1})
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tKIND\tENVIRONMENT\tENDS IN\tSTATE\tNAME")
	for _, r := range page.Docs {
		state := "active"
		if at := r.Time("revokedAt"); !at.IsZero() {
			state = "revoked " + at.Format(collection.TimeFormat)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", r.ID(), r.Text("kind"), r.Text("environment"), r.Text("last4"), state, r.Text("name"))
	}
	return table.Flush()
}

func (k *core) revoke(ctx context.Context, t tenant.Facts, id string) error {
	return k.store.Atomically(ctx, ports.Of(t.ID), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.APIKeys, id)
		if err != nil {
			return err
		}
		if !before.Time("revokedAt").IsZero() {
			return nil
		}
		after := before.Clone()
		after["revokedAt"] = collection.Instant(k.now())
		return tx.Records.Write(ctx, collection.NewChange(identity.APIKeys, before, after, newID(), k.now()))
	})
}

// withTenant runs fn on an opened store for one tenant.
func (p process) withTenant(ctx context.Context, ref string, fn func(context.Context, *core, tenant.Facts) error) error {
	return p.withCore(ctx, func(ctx context.Context, k *core) error {
		t, err := k.tenant(ctx, ref)
		if err != nil {
			return err
		}
		return fn(ctx, k, t)
	})
}

func (p process) userCommand() *cobra.Command {
	group := &cobra.Command{Use: "user", Short: "Create and list the people who run a tenant.", Args: cobra.NoArgs, RunE: helpOnly}
	var ref, email, role, name string
	group.PersistentFlags().StringVar(&ref, "tenant", "", tenantFlag)
	create := &cobra.Command{
		Use: "create", Short: "Make a user and print the password, once; an existing person joins the tenant.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withTenant(cmd.Context(), ref, func(ctx context.Context, k *core, t tenant.Facts) error {
				password, err := k.founding.Join(ctx, t.ID, founding.Person{Email: email, Name: name, Role: tenant.Role(role)})
				if err != nil {
					return spelled(err)
				}
				if password == "" {
					password = "(unchanged)"
				}
				_, err = fmt.Fprintf(p.out, "email     %s\npassword  %s\nrole      %s\n", email, password, role)
				return err
			})
		},
	}
	create.Flags().StringVar(&email, "email", "", "email address to log in with (required)")
	create.Flags().StringVar(&name, "name", "", "display name")
	create.Flags().StringVar(&role, "role", string(tenant.Editor), "platform-admin, tenant-admin, tenant-editor or tenant-viewer")
	_ = create.MarkFlagRequired("email") // the flag was just declared
	list := &cobra.Command{
		Use: "list", Short: "List the users.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withTenant(cmd.Context(), ref, func(ctx context.Context, k *core, t tenant.Facts) error {
				page, err := k.store.Read(ports.Of(t.ID)).Find(ctx, collection.Query{Schema: identity.Users, Limit: collection.MaxLimit, Page: 1})
				if err != nil {
					return err
				}
				table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
				for _, r := range page.Docs {
					fmt.Fprintf(table, "%s\t%s\t%s\n", r.ID(), r.Text("email"), r.Text("role"))
				}
				return table.Flush()
			})
		},
	}
	group.AddCommand(create, list, p.passwordCommand())
	return group
}

// passwordCommand is how those recover their login to whom no tenant may mail a token.
func (p process) passwordCommand() *cobra.Command {
	return &cobra.Command{
		Use: "password EMAIL", Short: "Give a user a new password and print it, once; all their logins end.", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withCore(cmd.Context(), func(ctx context.Context, k *core) error {
				password, err := k.access.RenewPassword(ctx, args[0])
				if err != nil {
					return spelled(err)
				}
				_, err = fmt.Fprintf(p.out, "email     %s\npassword  %s\n", args[0], password)
				return err
			})
		},
	}
}
