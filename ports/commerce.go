package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The sources of computed fields (collection.Field.Source). Their values are per record and environment.
const (
	SourceOnHand        = "stock.onHand"      // on variants: units on hand
	SourceTotalOnHand   = "stock.totalOnHand" // on products: units on hand of all their variants
	SourceReserved      = "stock.reserved"    // on variants: reserved units
	SourceLow           = "stock.low"         // whether the record is stored as low (catalog.LowStock)
	SourceDiscountCount = "uses.placed"       // on discounts: redeemed uses
)

// StockLevel is the stock of one variant in one environment.
type StockLevel = inventory.Level

// Demand is a required number of units of a variant; one per variant (inventory.Sum).
type Demand = inventory.Demand

// ErrOutOfStock says that at least one variant has too few available units. Data "variantId", "requested", "available"
// are of the first.
var ErrOutOfStock = inventory.ErrOutOfStock

// StockCause is who changes a count of stock, and why.
type StockCause = inventory.Cause

// StockMovement is a change of a count of stock.
type StockMovement = inventory.Movement

// StockKey identifies a row of stock.
type StockKey struct {
	Environment tenant.Environment
	Variant     string
}

// Stock counts units per variant and environment. holder is the checkout or draft that has the reservations.
// Every call locks rows in variant order and leaves on_hand ≥ reserved ≥ 0, which the database enforces. No
// count changes without a cause: each change is a StockMovement, which the store reports before the commit.
type Stock interface {
	// Levels returns the rows of variants and locks them until the transaction ends; variants without a row
	// are absent.
	Levels(ctx context.Context, env tenant.Environment, variants []string) (map[string]StockLevel, error)
	// Available is Levels without a lock.
	Available(ctx context.Context, env tenant.Environment, variants []string) (map[string]StockLevel, error)
	// Set writes the on-hand count and tracking of a variant of product. A new variant gets rows in live and,
	// as a copy, in test. Errors: ErrOutOfStock if the count is below what is reserved.
	Set(ctx context.Context, t tenant.ID, env tenant.Environment, product, variant string, level StockLevel, cause StockCause) error
	// Reserve reserves demands for holder until the given time, replacing its reservations. Errors:
	// ErrOutOfStock, which leaves its reservations as they were.
	Reserve(ctx context.Context, t tenant.ID, env tenant.Environment, holder string, demands []Demand, until time.Time) error
	// Release ends the reservations of holder.
	Release(ctx context.Context, t tenant.ID, holder string) error
	// Take sells demands: from holder's reservations if they still exist, else from available units. It
	// returns the units subtracted from on-hand counts, in variant order; none for a variant that is not
	// tracked. Errors: ErrOutOfStock.
	Take(
		ctx context.Context, t tenant.ID, env tenant.Environment, holder string, demands []Demand, cause StockCause,
	) (taken []Demand, err error)
	// Restock adds units that Take returned to the on-hand count, whether or not the variant is still
	// tracked, since it may be tracked again. Deleted variants are skipped.
	Restock(ctx context.Context, t tenant.ID, env tenant.Environment, demands []Demand, cause StockCause) error
}

// DiscountUse is one use of a discount by one customer (id, or lower-case email of a guest).
type DiscountUse struct {
	Discount, Customer      string
	Code                    string // as the client entered it, for the error
	Limit, PerCustomerLimit int64  // 0: none
}

// ErrDiscountUsageLimit says that redeemed and reserved uses reach the limit of a discount.
var ErrDiscountUsageLimit = discount.ErrUsageLimit

// ErrDiscountCustomerLimit says that they reach the limit per customer.
var ErrDiscountCustomerLimit = discount.ErrCustomerLimit

// DiscountUses counts discount uses per environment: reserved by a holder (a checkout or draft), then
// redeemed by it.
type DiscountUses interface {
	// Reserve reserves uses for holder, replacing its reservations. Errors: ErrDiscountUsageLimit and
	// ErrDiscountCustomerLimit with Data "code", which leave its reservations as they were.
	Reserve(ctx context.Context, t tenant.ID, env tenant.Environment, holder string, uses []DiscountUse) error
	// Release ends the reservations of holder; redeemed uses stay.
	Release(ctx context.Context, t tenant.ID, holder string) error
	// Redeem turns holder's reservations into redeemed uses, after reserving those that are missing. Errors:
	// as Reserve.
	Redeem(ctx context.Context, t tenant.ID, env tenant.Environment, holder string, uses []DiscountUse) error
	// ReleaseAll ends holder's redeemed uses and reservations, because its order was canceled, and reports whether it had any.
	ReleaseAll(ctx context.Context, t tenant.ID, holder string) (had bool, err error)
	// Reassign makes holder's uses, reserved and redeemed, those of another customer, whatever the limit of the customer.
	// Uses without a customer stay so.
	Reassign(ctx context.Context, t tenant.ID, holder, customer string) error
	// Counts returns redeemed + reserved uses per discount id, in all and of the customer.
	Counts(ctx context.Context, env tenant.Environment, discounts []string, customer string) (all, byCustomer map[string]int64, err error)
}

