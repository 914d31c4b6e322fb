// Package identity declares tenants, their users, their customers, and API keys.
//
// Passwords: the field contains what the client sent until the use case replaces it with its hash; no API
// ever shows either. It is not marked required, since only a create must have it (CheckPasswordGiven).
package identity

import (
	"cmp"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var (
	all        = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	read       = []collection.Verb{collection.Read}
	readUpdate = []collection.Verb{collection.Read, collection.Update}
)

// Tenants is the collection of tenants; a tenant's record belongs to itself. Plans change only by the platform.
// Rules access-26, collections-20.
var Tenants = &collection.Schema{
	Slug: "tenants", Singular: "Tenant", Plural: "Tenants", Global: true, NoDelete: true,
	Doc:    "A shop on this installation, with its settings.",
	Access: collection.Access{Viewer: read, Editor: read, Admin: readUpdate, SecretKey: readUpdate},
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 255, Doc: "Name."},
		{Name: "slug", Kind: collection.Text, Required: true, Unique: true, Indexed: true, MaxLength: 255, Doc: "Handle."},
		{
			Name: "plan", Kind: collection.Select, Required: true, Default: string(tenant.Free),
			Options: []string{string(tenant.Free), string(tenant.Basic), string(tenant.Pro), string(tenant.Enterprise)},
			Doc:     "Sets the monthly quota; only the platform changes it.",
		},
		{
			Name: "status", Kind: collection.Select, ReadOnly: true, Indexed: true, Default: string(tenant.Active),
			Options: []string{string(tenant.Active), string(tenant.Suspended), string(tenant.Deleting)},
			Doc: "A suspended shop is stopped by the platform: none of its keys and logins is accepted. " +
				"One that is being deleted is shown to the platform until the last of its records is gone.",
		},
		{Name: "suspension", Kind: collection.Group, ReadOnly: true, Doc: "Of a suspended shop; all null otherwise.", Fields: []collection.Field{
			{Name: "reason", Kind: collection.Text, MaxLength: 1000, Doc: "Why."},
			{Name: "since", Kind: collection.Date, Doc: "Since when."},
			{Name: "by", Kind: collection.Text, MaxLength: 64, Doc: "Id of the user who suspended it; null: the command line."},
		}},
		{
			Name: "export", Kind: collection.Group, ReadOnly: true, Fields: exportFields,
			Doc: "The last complete export of a suspended shop; all null otherwise.",
		},
		{
			Name: "currency", Kind: collection.Text, Uppercase: true, Immutable: true, Default: "KRW", MaxLength: 3,
			Doc: "Currency of catalog prices. It cannot be changed, since prices are stored in it.",
		},
		{
			Name: "roundingMode", Kind: collection.Select, Default: string(money.HalfUp),
			Options: []string{string(money.HalfUp), string(money.HalfEven), string(money.Down)}, Doc: "How computed amounts become whole.",
		},
		{Name: "settings", Kind: collection.Group, Doc: "Switches.", Fields: []collection.Field{
			{Name: "checkoutOrderSeparation", Kind: collection.Boolean, Default: true, Doc: "An order exists only once it is paid."},
			{
				Name: "requireEmailVerification", Kind: collection.Boolean, Default: false,
				Doc: "Customers log in after verifying their address.",
			},
			{
				Name: "passwordMinLength", Kind: collection.Integer, Default: int64(MinPassword), Min: collection.Bound(MinPassword),
				Max: collection.Bound(MaxMinPassword), Guarded: true, Doc: "Characters that a new password of a user or customer has at least.",
			},
			{
				Name: "requireSecondFactor", Kind: collection.Boolean, Default: false, Guarded: true,
				Doc: "Users work in this tenant only with a second factor: those without one can log in to add one, and nothing else.",
			},
			{
				Name: "proofAbove", Kind: collection.Array, MaxItems: 50, Guarded: true, Fields: []collection.Field{
					{
						Name: "amount", Kind: collection.Money, Required: true, Currency: "currency", Min: collection.Bound(0),
						Doc: "Up to this amount nothing is asked.",
					},
					{Name: "currency", Kind: collection.Text, Required: true, Uppercase: true, MaxLength: 3, Doc: "ISO 4217 code of the amount."},
				},
				Doc: "Users prove again who they are before they give back more than this within ten minutes. One amount for each currency; " +
					"in other currencies they always do. Empty: only before refunds to an account that they name.",
			},
			{
				Name: "allowedOrigins", Kind: collection.Texts, URLKind: collection.OriginURL,
				Doc: "Web origins that may call with a client key, such as https://shop.example; empty: any.",
			},
			{
				Name: "storefrontUrl", Kind: collection.Text, URLKind: collection.PageURL, MaxLength: 500,
				Doc: "Page of the storefront that takes the links of mails and payment links: #/pay/, #/verify/ and #/reset/ with a token behind it, " +
					"and #/orders/ with the id of the order's checkout.",
			},
			{
				Name: "setupDismissed", Kind: collection.Boolean, Default: false,
				Doc: "Nobody is told any more what is left to be set up.",
			},
			{
				Name: "autoConfirmDays", Kind: collection.Integer, Default: int64(7), Min: collection.Bound(0), Max: collection.Bound(365),
				Doc: "Days from delivery to confirmation.",
			},
			{
				Name: "unpaidOrderHours", Kind: collection.Integer, Default: int64(24), Min: collection.Bound(0), Max: collection.Bound(8760),
				Doc: "Hours after which an unpaid order is canceled and its stock is free again; 0: never.",
			},
			{
				Name: "country", Kind: collection.Text, MaxLength: 2, Uppercase: true,
				Doc: "Where the shop is: an ISO 3166-1 alpha-2 code. Addresses that name no country are there, and only there is shipped to unless " +
					"shipping policies and markets say otherwise. Null: KR in a shop whose currency is KRW, else unknown.",
			},
			{
				Name: "timeZone", Kind: collection.Text, MaxLength: 64, Default: "UTC",
				Doc: "Time zone in which the shop's days begin and end: an IANA name, such as Asia/Seoul.",
			},
			{
				Name: "locale", Kind: collection.Text, MaxLength: tenant.MaxLocale, Default: "en",
				Doc: "Default language of the shop, in which the texts of its records are and in which it addresses buyers who chose none: a BCP 47 tag, " +
					"such as ko or en-US. While locales has others, it cannot be changed.",
			},
			{
				Name: "locales", Kind: collection.Texts, MaxLength: tenant.MaxLocale, MaxItems: tenant.MaxLocales,
				Doc: "Languages of the shop's texts, the default one among them; empty: only that one. What is not translated is shown in it.",
			},
			{
				Name: "orderNumberFormat", Kind: collection.Text, MaxLength: 40, Default: "{YYMMDD}{RANDOM}",
				Doc: "Numbers of new orders. Placeholders: {YYYY} {YY} {MM} {DD} {YYYYMMDD} {YYMMDD} are the day in the shop's time zone, " +
					"and exactly one of {SEQ}, which counts from 0001 (over again each day if the format has the day), and {RANDOM}, six random digits. " +
					"Besides them: A-Z a-z 0-9 - _ . / #.",
			},
			{Name: "features", Kind: collection.Group, Doc: "Capabilities.", Fields: []collection.Field{
				{Name: "ecommerce", Kind: collection.Boolean, Default: true, Doc: "The shop sells."},
			}},
		}},
	},
}

