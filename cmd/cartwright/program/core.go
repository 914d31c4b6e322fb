package program

import (
	"context"
	"log/slog"
	"maps"
	"time"

	"github.com/google/uuid"

	"github.com/cartwright-dev/cartwright/adapters/imagesize"
	"github.com/cartwright-dev/cartwright/adapters/passkey"
	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/adapters/token"
	webhookadapter "github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/catalogtransfer"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/drafts"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mails"
	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/app/messages"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/searchindex"
	"github.com/cartwright-dev/cartwright/app/shopprofile"
	"github.com/cartwright-dev/cartwright/app/suspension"
	"github.com/cartwright-dev/cartwright/app/taxing"
	"github.com/cartwright-dev/cartwright/app/team"
	"github.com/cartwright-dev/cartwright/app/tenantdeletion"
	"github.com/cartwright-dev/cartwright/app/tenantexport"
	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/shop"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// core is the use cases that commands share with the server.
type core struct {
	*platform

	access          *access.Service
	registration    records.Registration // of customers
	records         *records.Service
	uploads         *uploads.Service
	onboarding      onboarding.Service
	suspension      *suspension.Service
	tenantExport    *tenantexport.Service
	tenantDeletion  *tenantdeletion.Service
	catalogTransfer catalogtransfer.Importer
}

// coordination is what use cases share with other instances, or with each other: limits and commits.
type coordination struct {
	loginAttempts ports.AttemptLimiter
	registrations ports.AttemptLimiter // of customers; nil: no limit
	committer     ports.Committer      // for new records; nil: every write has a transaction of its own
	passkeys      ports.Passkeys       // of the address of the server; nil without one
}

// newID makes a UUIDv7.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// openCore opens the platform and builds the use cases for a command: its writes are committed one by one, and its
// limits are not shared.
func openCore(ctx context.Context, c Config, now func() time.Time, log *slog.Logger) (*core, error) {
	p, err := openPlatform(ctx, c, now, log)
	if err != nil {
		return nil, err
	}
	return newCore(p, coordination{loginAttempts: token.NewAttemptLimiter(loginAttemptWindow)}), nil
}

// newCore builds the use cases that commands and the server share.
func newCore(p *platform, with coordination) *core {
	passwords, emailTokens := token.NewPasswords(p.config.PasswordCost), p.emailTokens()
	inviter := access.Inviter{EmailTokens: emailTokens, NewID: newID, Now: p.now}
	content := &records.Service{
		Store: p.invalidatingStore, Committer: with.committer, Registry: p.registry, Fold: foldCase, Now: p.now, NewID: newID,
		Search: &searchindex.Finder{Index: p.store.SearchIndex(), Fold: foldCase},
		Hooks: p.collectionHooks(records.Identities{
			Store: p.invalidatingStore, Accounts: p.store.Accounts(), Passwords: passwords, Inviter: inviter,
		}, p.newWebhooks(nil, nil)),
	}
	within := records.InTransaction{Service: content}
	return &core{
		platform: p, records: content,
		access: &access.Service{
			Store: p.invalidatingStore, Keys: p.store.APIKeys(), Accounts: p.store.Accounts(), Revocations: p.store.Revocations(),
			Logins: p.store.Logins(),
			Tokens: token.NewSigner(p.secrets), Passwords: passwords, OneTimeCodes: token.TOTP{}, Passkeys: with.passkeys, Vault: p.vault,
			Attempts: with.loginAttempts, TokenLifetime: time.Duration(p.config.TokenExpiration) * time.Second,
			PublicOrigin: p.config.publicOrigin(), RequireHTTPS: p.config.Mode == Production, EmailTokens: emailTokens,
			EmailRequests: p.store.EmailRequests(), Log: p.log, Now: p.now,
			NewID: newID, Background: p.background,
		},
		registration: records.Registration{Records: content, EmailTokens: emailTokens, Attempts: with.registrations},
		uploads: &uploads.Service{
			Records: content, Store: p.invalidatingStore, BlobSweep: p.store.BlobSweep(), Blobs: p.blobs, ImageSizer: imagesize.Sizer{},
			Now: p.now, Sweeps: p.background.Task("files"),
		},
		suspension: &suspension.Service{Store: p.invalidatingStore, Usage: p.store.Usage(), Fold: foldCase, Now: p.now, NewID: newID},
		tenantExport: &tenantexport.Service{
			Store: p.invalidatingStore, Registry: p.registry, Events: p.store.EventLog(), Ledger: p.store.LedgerReader(), Blobs: p.blobs,
			Now: p.now, NewID: newID,
		},
		tenantDeletion: &tenantdeletion.Service{
			Store: p.invalidatingStore, Registry: p.registry, Erasure: p.store.TenantErasure(), Accounts: p.store.Accounts(), Now: p.now,
			NewID: newID,
		},
		onboarding: onboarding.Service{
			Store: p.invalidatingStore, RecordWriter: within, Passwords: passwords, Inviter: inviter,
			SandboxSecrets: p.sandboxAccount, Now: p.now, NewID: newID,
		},
		catalogTransfer: catalogtransfer.Importer{
			Store: p.invalidatingStore, Records: records.InTransaction{Service: content, StockKind: inventory.Imported},
		},
	}
}

// passkeysAt are those of a server that browsers reach at a URL; nil where browsers know none.
func passkeysAt(url string) ports.Passkeys {
	passkeys, err := passkey.New(url)
	if err != nil {
		return nil
	}
	return passkeys
}

// newWebhooks builds the use cases of webhook endpoints. In commands both arguments are nil: commands have no
// idempotency keys and no dispatcher to wake.
func (k *platform) newWebhooks(runner *idempotency.Runner, wake func(endpoint string)) *webhooks.Service {
	return &webhooks.Service{
		Store: k.invalidatingStore, Log: k.store.EventLog(), Cursors: k.store.Deliveries(), Idempotency: runner, Vault: k.vault,
		Registry: k.registry, AddressPolicy: k.config.webhookPolicy(), Now: k.now, NewID: newID, Wake: wake,
	}
}

// newCarrierFiles builds the use cases of carrier files. In commands runner is nil: they have no idempotency keys.
func (k *platform) newCarrierFiles(runner *idempotency.Runner) *fulfillments.CarrierFiles {
	return &fulfillments.CarrierFiles{
		Store: k.invalidatingStore, Sheets: spreadsheet.Codec{}, Idempotency: runner, Now: k.now, NewID: newID, Log: k.log,
	}
}

// collectionHooks are the rules of collections that their schemas cannot declare, by slug.
func (k *platform) collectionHooks(identities records.Identities, endpoints *webhooks.Service) map[string]records.Hooks {
	all := records.CatalogHooks(k.invalidatingStore, k.registry)
	maps.Copy(all, records.IdentityHooks(identities, k.registry))
	maps.Copy(all, records.ContentHooks())
	all[cart.Schema.Slug] = carts.Availability{Offers: k.offerCache, Now: k.now}.Hooks()
	all[draft.Schema.Slug] = drafts.Hooks(k.invalidatingStore)
	all[payment.Connections.Slug] = connections.Hooks(k.vault, k.config.descriptions(), k.sandboxAccount)
	all[tax.Connections.Slug] = taxing.Hooks(k.vault, webhookadapter.Signer{}, k.config.webhookPolicy())
	all[order.Schema.Slug] = orders.Hooks()
	all[media.Schema.Slug] = uploads.Hooks()
	all[shop.Profiles.Slug] = shopprofile.Hooks()
	all[webhook.Endpoints.Slug] = endpoints.Hooks()
	all[mail.Templates.Slug] = mailtexts.Hooks()
	all[mail.Deliveries.Slug] = mails.Hooks()
	all[mail.MessageTemplates.Slug] = messages.TemplateHooks()
	all[mail.MessageServices.Slug] = messages.ServiceHooks(k.vault, webhookadapter.Signer{}, k.config.webhookPolicy())
	team.AddHooks(all, k.registry, foldCase)
	return all
}

// emailTokens issues the tokens that are sent by email. Where the server has a mail server it sends them; a tenant receives them as
// webhook deliveries; development also keeps them for a page of the server. They are in no log. Rules access-9, mail-15.
func (k *platform) emailTokens() access.EmailTokens {
	l := access.EmailTokens{Vault: k.vault, Now: k.now, Mailed: k.config.mails()}
	if k.config.Mode == Development {
		l.OnIssued = k.issuedTokens.add
	}
	return l
}

// emailTokenPage shows the tokens of a development server to its operator.
func (k *platform) emailTokenPage() rest.EmailTokenPage {
	if k.config.Mode != Development {
		return rest.EmailTokenPage{}
	}
	return rest.EmailTokenPage{Newest: k.issuedTokens.newestFirst}
}

// loginAttemptWindow is how long failed logins count. Rule access-6.
const loginAttemptWindow = 15 * time.Minute
