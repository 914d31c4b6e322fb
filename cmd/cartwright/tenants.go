package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/founding"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func (p process) tenantCommand() *cobra.Command {
	return group("tenant", "Create, list and change tenants.", p.tenantCreateCommand(), p.tenantListCommand(), p.tenantShowCommand(), p.tenantPlanCommand())
}

func (p process) tenantCreateCommand() *cobra.Command {
	var shop struct {
		name, slug, currency, email string
		plan                        tenant.Plan
	}
	cmd := p.answering(&cobra.Command{
		Use: "create", Short: "Found a tenant with its keys and first admin; safe while servers run.", Args: takes(),
		Example: `cartwright tenant create --name "Corner Shop" --plan basic --currency USD`,
	}, "the object of credentials.json", p.onCore(func(ctx context.Context, k *core, _ []string) (answer, error) {
		draft, err := k.founding.Draft(founding.Shop{
			Name: shop.name, Slug: shop.slug, Plan: shop.plan, Currency: money.Currency(strings.ToUpper(shop.currency)), AdminEmail: shop.email,
		})
		if err == nil {
			err = k.founding.Found(ctx, draft)
		}
		if err != nil {
			return answer{}, err
		}
		told := credentialsOf(draft, k.knownURL())
		return answer{told.encode(), func(out io.Writer) error { return tell(out, told, "no file: keep them yourself") }}, nil
	}))
	cmd.Flags().StringVar(&shop.name, "name", "", "name of the shop (required)")
	cmd.Flags().StringVar(&shop.slug, "slug", "", "handle; made from the name when missing")
	oneOf(cmd, &shop.plan, "plan", tenant.Free, "what the tenant subscribes to", plans...)
	cmd.Flags().StringVar(&shop.currency, "currency", "KRW", "ISO 4217 currency of the catalog; it cannot change later")
	cmd.Flags().StringVar(&shop.email, "admin", "", "email address of the first admin; admin@<slug>.example when missing")
	_ = cmd.MarkFlagRequired("name") // the flag was just declared
	return cmd
}

// tenantColumns is how a list of tenants looks, and tenantLines how one does.
var (
	tenantColumns = []heading{{"ID", "id"}, {"SLUG", "slug"}, {"PLAN", "plan"}, {"CURRENCY", "currency"}, {"NAME", "name"}}
	tenantLines   = []heading{
		{"id", "id"}, {"name", "name"}, {"slug", "slug"}, {"plan", "plan"}, {"currency", "currency"}, {"rounding", "roundingMode"}, {"sells", "settings.features.ecommerce"},
		{"orders only when paid", "settings.checkoutOrderSeparation"}, {"verified customers only", "settings.requireEmailVerification"},
		{"allowed origins", "settings.allowedOrigins"}, {"days to confirmation", "settings.autoConfirmDays"}, {"created", "createdAt"},
	}
)

func (p process) tenantListCommand() *cobra.Command {
	var plan tenant.Plan
	var pages paging
	cmd := p.answering(&cobra.Command{
		Use: "list", Short: "List the tenants, the oldest first.", Args: takes(),
		Example: "cartwright tenant list --plan free --json",
	}, "a list like that of GET /tenants, of all tenants", provided(pages.check, p.onCore(func(ctx context.Context, k *core, _ []string) (answer, error) {
		docs, total, err := k.founding.Shops(ctx, plan, pages.limit, pages.page)
		if err != nil {
			return answer{}, err
		}
		list := []byte(`{"docs":[`)
		for i, r := range docs {
			if i > 0 {
				list = append(list, ',')
			}
			list = collection.AppendJSON(list, identity.Tenants, r, collection.View{Audience: collection.Staff})
		}
		list = content.Records{Total: total, Limit: pages.limit, Page: pages.page}.AppendRest(append(list, ']'))
		return listed(list, tenantColumns...), nil
	})))
	oneOf(cmd, &plan, "plan", "", "of this plan only", plans...)
	pages.ask(cmd)
	return cmd
}