// exportFields describe an Export.
var exportFields = []collection.Field{
	{Name: "at", Kind: collection.Date, Doc: "When it was made."},
	{Name: "by", Kind: collection.Text, MaxLength: 64, Doc: "Id of the user who made it; null: the command line."},
	{Name: "checksum", Kind: collection.Text, MaxLength: 64, Doc: "SHA-256 of manifest.json in the archive, in hexadecimal."},
	{Name: "tenantRevision", Kind: collection.Integer, Doc: "Revision of this record that has the export: a later one was changed since."},
	{Name: "events", Kind: collection.Integer, Doc: "How many changes the shop has had, the one that recorded the export included."},
}

// SettingsFrom reads a tenant record. A missing switch has its default.
func SettingsFrom(r collection.Record) tenant.Settings {
	s := r.Group("settings")
	f := tenant.Settings{
		ID: tenant.ID(r.ID()), Plan: tenant.Plan(r.Text("plan")), Suspended: r.Text("status") == string(tenant.Suspended),
		Currency: money.Currency(r.Text("currency")), Rounding: money.Rounding(r.Text("roundingMode")),
		AllowedOrigins: s.Texts("allowedOrigins"), AutoConfirmDays: 7, UnpaidOrderHours: 24,
		CommerceEnabled:         enabledByDefault(s.Group("features"), "ecommerce"),
		CheckoutOrderSeparation: enabledByDefault(s, "checkoutOrderSeparation"),
		TimeZone:                s.Text("timeZone"), OrderNumberFormat: s.Text("orderNumberFormat"),
		RequireSecondFactor: s.Bool("requireSecondFactor"), Country: s.Text("country"),
	}
	if f.Country == "" && f.Currency == "KRW" {
		f.Country = "KR"
	}
	f.Locales = localesOf(s)
	for _, limit := range s.Rows("proofAbove") {
		if amount, ok := limit.Money("amount"); ok {
			f.ProofAbove = append(f.ProofAbove, amount)
		}
	}
	if s["autoConfirmDays"] != nil {
		f.AutoConfirmDays = s.Int("autoConfirmDays")
	}
	f.MinPassword = max(MinPassword, s.Int("passwordMinLength"))
	if s["unpaidOrderHours"] != nil {
		f.UnpaidOrderHours = s.Int("unpaidOrderHours")
	}
	return f
}

