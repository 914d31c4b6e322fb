package orders

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxImportOrders is how many orders one call imports at most.
const MaxImportOrders = 500

// ImportResult is the outcome of an import.
type ImportResult struct {
	Created, Unchanged int64
	Rejected           []RejectedOrder
}

// RejectedOrder is an order that was not imported, by its index from 0, and why.
type RejectedOrder struct {
	Index   int
	Message string // in the language of the call
}

// Import imports orders of another system into the environment of the key. Orders are identified by their
// numbers: one that exists with the same content is unchanged, whatever happened to it since; with other
// content, or placed here, it is rejected and stays. Each order is imported by itself, completely or not at
// all: a rejected order does not keep others out.
//
// An import takes no stock and counts no discount uses, because the other system did. What that system has
// not shipped is shipped from here: orders up to preparing get fulfillment orders for all of their lines,
// orders from shipped on none. They have no return policy, as legacy orders. Their payment was made outside
// this platform: it is recorded when some of it is refunded, with what was refunded before. Only an id
// attaches an order to a customer, because anybody may register with an email.
//
// Errors: those of access.RequireOperator, fault.ErrValidation for more orders than MaxImportOrders, and
// those of a failing database: then some orders may be imported, and the same import again finds them
// unchanged.
func (o *Service) Import(ctx context.Context, c idempotency.Call, rows []any) (ImportResult, error) {
	var done ImportResult
	if err := access.RequireOperator(c.Principal, tenant.ImportOrders); err != nil {
		return done, err
	}
	if len(rows) > MaxImportOrders {
		return done, fault.Invalidf("orders", "One import takes at most %d orders.", MaxImportOrders)
	}
	ctx, by := ports.Importing(ctx, c.Principal)
	for i, row := range rows {
		created, err := o.importOne(ctx, by, row)
		var refused *fault.Error
		switch {
		case errors.As(err, &refused) && (refused.Kind == fault.Invalid || refused.Kind == fault.Conflict):
			done.Rejected = append(done.Rejected, RejectedOrder{i, rejectionMessage(c.Language.Refusal(refused))})
		case err != nil:
			return done, err
		case created:
			done.Created++
		default:
			done.Unchanged++
		}
	}
	return done, nil
}

// rejectionMessage is a refusal as one text: it is translated before, since a text of several sentences has no words.
func rejectionMessage(e *fault.Error) string {
	if len(e.Fields) == 0 {
		return e.Message
	}
	parts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		parts[i] = f.Field + ": " + f.Message
	}
	return e.WithMessage("%s", strings.Join(parts, " ")).Message // which is not longer than messages are
}

// ImportedOrder is what became of an order that was imported.
type ImportedOrder struct {
	ID      string
	Created bool              // false: it exists already
	There   collection.Record // the order that has this number, if it was not created
	Wrote   bool              // it was written, also if the database refused it then
}

// ImportIn imports one order in a transaction of its caller, as Import does. Errors: those for which Import rejects an order; with
// order.ErrNumberTaken comes the order that has the number.
func (o *Service) ImportIn(ctx context.Context, tx ports.Tx, by tenant.Principal, input map[string]any) (ImportedOrder, error) {
	if err := access.RequireOperator(by, tenant.ImportOrders); err != nil {
		return ImportedOrder{}, err
	}
	in, err := o.readImport(by, input)
	if err != nil {
		return ImportedOrder{}, err
	}
	return o.importInTransaction(ctx, tx, by, in, fingerprint(input))
}

// readImport reads an order. Errors: fault.ErrValidation.
func (o *Service) readImport(by tenant.Principal, input map[string]any) (collection.Record, error) {
	if err := checkCurrency(input); err != nil {
		return nil, err
	}
	return collection.InputParser{
		Schema: order.ImportSchema, Currency: by.Tenant.Currency, NewID: o.NewID, Now: o.Now(),
	}.Merge(nil, input)
}

