package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func (p process) tenantCommand() *cobra.Command {
	return group("tenant", "Create, list, show, change, export and delete tenants.",
		p.tenantCreateCommand(), p.tenantListCommand(), p.tenantShowCommand(), p.tenantPlanCommand(),
		p.tenantSuspendCommand(), p.tenantResumeCommand(), p.tenantExportCommand(), p.tenantDeleteCommand(), p.tenantDeletionsCommand())
}

func (p process) tenantCreateCommand() *cobra.Command {
	var shop struct {
		onboarding.TenantInput

		currency string
	}
	cmd := p.jsonCommand(&cobra.Command{
		Use: "create", Short: "Create a tenant with API keys and a first admin, who is invited if known; safe while servers run.", Args: exactArgs(),
		Example: `cartwright tenant create --name "Corner Shop" --plan basic --currency USD`,
	}, "the object of credentials.json; of an admin who is invited, invited, invitationToken and expiresAt in place of the password", p.runOnCore(func(ctx context.Context, k *core, _ []string) (commandResult, error) {
		shop.Currency = money.Currency(strings.ToUpper(shop.currency))
		draft, err := k.onboarding.Prepare(shop.TenantInput)
		var invitation access.EmailToken
		if err == nil {
			invitation, err = k.onboarding.CreateOrInvite(ctx, draft)
		}
		if err != nil {
			return commandResult{}, err
		}
		created := newCredentials(draft, k.knownURL())
		if invitation.Token != "" {
			created.invite(invitation)
		}
		return commandResult{
			created.encode(), func(out io.Writer) error { return printCredentials(out, created, "no file: store them yourself") },
		}, nil
	}))
	cmd.Flags().StringVar(&shop.Name, "name", "", "name of the shop (required)")
	cmd.Flags().StringVar(&shop.Slug, "slug", "", "slug (default: made from the name)")
	addChoiceFlag(cmd, &shop.Plan, "plan", tenant.Free, "plan of the tenant", plans...)
	cmd.Flags().StringVar(&shop.currency, "currency", "KRW", "ISO 4217 currency of the catalog; it cannot change later")
	cmd.Flags().StringVar(&shop.Country, "country", "", "ISO 3166-1 code of where the shop is, such as KR (default: unknown, KR for KRW)")
	cmd.Flags().StringVar(&shop.Locale, "locale", "", "default language, such as ko (default: that of the country or the currency)")
	cmd.Flags().StringVar(&shop.TimeZone, "time-zone", "", "where its days begin, such as Asia/Seoul (default: that of the country or the currency)")
	cmd.Flags().StringVar(&shop.AdminEmail, "admin", "", "email address of the first admin (default: admin@<slug>.example); a person who has it is invited")
	_ = cmd.MarkFlagRequired("name") // the flag was just declared
	return cmd
}

// tenantColumns are the columns of a list of tenants, and tenantFields the lines of one tenant.
var (
	tenantColumns = []tableColumn{{"ID", "id"}, {"SLUG", "slug"}, {"PLAN", "plan"}, {"CURRENCY", "currency"}, {"NAME", "name"}}
	tenantFields  = []tableColumn{
		{"id", "id"}, {"name", "name"}, {"slug", "slug"}, {"plan", "plan"}, {"status", "status"}, {"suspended because", "suspension.reason"},
		{"currency", "currency"}, {"rounding", "roundingMode"},
		{"country", "settings.country"}, {"language", "settings.locale"}, {"time zone", "settings.timeZone"},
		{"sells", "settings.features.ecommerce"},
		{"orders only when paid", "settings.checkoutOrderSeparation"}, {"verified customers only", "settings.requireEmailVerification"},
		{"allowed origins", "settings.allowedOrigins"}, {"days to confirmation", "settings.autoConfirmDays"},
		{"hours an order may be unpaid", "settings.unpaidOrderHours"}, {"created", "createdAt"},
	}
)

func (p process) tenantListCommand() *cobra.Command {
	var plan tenant.Plan
	var pages paging
	cmd := p.jsonCommand(&cobra.Command{
		Use: "list", Short: "List the tenants, oldest first.", Args: exactArgs(),
		Example: "cartwright tenant list --plan free --json",
	}, "the list that GET /tenants answers, of all tenants",
		afterCheck(pages.check, p.runOnCore(func(ctx context.Context, k *core, _ []string) (commandResult, error) {
			docs, total, err := k.onboarding.ListTenants(ctx, plan, pages.limit, pages.page)
			if err != nil {
				return commandResult{}, err
			}
			page := records.RecordPage{Total: total, Limit: pages.limit, Page: pages.page}
			list := reply.OfObject(collection.Staff, page.Members(reply.Member{Schema: identity.Tenants, Value: reply.Records(docs)}))
			return listResult(list.Bytes(), tenantColumns...), nil
		})))
	addChoiceFlag(cmd, &plan, "plan", "", "only tenants on this plan", plans...)
	pages.addFlags(cmd)
	return cmd
}