// localesOf are the languages of a shop, the default one first.
func localesOf(s collection.Record) []string {
	locales := []string{cmp.Or(s.Text("locale"), "en")}
	for _, other := range s.Texts("locales") {
		if other != locales[0] {
			locales = append(locales, other)
		}
	}
	return locales
}

// enabledByDefault reads a switch that is on unless it was set to false.
func enabledByDefault(r collection.Record, name string) bool { return r[name] == nil || r.Bool(name) }

// Users is the collection of the people who run a tenant: one record per tenant a person belongs to, with what
// that tenant entered about them. Rule access-12, Decision 37.
var Users = &collection.Schema{
	Slug: "users", Singular: "User", Plural: "Users", Guarded: []collection.Verb{collection.Create, collection.Delete},
	Doc: "A user who manages this tenant.",
	Access: collection.Access{
		Viewer: read, Editor: read, Admin: all, SecretKey: read,
		LinkedFields: []string{"name", "picture"}, // of the author of a post: Rule content-4
	},
	Fields: append(append([]collection.Field{
		{
			Name: "email", Kind: collection.Email, VisibleTo: collection.Staff, Required: true, Unique: true, Indexed: true, Guarded: true,
			Doc: "Address to log in with.",
		},
		{Name: "password", Kind: collection.Text, VisibleTo: collection.ServerOnly, Guarded: true, MaxLength: 512, Doc: "Write-only."},
		{
			Name: "role", Kind: collection.Text, VisibleTo: collection.Staff, Required: true, Indexed: true, Guarded: true, MaxLength: tenant.MaxRoleSlug,
			Doc: "What the person may do in this tenant: platform-admin, tenant-admin, tenant-editor, tenant-viewer, packer, support, marketer, " +
				"accountant, or the slug of a role of the tenant's own.",
		},
		{
			Name: "tenants", Kind: collection.RelationMany, RelationTo: "tenants", VisibleTo: collection.Staff, ReadOnly: true, NamesTenant: true,
			Doc: "Every tenant the person belongs to.",
		},
		{
			Name: "memberships", Kind: collection.Array, VisibleTo: collection.Staff, ReadOnly: true, NamesTenant: true,
			Doc: "The person's role in each.", Fields: []collection.Field{
				{Name: "tenant", Kind: collection.Relation, RelationTo: "tenants", Required: true, Doc: "The tenant."},
				{Name: "role", Kind: collection.Text, Required: true, MaxLength: tenant.MaxRoleSlug, Doc: "The role there."},
			},
		},
	}, profileFields()...), changeCounter),
}