func (p process) tenantShowCommand() *cobra.Command {
	return p.forTenant(&cobra.Command{
		Use: "show", Short: "Show a tenant with its settings.", Args: takes(),
		Example: "cartwright tenant show --tenant corner-shop",
	}, "the record, as GET /tenants/{id} answers", asking{}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
		record, err := k.content.Get(ctx, by, identity.Tenants, string(by.Tenant.ID), content.Show{})
		return shown(record, "", tenantLines...), err
	})
}

func (p process) tenantPlanCommand() *cobra.Command {
	return p.forTenant(&cobra.Command{
		Use: "plan PLAN", Short: "Put a tenant on another plan; servers know it within a second.", Args: takes("PLAN"),
		ValidArgs: wordsOf(plans), Example: "cartwright tenant plan pro --tenant corner-shop",
	}, "{message, doc}, as PATCH /tenants/{id} answers", asking{check: oneArgument(0, "PLAN", plans)}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error) {
		done, err := k.content.Update(ctx, once.Call{Principal: by}, identity.Tenants, string(by.Tenant.ID), map[string]any{"plan": args[0]}, content.Show{})
		return answer{done.Body, sentence("The plan was %s and is %s now.", by.Tenant.Plan, args[0])}, err
	})
}

// knownURL is where the server of this data folder was last seen, else where it would be.
func (k *core) knownURL() string {
	if c, err := readCredentials(k.config.File(credentialsFile)); err == nil && c.BaseURL != "" {
		return c.BaseURL
	}
	return k.config.expectedURL()
}

// tenant finds a tenant by id, slug or name; "" is the one of credentials.json, or the only one there is.
func (k *core) tenant(ctx context.Context, ref string) (tenant.Facts, error) {
	if c, err := readCredentials(k.config.File(credentialsFile)); ref == "" && err == nil {
		ref = c.TenantID
	}
	if ref != "" {
		record, err := k.founding.Shop(ctx, ref)
		if errors.Is(err, founding.ErrNoShop) {
			return tenant.Facts{}, k.noTenant(ctx, ref)
		}
		if errors.Is(err, founding.ErrManyShops) {
			return tenant.Facts{}, fmt.Errorf("several tenants are called %q: say which by its slug or id (cartwright tenant list)", ref)
		}
		return identity.FactsOf(record), err
	}
	docs, total, err := k.founding.Shops(ctx, "", 1, 1)
	switch {
	case err != nil:
		return tenant.Facts{}, err
	case total == 0:
		return tenant.Facts{}, errors.New("there is no tenant yet: cartwright tenant create --name \"My Shop\"")
	case total > 1:
		return tenant.Facts{}, k.noTenant(ctx, "")
	}
	return identity.FactsOf(docs[0]), nil
}

// knownTenants is how many tenants an error names.
const knownTenants = 10

// noTenant says which tenants there are instead.
func (k *core) noTenant(ctx context.Context, ref string) error {
	docs, total, err := k.founding.Shops(ctx, "", collection.MaxLimit, 1)
	if err != nil {
		return err
	}
	slugs := make([]string, len(docs))
	for i, r := range docs {
		slugs[i] = r.Text("slug")
	}
	if near := meant(ref, slugs); ref != "" && len(near) > 0 {
		return fmt.Errorf("there is no tenant %q; did you mean %s?", ref, strings.Join(near[:min(len(near), knownTenants)], " or "))
	}
	known := strings.Join(slugs[:min(len(slugs), knownTenants)], ", ")
	if total > knownTenants {
		known += fmt.Sprintf(" and %d more (cartwright tenant list)", total-knownTenants)
	}
	if ref == "" {
		return fmt.Errorf("there are several tenants: say which with --tenant: %s", known)
	}
	return fmt.Errorf("there is no tenant %q; there are: %s", ref, known)
}
