// Package tenant declares tenants, their environments and plans, and the principals who make calls.
package tenant

import (
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// ErrFeatureDisabled says that commerce is disabled for the tenant. Rule access-30.
var ErrFeatureDisabled = fault.New(fault.Forbidden, "feature_disabled", "Selling is disabled for this shop.")

// ErrSuspended says that the platform has stopped the tenant. Rule access-50.
var ErrSuspended = fault.New(fault.Forbidden, "tenant_suspended", "This shop is suspended.")

// Status is whether a tenant may act.
type Status string

// The statuses.
const (
	Active    Status = "active"
	Suspended Status = "suspended" // none of its credentials is accepted
	Deleting  Status = "deleting"  // it is gone for its callers, and its records are being deleted
)

// ID names a tenant; every record belongs to exactly one.
type ID string

// Environment separates live commerce records from test ones. Rule access-24.
type Environment string

// The environments. Records of the shared catalog and content have none.
const (
	Live Environment = "live"
	Test Environment = "test"
)

// Plan is what a tenant subscribed to; it sets the monthly quota. Rule limits-1.
type Plan string

// The plans.
const (
	Free       Plan = "free"
	Basic      Plan = "basic"
	Pro        Plan = "pro"
	Enterprise Plan = "enterprise"
)

// Settings are the settings of a tenant that business rules depend on.
type Settings struct {
	ID                      ID
	Plan                    Plan
	Suspended               bool
	Currency                money.Currency
	Rounding                money.Rounding
	AllowedOrigins          []string // empty: any
	CommerceEnabled         bool
	CheckoutOrderSeparation bool
	AutoConfirmDays         int64
	UnpaidOrderHours        int64         // 0: unpaid orders are kept
	Country                 string        // ISO 3166-1 alpha-2, where addresses are that name none; "": unknown
	TimeZone                string        // IANA name, in which the shop's days begin and end; "": UTC
	Locales                 []string      // languages of the shop's texts, the default one first
	OrderNumberFormat       string        // an order.NumberFormat; "": the default
	MinPassword             int64         // characters of a new password
	RequireSecondFactor     bool          // users act here only with a second factor
	ProofAbove              []money.Money // users prove who they are before refunds above these, one per currency; none: before no refund
}

// Role is what a user may do in one tenant: one of Roles, or the slug of the tenant's own role. Rules access-21, access-51.
type Role string

// The roles, strongest first.
const (
	PlatformAdmin Role = "platform-admin"
	Admin         Role = "tenant-admin"
	Editor        Role = "tenant-editor"
	Viewer        Role = "tenant-viewer"
)

// Kind is the kind of credential a principal presented.
type Kind string

// The kinds of principal. A server token acts as the secret key it came from.
const (
	Anonymous Kind = "anonymous"
	ClientKey Kind = "client-key"
	SecretKey Kind = "secret-key"
	User      Kind = "user"
	Customer  Kind = "customer"
	System    Kind = "system"   // our own background work
	Provider  Kind = "provider" // a payment provider; only an actor
)

// Principal is who makes a call. The zero value is an anonymous caller without any rights.
type Principal struct {
	Kind        Kind
	Tenant      Settings
	Environment Environment
	ID          string       // record id of the key, user or customer
	ClientKeyID string       // the client key beside a person's token, or ""
	Role        Role         // users only
	Permissions []Permission // of users whose role is the tenant's own: what it contains
	Stale       bool         // users only: neither the login nor a proof of the session is younger than ProofLasts; known for calls that change something
	CanRead     bool         // secret keys: scope read
	CanWrite    bool         // secret keys: scope write
	Via         Via          // how the call came; "": by the API
	Content     Content      // in which language it reads and writes the shop's texts
}

// IsStaff reports whether p may see what is not for shoppers: stock numbers, costs, discounts.
func (p Principal) IsStaff() bool { return p.Kind == SecretKey || p.Kind == User || p.Kind == System }