// changeCounter is raised by changes that no visible field shows (a token requested, a new password), so that
// they still change the record and produce an event.
var changeCounter = collection.Field{
	Name: "signals", Kind: collection.Integer, ReadOnly: true, VisibleTo: collection.ServerOnly, Default: int64(0),
	Doc: "Changes that do not show.",
}

// Customers is the collection of the people who buy. Rule access-25.
var Customers = &collection.Schema{
	Slug: "customers", Singular: "Customer", Plural: "Customers",
	Doc:    "A customer of the shop.",
	Access: collection.Access{Viewer: read, Editor: all, Admin: all, SecretKey: all, OwnerField: "id"},
	Indexes: []collection.Index{ // erasures that are under way are watched across tenants
		{Fields: []string{"erasingSince"}, Only: collection.IndexFilter{Field: "erasingSince", Op: collection.Exists, Value: true}},
	},
	Fields: []collection.Field{
		{Name: "email", Kind: collection.Email, Personal: true, Required: true, Unique: true, Indexed: true, Doc: "Address to log in with."},
		{Name: "password", Kind: collection.Text, Personal: true, VisibleTo: collection.ServerOnly, MaxLength: 512, Doc: "Write-only."},
		{
			Name: "tokenVersion", Kind: collection.Integer, ReadOnly: true, VisibleTo: collection.ServerOnly, Default: int64(1),
			Doc: "Increased by a password change; older tokens become invalid.",
		},
		changeCounter,
		{Name: "name", Kind: collection.Text, Personal: true, Indexed: true, MaxLength: 255, Doc: "Name."},
		{Name: "phone", Kind: collection.Text, Personal: true, Indexed: true, MaxLength: 50, Doc: "Phone number."},
		customerPhone,
		{Name: "isVerified", Kind: collection.Boolean, ReadOnly: true, Default: false, Doc: "Whether the email address is verified."},
		{Name: "groups", Kind: collection.Texts, Personal: true, VisibleTo: collection.Staff, Doc: "Groups of the shop's own."},
		{Name: "marketingConsent", Kind: collection.Boolean, Default: false, Doc: "Whether the customer agreed to marketing email."},
		{Name: "consentedAt", Kind: collection.Date, ReadOnly: true, Doc: "When."},
		{Name: "addresses", Kind: collection.Array, Doc: "Address book.", Fields: AddressBookFields(
			collection.Field{Name: "label", Kind: collection.Text, Personal: true, MaxLength: 100, Doc: "Name of the address."},
			collection.Field{Name: "isDefault", Kind: collection.Boolean, Default: false, Doc: "The one to start with."},
		)},
		{Name: "note", Kind: collection.Textarea, Personal: true, VisibleTo: collection.Staff, Doc: "Operator's note."},
		{
			Name: "taxId", Kind: collection.Text, Personal: true, VisibleTo: collection.Staff, MaxLength: 50,
			Doc: "Number by which tax authorities know the customer: VAT id, business registration, resale certificate.",
		},
		{
			Name: "taxExempt", Kind: collection.Boolean, VisibleTo: collection.Staff, Default: false,
			Doc: "Whether the customer pays no taxes, as the shop has verified.",
		},
		{Name: "metadata", Kind: collection.JSON, Personal: true, VisibleTo: collection.Staff, Doc: "Custom data of the shop."},
		{
			Name: "erasureRequestedAt", Kind: collection.Date, ReadOnly: true, Indexed: true,
			Doc: "When the customer asked to be erased; null if they did not, took it back, or the shop began with it or declined.",
		},
		{
			Name: "erasureDeclinedAt", Kind: collection.Date, ReadOnly: true, Indexed: true,
			Doc: "When the shop declined the customer's last request to be erased; null if it did not, and once they ask again.",
		},
		{
			Name: "erasureDeclineReason", Kind: collection.Text, Personal: true, ReadOnly: true, MaxLength: MaxErasureReason,
			Doc: "Why it was declined, as the customer is told. The event of it says who did.",
		},
		{
			Name: "erasingSince", Kind: collection.Date, ReadOnly: true, VisibleTo: collection.Staff,
			Doc: "Since when what is held about the customer is being erased; null before, and once it is done.",
		},
		{
			Name: "erasedAt", Kind: collection.Date, ReadOnly: true, VisibleTo: collection.Staff, Indexed: true,
			Doc: "When the last of it was erased; null if the customer was not.",
		},
		{
			Name: "erasedBy", Kind: collection.Text, ReadOnly: true, VisibleTo: collection.Staff, MaxLength: 64,
			Doc: "Id of the user or secret key that had the customer erased; the event of it tells more.",
		},
		{
			Name: "erasureReason", Kind: collection.Text, ReadOnly: true, VisibleTo: collection.Staff, MaxLength: MaxErasureReason,
			Doc: "Why. It stays, so it should name nobody.",
		},
	},
}

