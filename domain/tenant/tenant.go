// Package tenant names who acts and for whom: tenants, environments, plans, roles and principals.
package tenant

import (
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// ErrFeatureDisabled says that the tenant has switched commerce off. Contract 1.1.
var ErrFeatureDisabled = fault.New(fault.Forbidden, "feature_disabled", "This shop does not sell anything at the moment.")

// ID names a tenant; every record belongs to exactly one.
type ID string

// Environment separates live commerce records from test ones. Contract 2.
type Environment string

// The environments. Records of the shared catalog and content have none.
const (
	Live Environment = "live"
	Test Environment = "test"
)

// Plan is what a tenant subscribed to; it sets the monthly quota. Spec 8.
type Plan string

// The plans.
const (
	Free       Plan = "free"
	Basic      Plan = "basic"
	Pro        Plan = "pro"
	Enterprise Plan = "enterprise"
)

// Facts are the settings of a tenant that rules need.
type Facts struct {
	ID                      ID
	Plan                    Plan
	Currency                money.Currency
	Rounding                money.Rounding
	AllowedOrigins          []string // empty: any
	CommerceEnabled         bool
	CheckoutOrderSeparation bool
	AutoConfirmDays         int64
}

// Role is what a user may do in one tenant. Contract 2.
type Role string

// The roles, strongest first.
const (
	PlatformAdmin Role = "platform-admin"
	Admin         Role = "tenant-admin"
	Editor        Role = "tenant-editor"
	Viewer        Role = "tenant-viewer"
)

// Kind is the sort of credential a principal showed.
type Kind string

// The kinds of principal. A server token acts as the secret key it came from.
const (
	Anonymous Kind = "anonymous"
	ClientKey Kind = "client-key"
	SecretKey Kind = "secret-key"
	User      Kind = "user"
	Customer  Kind = "customer"
	System    Kind = "system" // our own background work
)

// Principal is who makes a call. The zero value is nobody.
type Principal struct {
	Kind        Kind
	Tenant      Facts
	Environment Environment
	ID          string // record id of the key, user or customer
	ClientKeyID string // the client key beside a person's token, or ""
	Role        Role   // users only
	CanRead     bool   // secret keys: scope read
	CanWrite    bool   // secret keys: scope write
}

// Staff reports whether p may see what is not for shoppers: stock numbers, costs, discounts.
func (p Principal) Staff() bool { return p.Kind == SecretKey || p.Kind == User || p.Kind == System }