// ProviderCall is one entry of the provider call log: written before the call, completed after it. The
// idempotency key and request bytes of an operation are fixed by its first attempt.
type ProviderCall struct {
	ID             string // UUIDv7
	Tenant         tenant.ID
	Session        string // payment session
	Operation      string // "prepare", "confirm", "close", "refund"
	ProviderKey    string // idempotency key sent to the provider
	Request        []byte // exact bytes sent on every attempt, or SealedRequest and what a Vault sealed of them
	Attempt        int    // 1, 2, 3…
	Outcome        string // "" while in progress, else "ok", "declined", "unsent", "unknown"
	Detail         string // the provider's code or our error text; no secrets
	StartedAt      time.Time
	FirstAttemptAt time.Time // start of the first attempt, since providers forget keys after some time
	FinishedAt     time.Time
}

// SealedRequest begins a logged request that is encrypted.
const SealedRequest = "sealed:"

// ProviderCalls is the log of provider calls.
type ProviderCalls interface {
	// Begin stores the next attempt of (session, operation). The first one fixes key and request; for later
	// ones these are returned whatever was passed, with FirstAttemptAt.
	Begin(ctx context.Context, call ProviderCall) (ProviderCall, error)
	// Finish records the outcome of an attempt.
	Finish(ctx context.Context, call ProviderCall) error
	// Forget erases the request of every attempt of (session, operation), which is not sent again.
	Forget(ctx context.Context, call ProviderCall) error
	// MayHaveActed reports whether a session has an attempt of operation, or of a variant "operation:…" of
	// it, that was sent and not declined, so that the provider acted or may still act.
	MayHaveActed(ctx context.Context, id tenant.ID, session, operation string) (bool, error)
}

// LedgerEntry is a movement of money at a provider. Entries are append-only: a refund that fails after it was
// recorded is followed by a charge with the ReversalReference of the refund; a payment that the provider took back, by
// a refund, and when the shop has that money again by a charge, both with payment.Reversal.Reference.
type LedgerEntry struct {
	ID          string // UUIDv7
	Tenant      tenant.ID
	Environment tenant.Environment
	Type        string // "charge": money in; "refund": money out
	Amount      money.Money
	Provider    string
	AccountKey  string
	Reference   string // provider payment id, or refund id
	Checkout    string
	Order       string // "" while the money belongs to no order
	At          time.Time
	Settled     payment.Settled // as its provider says, in what LedgerReader reads; Append records none
}

// ReversalReference is the reference of the charge that reverses a refund.
func ReversalReference(refund string) string { return "reversed:" + refund }

// ErrAlreadyRecorded says that this charge or refund is in the ledger already.
var ErrAlreadyRecorded = fault.New(fault.Conflict, "payment_already_recorded", "This payment is already recorded.")

// Ledger is the append-only table of money that moved.
type Ledger interface {
	// Append records m. Errors: ErrAlreadyRecorded (same tenant, environment, provider, account, type and
	// reference).
	Append(ctx context.Context, m LedgerEntry) error
	// Assign assigns the charge that m identifies, which belongs to no order, to m's order; the entry itself
	// is not changed. Assigning it to the same order again has no effect. Errors: ErrNotFound when there is
	// no such unassigned charge.
	Assign(ctx context.Context, m LedgerEntry) error
	// Settle records what a provider says that it settles for the entry that m identifies, as Append does. What was recorded
	// first stays, and without such an entry it has no effect.
	Settle(ctx context.Context, m LedgerEntry, s payment.Settled) error
	// AppendTaxes records what a transaction moved of taxes.
	AppendTaxes(ctx context.Context, e tax.Entry) error
	// Balance is charges − refunds of an order per currency, including assigned charges.
	Balance(ctx context.Context, order string) (map[money.Currency]int64, error)
}

// TaxQuery asks for the entries of taxes of an environment from Since on and before Until.
type TaxQuery struct {
	Tenant       tenant.ID
	Environment  tenant.Environment
	Since, Until time.Time
	After        string // of those at Since only such with a later ID; "": all
	Limit        int
}

// LedgerReader reads the ledger and stock outside of transactions, for reconciliation.
type LedgerReader interface {
	// Entries returns the entries of a tenant after the entry with id after, in order of id. Their Order
	// includes later assignments.
	Entries(ctx context.Context, t tenant.ID, after string, limit int) ([]LedgerEntry, error)
	// Balances is charges − refunds of each of these orders.
	Balances(ctx context.Context, t tenant.ID, orders []string) (map[string]map[money.Currency]int64, error)
	// Taxes returns entries of taxes by time, and by ID.
	Taxes(ctx context.Context, q TaxQuery) ([]tax.Entry, error)
	// StockDrift lists the rows of stock whose reserved count differs from their reservations.
	StockDrift(ctx context.Context, t tenant.ID) ([]StockDrift, error)
}

// StockDrift is a stock row whose reserved count differs from the sum of its reservations.
type StockDrift struct {
	StockKey

	Reserved, ReservationSum int64
}