func (p process) tenantShowCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "show", Short: "Show a tenant with its settings.", Args: exactArgs(),
		Example: "cartwright tenant show --tenant corner-shop",
	}, "the record, as GET /tenants/{id} answers",
		tenantCommandOptions{}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
			record, err := k.records.Get(ctx, by, identity.Tenants, string(by.Tenant.ID), records.Projection{})
			return recordResult(record.Bytes(), "", tenantFields...), err
		})
}

func (p process) tenantPlanCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "plan PLAN", Short: "Change the plan of a tenant; takes effect within a second.", Args: exactArgs("PLAN"),
		ValidArgs: stringsOf(plans), Example: "cartwright tenant plan pro --tenant corner-shop",
	}, "{message, doc}, as PATCH /tenants/{id} answers", tenantCommandOptions{checkArgs: checkChoiceArg(0, "PLAN",
		plans)}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
		done, err := k.records.Update(ctx, idempotency.Call{Principal: by}, identity.Tenants, string(by.Tenant.ID),
			map[string]any{"plan": args[0]}, records.Projection{})
		return commandResult{done.Body.Bytes(), textLine("The plan changed from %s to %s.", by.Tenant.Plan, args[0])}, err
	})
}

func (p process) tenantSuspendCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "suspend REASON", Short: "Refuse all keys and logins of a tenant; takes effect within a second.", Args: exactArgs("REASON"),
		Example: `cartwright tenant suspend "unpaid since May" --tenant corner-shop`,
	}, "{tenant}, as POST /tenants/{id}/suspend answers", tenantCommandOptions{},
		func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
			r, err := k.suspension.Suspend(ctx, onboarding.SystemPrincipal(by.Tenant, tenant.Live), by.Tenant.ID, args[0])
			return tenantResult(r, "The tenant is suspended."), err
		})
}

func (p process) tenantResumeCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "resume", Short: "Let a suspended tenant go on; takes effect within a second.", Args: exactArgs(),
		Example: "cartwright tenant resume --tenant corner-shop",
	}, "{tenant}, as POST /tenants/{id}/resume answers", tenantCommandOptions{},
		func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
			r, err := k.suspension.Resume(ctx, onboarding.SystemPrincipal(by.Tenant, tenant.Live), by.Tenant.ID)
			return tenantResult(r, "The tenant is active."), err
		})
}

func tenantResult(r collection.Record, line string) commandResult {
	return commandResult{reply.Of(collection.Staff, reply.Member{Name: "tenant", Schema: identity.Tenants, Record: r}).Bytes(), textLine("%s", line)}
}

// knownURL is the last known URL of the server of this data folder, else the expected one.
func (k *core) knownURL() string {
	if c, err := readCredentials(k.config.File(credentialsFile)); err == nil && c.BaseURL != "" {
		return c.BaseURL
	}
	return k.config.expectedURL()
}

// tenant finds a tenant by id, slug or name; "" is the one of credentials.json, or the only one.
func (k *core) tenant(ctx context.Context, ref string) (tenant.Settings, error) {
	if c, err := readCredentials(k.config.File(credentialsFile)); ref == "" && err == nil {
		ref = c.TenantID
	}
	if ref != "" {
		record, err := k.onboarding.FindTenant(ctx, ref)
		if errors.Is(err, onboarding.ErrTenantUnknown) {
			return tenant.Settings{}, k.tenantNotFound(ctx, ref)
		}
		if errors.Is(err, onboarding.ErrTenantAmbiguous) {
			return tenant.Settings{}, fmt.Errorf("several tenants are named %q: use the slug or id (cartwright tenant list)", ref)
		}
		return identity.SettingsFrom(record), err
	}
	docs, total, err := k.onboarding.ListTenants(ctx, "", 1, 1)
	switch {
	case err != nil:
		return tenant.Settings{}, err
	case total == 0:
		return tenant.Settings{}, errors.New("there is no tenant yet: run cartwright tenant create --name \"My Shop\"")
	case total > 1:
		return tenant.Settings{}, k.tenantNotFound(ctx, "")
	}
	return identity.SettingsFrom(docs[0]), nil
}

// maxListedTenants is how many tenants an error names.
const maxListedTenants = 10

// tenantNotFound lists the existing tenants.
func (k *core) tenantNotFound(ctx context.Context, ref string) error {
	docs, total, err := k.onboarding.ListTenants(ctx, "", collection.MaxLimit, 1)
	if err != nil {
		return err
	}
	slugs := make([]string, len(docs))
	for i, r := range docs {
		slugs[i] = r.Text("slug")
	}
	if near := suggestions(ref, slugs); ref != "" && len(near) > 0 {
		return fmt.Errorf("there is no tenant %q; did you mean %s?", ref, strings.Join(near[:min(len(near), maxListedTenants)], " or "))
	}
	known := strings.Join(slugs[:min(len(slugs), maxListedTenants)], ", ")
	if total > maxListedTenants {
		known += fmt.Sprintf(" and %d more (cartwright tenant list)", total-maxListedTenants)
	}
	if ref == "" {
		return fmt.Errorf("there are several tenants: choose one with --tenant: %s", known)
	}
	return fmt.Errorf("there is no tenant %q; there are: %s", ref, known)
}