// MaxErasureReason is how many characters the reason of an erasure has at most.
const MaxErasureReason = 500

// AddressBookFields declares the fields of an address in an address book, with extra ones at the ends.
func AddressBookFields(label, isDefault collection.Field) []collection.Field {
	return slices.Concat([]collection.Field{label}, address.Fields, []collection.Field{isDefault})
}

// The kinds of API key.
const (
	ClientKey = "client"
	SecretKey = "secret"
)

// The scopes of a secret key.
const (
	ScopeRead  = "read"
	ScopeWrite = "write"
)

// APIKeys is the collection of API keys: made, rotated and revoked by operations, and only by
// admins; secret keys list them. Rules access-17, access-38.
var APIKeys = &collection.Schema{
	Slug: "api-keys", Singular: "ApiKey", Plural: "ApiKeys", CommandOnly: true,
	Indexes: []collection.Index{{Fields: []string{"hash"}}}, // keys are found before their tenant is known
	Doc:     "An API key; it is shown once, when it is created.",
	Access:  collection.Access{Admin: all, SecretKey: read},
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, Patchable: true, MaxLength: 255, Doc: "Name for the operator."},
		{
			Name: "kind", Kind: collection.Select, Required: true, Indexed: true, Options: []string{ClientKey, SecretKey},
			Doc: "client: pk_…, may be public; secret: sk_…, servers only.",
		},
		{
			Name: "environment", Kind: collection.Select, Required: true, Indexed: true,
			Options: []string{string(tenant.Live), string(tenant.Test)}, Doc: "What the key sees and creates.",
		},
		{
			Name: "hash", Kind: collection.Text, ReadOnly: true, VisibleTo: collection.ServerOnly, Indexed: true, Unique: true,
			MaxLength: 64, Doc: "SHA-256 of the key, hexadecimal.",
		},
		{Name: "last4", Kind: collection.Text, ReadOnly: true, MaxLength: 4, Doc: "Last four characters."},
		{
			Name: "scopes", Kind: collection.Selects, Options: []string{ScopeRead, ScopeWrite},
			Doc: "What a secret key may; both when missing.",
		},
		{Name: "revokedAt", Kind: collection.Date, ReadOnly: true, Indexed: true, Doc: "When the key was revoked."},
	},
}

// Schemas lists the collections of this package.
func Schemas() []*collection.Schema {
	return []*collection.Schema{Tenants, Users, Roles, Invitations, Customers, GuestErasures, APIKeys}
}
