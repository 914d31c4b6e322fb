package tenant

import (
	"regexp"
	"slices"
)

// Permission is a right of a role: to do something to the records of a collection, "orders:update", or to run operations
// of the back office, as the constants here.
type Permission string

// The permissions of operations. Rule access-51.
const (
	FulfillOrders     Permission = "orders:fulfill"
	CancelOrders      Permission = "orders:cancel"
	RefundOrders      Permission = "orders:refund"
	ImportOrders      Permission = "orders:import"
	RecordPayments    Permission = "payments:record"
	CapturePayments   Permission = "payments:capture"
	ResolvePayments   Permission = "payments:resolve"
	ReconcilePayments Permission = "payments:reconcile"
	DecideReturns     Permission = "returns:decide"
	RefundReturns     Permission = "returns:refund"
	AdjustStock       Permission = "stock:adjust"
	PriceDrafts       Permission = "draft-orders:price"
	ResendMails       Permission = "mails:resend"
)

// OperationPermission describes a permission of operations.
type OperationPermission struct {
	Permission Permission
	Doc        string // what it lets people do
}

// OperationPermissions lists the permissions of operations. Those of collections follow from their schemas.
var OperationPermissions = []OperationPermission{
	{FulfillOrders, "Pack, ship and deliver: fulfillments, files of carriers, and the steps of an order from preparing to confirmed."},
	{CancelOrders, "Cancel orders or units of them, which gives back what was paid for them."},
	{RefundOrders, "Refund an amount of an order."},
	{ImportOrders, "Import orders of another system."},
	{RecordPayments, "Say by hand that an order was paid, was not paid, or waits for its payment again."},
	{CapturePayments, "Capture authorized payments."},
	{ResolvePayments, "Decide about payments that require attention, cancel open ones, release the payment slot of a checkout, and confirm custom payments."},
	{ReconcilePayments, "Find the session of a provider's payment, and settle it by what the provider says."},
	{DecideReturns, "Request, approve, reject and receive returns."},
	{RefundReturns, "Refund returns."},
	{AdjustStock, "Correct stock, by itself and in products and variants."},
	{PriceDrafts, "Agree on prices and discounts of single lines in draft orders."},
	{ResendMails, "Have a mail sent again."},
}

// On is the permission to do verb, one of read, create, update and delete, to the records of a collection.
func On(slug, verb string) Permission { return Permission(slug + ":" + verb) }

// The finer roles that every tenant has. A tenant's own roles are records. Rule access-51.
const (
	Packer     Role = "packer"
	Support    Role = "support"
	Marketer   Role = "marketer"
	Accountant Role = "accountant"
)

// Roles lists the roles that every tenant has, in the order in which they are shown.
var Roles = []Role{PlatformAdmin, Admin, Editor, Viewer, Packer, Support, Marketer, Accountant}

// editorOperations are the permissions of operations of an Editor. An Admin has all of them, a Viewer none.
var editorOperations = []Permission{FulfillOrders, DecideReturns, AdjustStock, PriceDrafts, ResendMails}

// The collections that the finer roles work with.
var (
	setupSlugs = []string{"tenants", "shop-profiles", "shipping-policies", "tax-rates", "markets", "mail-templates", "message-templates"}
	goodsSlugs = []string{"products", "product-options", "product-variants", "market-prices", "brands", "categories", "tags", "media", "videos"}
	tradeSlugs = []string{
		"carts", "checkouts", "draft-orders", "orders", "transactions", "payment-sessions", "disputes", "fulfillment-orders", "fulfillments",
		"carrier-batches", "return-requests",
	}
)

// teamwork is what all finer roles do: comment on what they may read and export it, and see what they are told.
var teamwork = slices.Concat(
	all([]string{"comments"}), each("read", []string{"notifications", "exports", "imports", "import-results"}), each("update", []string{"notifications"}),
)

// finerRoles are the permissions of the finer roles.
var finerRoles = map[Role][]Permission{
	Packer: slices.Concat(
		each("read", setupSlugs, goodsSlugs, []string{
			"stock-movements", "stock-locations", "orders", "fulfillment-orders", "fulfillments", "carrier-batches", "return-requests",
		}),
		teamwork, []Permission{FulfillOrders},
	),
	Support: slices.Concat(
		each("read", setupSlugs, goodsSlugs, tradeSlugs, []string{
			"users", "roles", "customers", "posts", "pages", "discounts", "stock-movements", "stock-locations", "mail-deliveries",
		}),
		each("update", []string{"customers", "orders", "draft-orders", "return-requests"}), each("create", []string{"draft-orders"}),
		teamwork, []Permission{DecideReturns, ResendMails},
	),
	Marketer: slices.Concat(
		each("read", setupSlugs, []string{"stock-movements", "stock-locations"}), teamwork,
		all(goodsSlugs, []string{"posts", "pages", "discounts"}),
	),
	Accountant: slices.Concat(
		each("read", setupSlugs, goodsSlugs, tradeSlugs, []string{"customers", "discounts", "stock-movements", "stock-locations"}),
		each("update", []string{"transactions", "disputes"}), teamwork, []Permission{ReconcilePayments},
	),
}

func each(verb string, slugs ...[]string) (out []Permission) {
	for _, slug := range slices.Concat(slugs...) {
		out = append(out, On(slug, verb))
	}
	return out
}

func all(slugs ...[]string) (out []Permission) {
	for _, verb := range []string{"read", "create", "update", "delete"} {
		out = append(out, each(verb, slugs...)...)
	}
	return out
}

// IsBroad reports whether r is one of the four roles whose access to records every collection declares itself.
func (r Role) IsBroad() bool { return r == PlatformAdmin || r == Admin || r == Editor || r == Viewer }

// IsBuiltIn reports whether every tenant has r.
func (r Role) IsBuiltIn() bool { return slices.Contains(Roles, r) }

// May reports whether a user with the role of p, of this package or of the tenant's own, has a permission. Of the access to
// records it knows that of finer roles only: collections declare that of the others.
func (p Principal) May(wanted Permission) bool {
	switch {
	case p.Kind != User:
		return false
	case p.Role == PlatformAdmin || p.Role == Admin:
		return IsOperation(wanted)
	case p.Role == Editor:
		return slices.Contains(editorOperations, wanted)
	case p.Role.IsBuiltIn():
		return slices.Contains(finerRoles[p.Role], wanted)
	}
	return slices.Contains(p.Permissions, wanted)
}

// IsOperation reports whether p is a permission of operations.
func IsOperation(p Permission) bool {
	return slices.ContainsFunc(OperationPermissions, func(known OperationPermission) bool { return known.Permission == p })
}

// MaxRoleSlug is how many characters the slug of a role has at most.
const MaxRoleSlug = 63

// roleSlugs is the form of a role's slug.
var roleSlugs = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

// ValidRoleSlug reports whether a tenant's own role may be called slug: a-z, 0-9 and hyphens inside, at most MaxRoleSlug
// characters, and none of Roles.
func ValidRoleSlug(slug string) bool {
	return len(slug) <= MaxRoleSlug && roleSlugs.MatchString(slug) && !Role(slug).IsBuiltIn()
}

// PermissionsOf lists the permissions of a finer role; nil for the four broad ones.
func PermissionsOf(r Role) []Permission { return slices.Clone(finerRoles[r]) }
