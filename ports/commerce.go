package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Sources names what computed fields read (collection.Field.Source). The value is per record and environment.
const (
	SourceOnHand        = "stock.onHand"   // on variants: their row; on products: the sum over their variants
	SourceReserved      = "stock.reserved" // likewise
	SourceLow           = "stock.low"      // whether the record remembers its stock as low (catalog.Low)
	SourceDiscountCount = "uses.placed"    // on discounts: placed uses
)

// Level is the stock of one variant in one environment.
type Level = inventory.Level

// Demand is how many units of a variant are wanted; one per variant (inventory.Sum).
type Demand = inventory.Demand

// ErrShort says that at least one variant has too few free units; Data "variantId", "requested", "available" name the first.
var ErrShort = inventory.ErrOutOfStock

// Place is a row of stock.
type Place struct {
	Environment tenant.Environment
	Variant     string
}

// Stock counts units per variant and environment. Holder is the checkout the units are promised to.
// Every call locks rows in variant order and leaves on_hand ≥ reserved ≥ 0 (the database refuses anything else).
type Stock interface {
	// Levels returns the rows of variants, which nobody else changes until the transaction ends; a variant without a row is
	// absent.
	Levels(ctx context.Context, env tenant.Environment, variants []string) (map[string]Level, error)
	// Set writes the on-hand count and tracking of a variant of product, making its rows (live, and test as a copy) when
	// new. Errors: ErrShort if fewer than what is reserved.
	Set(ctx context.Context, t tenant.ID, env tenant.Environment, product, variant string, level Level) error
	// Reserve promises demands to holder until the given time, replacing what holder held. Errors: ErrShort, and
	// then holder keeps what it held.
	Reserve(ctx context.Context, t tenant.ID, env tenant.Environment, holder string, demands []Demand, until time.Time) error
	// Release ends holder's promises.
	Release(ctx context.Context, t tenant.ID, holder string) error
	// Take turns demands into sold units: from holder's promises where they stand, else from free units. It returns those
	// that on-hand counts lost, in variant order: a variant that is not tracked loses none. Errors: ErrShort.
	Take(ctx context.Context, t tenant.ID, env tenant.Environment, holder string, demands []Demand) (taken []Demand, err error)
	// Restock puts units that Take returned back on hand, tracked or not by now: the count of a variant that is not tracked
	// is kept for when it is again. Variants that are gone take none.
	Restock(ctx context.Context, t tenant.ID, env tenant.Environment, demands []Demand) error
}

// Use is one use of a discount by one customer (id, or folded email of a guest).
type Use struct {
	Discount, Customer      string
	Code                    string // as the client typed it; told when refused
	Limit, PerCustomerLimit int64  // 0: none
}

// ErrUsedUp says that a discount's limit is reached by placed and reserved uses.
var ErrUsedUp = discount.ErrUsageLimit

// ErrCustomerUsedUp says that the customer's limit is reached.
var ErrCustomerUsedUp = discount.ErrCustomerLimit

// Uses counts discount uses per environment: reserved by a holder (checkout), then placed by it.
type Uses interface {
	// Reserve promises uses to holder, replacing what it held. Errors: ErrUsedUp, ErrCustomerUsedUp with Data "code", and then it
	// holds what it held before.
	Reserve(ctx context.Context, t tenant.ID, env tenant.Environment, holder string, uses []Use) error
	// Release ends holder's promises; placed uses stay.
	Release(ctx context.Context, t tenant.ID, holder string) error
	// Place turns holder's promises into placed uses, reserving first those it does not hold. Errors: as Reserve.
	Place(ctx context.Context, t tenant.ID, env tenant.Environment, holder string, uses []Use) error
	// GiveBack ends holder's placed uses and promises: its order is canceled.
	GiveBack(ctx context.Context, t tenant.ID, holder string) error
	// Counts returns placed + reserved uses per discount id, and those of the customer.
	Counts(ctx context.Context, env tenant.Environment, discounts []string, customer string) (all, own map[string]int64, err error)
}

// ProviderCall is one journal row: written before the call, completed after it. The provider key and request bytes of an
// operation are frozen with its first attempt.
type ProviderCall struct {
	ID          string // UUIDv7
	Tenant      tenant.ID
	Session     string // payment session
	Operation   string // "prepare", "confirm", "close", "refund"
	ProviderKey string // idempotency key sent to the provider
	Request     []byte // exact bytes sent on every attempt
	Attempt     int    // 1, 2, 3…
	Outcome     string // "" while running, else "ok", "declined", "unsent", "unknown"
	Detail      string // provider's code or our error text; no secrets
	StartedAt   time.Time
	FirstAt     time.Time // when the first attempt started: providers forget keys
	FinishedAt  time.Time
}

// Journal keeps provider calls.
type Journal interface {
	// Begin stores the next attempt of (session, operation). The first one freezes key and request; later ones get those
	// back whatever was passed, and FirstAt.
	Begin(ctx context.Context, call ProviderCall) (ProviderCall, error)
	// Finish records the outcome of an attempt.
	Finish(ctx context.Context, call ProviderCall) error
	// Undeclined reports whether a session has an attempt of operation, or of a variant "operation:…" of it, that was sent and
	// not declined: the provider acted, or may yet.
	Undeclined(ctx context.Context, id tenant.ID, session, operation string) (bool, error)
}

// Movement is one entry of the money journal: money that moved at a provider. Append-only: a refund that fails after it was
// recorded comes back as a charge, whose reference is Reversed of the refund's.
type Movement struct {
	ID          string // UUIDv7
	Tenant      tenant.ID
	Environment tenant.Environment
	Type        string // "charge", "refund"
	Amount      money.Money
	Provider    string
	Account     string
	Reference   string // provider payment id, or refund id
	Checkout    string
	Order       string // "" while the money belongs to no order
	At          time.Time
}

// Reversed is the reference of the charge that takes back a refund.
func Reversed(refund string) string { return "reversed:" + refund }

// ErrMoneyKnown says that this charge or refund is in the journal already.
var ErrMoneyKnown = fault.New(fault.Conflict, "payment_already_recorded", "This payment is recorded already.")

// Ledger is the journal of money movements: the books.
type Ledger interface {
	// Append records m. Errors: ErrMoneyKnown (same tenant, environment, provider, account, type and reference).
	Append(ctx context.Context, m Movement) error
	// Assign gives the charge that m names, which belongs to no order, to m's order; the movement itself stays as it is.
	// Assigned to the same order again, it changes nothing. Errors: ErrAbsent when no such charge is free.
	Assign(ctx context.Context, m Movement) error
	// Balance sums charges − refunds per currency of an order, assigned ones with its own.
	Balance(ctx context.Context, order string) (map[money.Currency]int64, error)
}

// Books reads the journal of money outside of transactions, to check it.
type Books interface {
	// Movements returns the entries of a tenant after the one with that id, in order of their ids. Order is the one that the
	// money belongs to, given to it later or not.
	Movements(ctx context.Context, t tenant.ID, after string, limit int) ([]Movement, error)
	// Balances is charges − refunds of each of these orders.
	Balances(ctx context.Context, t tenant.ID, orders []string) (map[string]map[money.Currency]int64, error)
	// Drift lists the rows of stock whose reserved units are not those that holders were promised.
	Drift(ctx context.Context, t tenant.ID) ([]Drifted, error)
}

// Drifted is a row of stock that says otherwise than its reservations.
type Drifted struct {
	Place

	Reserved, Promised int64
}