// importOne imports an order. created is false for an order that exists already, unchanged.
func (o *Service) importOne(ctx context.Context, by tenant.Principal, row any) (created bool, err error) {
	input, isObject := row.(map[string]any)
	if !isObject {
		return false, fault.ErrMalformed.WithMessage("An order must be an object.")
	}
	in, err := o.readImport(by, input)
	if err != nil {
		return false, err
	}
	content := fingerprint(input)
	for range 2 { // the second time finds what another call imported meanwhile
		err = o.Store.Atomically(ctx, ports.ForPrincipal(by), func(ctx context.Context, tx ports.Tx) error {
			done, err := o.importInTransaction(ctx, tx, by, in, content)
			created = done.Created
			return err
		})
		if !errors.Is(err, ports.ErrDuplicate) {
			return created, err
		}
	}
	return false, order.ErrNumberTaken.WithCause(err)
}

func (o *Service) importInTransaction(
	ctx context.Context, tx ports.Tx, by tenant.Principal, in collection.Record, content string,
) (done ImportedOrder, err error) {
	there, err := tx.Records.Find(ctx, collection.Query{
		Schema: order.Schema, Environment: string(by.Environment), Limit: 1, Page: 1, SkipCount: true,
		Where: order.Schema.Where("orderNumber", collection.Equals, in.Text("orderNumber")),
	})
	if err != nil {
		return done, err
	}
	if len(there.Docs) > 0 {
		done.There = there.Docs[0]
		done.ID = done.There.ID()
		if done.There.Text("importHash") != content {
			return done, order.ErrNumberTaken
		}
		return done, nil
	}
	variants, err := o.referencedVariants(ctx, tx, in)
	if err != nil {
		return done, err
	}
	now := o.Now()
	made, work, err := order.Import(in, order.ImportContext{
		Tenant: by.Tenant.ID, Environment: by.Environment, Currency: by.Tenant.Currency, Country: by.Tenant.Country, Variants: variants, Now: now,
		NewID: o.NewID,
	})
	if err != nil {
		return done, err
	}
	made.ImportHash = content
	changes := []collection.Change{collection.NewChange(order.Schema, nil, made.Record(), o.NewID(), now)}
	for _, f := range work {
		changes = append(changes, collection.NewChange(order.FulfillmentOrders, nil, f.Record(), o.NewID(), now))
	}
	return ImportedOrder{ID: made.ID, Created: true, Wrote: true}, tx.Records.Write(ctx, changes...)
}

// referencedVariants reads the variants that lines name, and checks that the customer exists. Errors:
// fault.ErrValidation, identity.ErrErased.
func (o *Service) referencedVariants(ctx context.Context, tx ports.Tx, in collection.Record) (map[string]collection.Record, error) {
	if id := in.Text("customer"); id != "" {
		customer, err := tx.Records.Get(ctx, identity.Customers, id)
		switch {
		case errors.Is(err, ports.ErrNotFound):
			return nil, fault.Invalidf("customer", "This record does not exist.")
		case err != nil:
			return nil, err
		case identity.IsErased(customer):
			return nil, identity.ErrErased
		}
	}
	var ids []string
	for _, l := range in.Rows("lines") {
		if id := l.Text("variant"); id != "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return tx.Records.GetMany(ctx, catalog.Variants, ids, nil)
}

// checkCurrency refuses an unknown currency before any amount is read in the tenant's. Errors: fault.ErrValidation.
func checkCurrency(input map[string]any) error {
	code, given := input["currency"].(string)
	if given && code != "" && !money.Currency(strings.ToUpper(code)).Valid() {
		return fault.Invalidf("currency", "This field takes an ISO 4217 code.")
	}
	return nil
}

// fingerprint identifies the content of an order; the notation of numbers and null members make no difference.
func fingerprint(input map[string]any) string {
	sum := sha256.Sum256(collection.AppendJSONValue(nil, normalized(input)))
	return hex.EncodeToString(sum[:])
}

func normalized(t collection.JSONValue) collection.JSONValue {
	switch t := t.(type) {
	case map[string]any:
		out := maps.Clone(t)
		for name, v := range out {
			out[name] = normalized(v)
		}
		maps.DeleteFunc(out, func(_ string, v any) bool { return v == nil })
		return out
	case []any:
		out := slices.Clone(t)
		for i, v := range out {
			out[i] = normalized(v)
		}
		return out
	case collection.JSONNumber:
		if d, err := money.ParseDecimal(string(t)); err == nil {
			return collection.JSONNumber(d.String())
		}
	}
	return t
}
