package ordering

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxImport is how many orders one call imports at most.
const MaxImport = 500

// Imported is what became of the orders of an import.
type Imported struct {
	Created, Unchanged int64
	Rejected           []Rejected
}

// Rejected is an order that was not imported, by its place from 0, and why.
type Rejected struct {
	Index   int
	Message string
}

// Import takes whole orders of another system in, into the environment of the key. Orders are named by their numbers: one that
// is there with the same content is unchanged, whatever became of it here since; with other content, or placed here, it is
// rejected and stays. Each order is imported by itself, whole or not at all: what is wrong with one keeps no other one out.
//
// Decisions: an import takes no stock and counts no discount uses, since the other system did. What that system has not sent
// is sent from here: orders up to preparing open work over all of their lines, orders from shipped on have none. They have no
// return policy, as legacy orders. Their money came elsewhere: it is in the books from when some of it goes back, and then
// with what went back before. Only an id ties an order to a customer, since anybody may register under an email.
//
// Errors: those of access.Operator, fault.ErrValidation for more orders than MaxImport, and those of a database that fails:
// then some orders may be in, and the same import again finds them unchanged.
func (o *Ordering) Import(ctx context.Context, c once.Call, rows []any) (Imported, error) {
	var done Imported
	if err := access.Operator(c.Principal); err != nil {
		return done, err
	}
	if len(rows) > MaxImport {
		return done, fault.Invalidf("orders", "One import takes at most %d orders.", MaxImport)
	}
	for i, row := range rows {
		created, err := o.importOne(ctx, c.Principal, row)
		var refused *fault.Error
		switch {
		case errors.As(err, &refused) && (refused.Kind == fault.Invalid || refused.Kind == fault.Conflict):
			done.Rejected = append(done.Rejected, Rejected{i, telling(refused)})
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

// telling is a refusal in one text.
func telling(e *fault.Error) string {
	if len(e.Fields) == 0 {
		return e.Message
	}
	parts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		parts[i] = f.Field + ": " + f.Message
	}
	return e.Saying("%s", strings.Join(parts, " ")).Message // which is not longer than messages are
}

// importOne imports an order. created is false for one that is there already, unchanged.
func (o *Ordering) importOne(ctx context.Context, by tenant.Principal, row any) (created bool, err error) {
	input, isObject := row.(map[string]any)
	if !isObject {
		return false, fault.ErrMalformed.Saying("An order is an object.")
	}
	if err := currencyOf(input); err != nil {
		return false, err
	}
	in, err := collection.Writer{Schema: order.Incoming, Currency: by.Tenant.Currency, NewID: o.NewID, Now: o.Now()}.Accept(nil, input)
	if err != nil {
		return false, err
	}
	content := fingerprint(input)
	for range 2 { // the second time finds what another call imported meanwhile
		err = o.Store.Atomically(ctx, ports.For(by), func(ctx context.Context, tx ports.Tx) error {
			var err error
			created, err = o.importWithin(ctx, tx, by, in, content)
			return err
		})
		if !errors.Is(err, ports.ErrDuplicate) {
			return created, err
		}
	}
	return false, order.ErrImported.Because(err)
}

func (o *Ordering) importWithin(ctx context.Context, tx ports.Tx, by tenant.Principal, in collection.Record, content string) (created bool, err error) {
	there, err := tx.Records.Find(ctx, collection.Query{
		Schema: order.Schema, Environment: string(by.Environment), Limit: 1, Page: 1, Uncounted: true,
		Where: order.Schema.Where("orderNumber", collection.Equals, in.Text("orderNumber")),
	})
	if err != nil {
		return false, err
	}
	if len(there.Docs) > 0 {
		if there.Docs[0].Text("importHash") != content {
			return false, order.ErrImported
		}
		return false, nil
	}
	variants, err := o.known(ctx, tx, in)
	if err != nil {
		return false, err
	}
	now := o.Now()
	made, work, err := order.Import(in, order.Arrival{
		Tenant: by.Tenant.ID, Environment: by.Environment, Currency: by.Tenant.Currency, Variants: variants, Now: now, NewID: o.NewID,
	})
	if err != nil {
		return false, err
	}
	made.ImportHash = content
	changes := []collection.Change{collection.NewChange(order.Schema, nil, made.Record(), o.NewID(), now)}
	for _, f := range work {
		changes = append(changes, collection.NewChange(order.FulfillmentOrders, nil, f.Record(), o.NewID(), now))
	}
	return true, tx.Records.Write(ctx, changes...)
}

// known reads the variants that lines name, and looks whether the customer exists. Errors: fault.ErrValidation.
func (o *Ordering) known(ctx context.Context, tx ports.Tx, in collection.Record) (map[string]collection.Record, error) {
	if id := in.Text("customer"); id != "" {
		if _, err := tx.Records.Get(ctx, identity.Customers, id); errors.Is(err, ports.ErrAbsent) {
			return nil, fault.Invalidf("customer", "This record does not exist.")
		} else if err != nil {
			return nil, err
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
	return tx.Records.GetMany(ctx, catalog.Variants, ids)
}

// currencyOf refuses a currency that there is none of before any amount is read as one of the shop's. Errors:
// fault.ErrValidation.
func currencyOf(input map[string]any) error {
	code, told := input["currency"].(string)
	if told && code != "" && !money.Currency(strings.ToUpper(code)).Valid() {
		return fault.Invalidf("currency", "This field takes an ISO 4217 code.")
	}
	return nil
}

// fingerprint tells the content of an order from any other: how numbers are written, and members that are null, make no
// difference.
func fingerprint(input map[string]any) string {
	sum := sha256.Sum256(collection.AppendTree(nil, plain(input)))
	return hex.EncodeToString(sum[:])
}

func plain(t collection.Tree) collection.Tree {
	switch t := t.(type) {
	case map[string]any:
		out := maps.Clone(t)
		for name, v := range out {
			out[name] = plain(v)
		}
		maps.DeleteFunc(out, func(_ string, v any) bool { return v == nil })
		return out
	case []any:
		out := slices.Clone(t)
		for i, v := range out {
			out[i] = plain(v)
		}
		return out
	case collection.Numeral:
		if d, err := money.ParseDecimal(string(t)); err == nil {
			return collection.Numeral(d.String())
		}
	}
	return t
}
