package orders

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// Corrector corrects what an order says of its buyer, or shows what a correction would do. Rule orders-24.
type Corrector struct {
	Store       ports.Store
	Records     *records.Service
	Idempotency *idempotency.Runner
	Now         func() time.Time
}

// Correction is what of an order is corrected.
type Correction struct {
	Fields  map[string]any // by CorrectableFields, and the revision that they are based on, as an update of the order takes them
	Preview bool           // tell what it would do, and do nothing
}

// CorrectableFields are the fields of orders that are corrected, as the input of a correction.
var CorrectableFields = []collection.Field{
	{Name: "email", Kind: collection.Email, Doc: "The buyer's email."},
	address.Group(collection.Field{
		Name: "shippingAddress", Doc: "Where the goods go, until the order is shipped; what is left out of it stays.",
	}),
	{Name: "notes", Kind: collection.Textarea, Doc: "The buyer's notes; null for none."},
}

// CorrectionFields declares what an answer tells of a correction, beside the order.
var CorrectionFields = append([]collection.Field{{
	Name: "changes", Kind: collection.Texts, Required: true,
	Doc: "Which of email, shippingAddress and notes become others; none if all are as asked already.",
}}, CorrectableFields...)

// Correct corrects an order and answers {order, correction}. A preview answers what it would do, with the order as it is. Those
// correct who may update orders. Errors: those of records.Service.CheckAccess and of idempotency, ports.ErrNotFound,
// fault.ErrValidation, order.ErrAddressFixed, collection.ErrChangedMeanwhile.
func (o *Corrector) Correct(ctx context.Context, c idempotency.Call, id string, in Correction) (answer idempotency.Response, err error) {
	if err := o.Records.CheckAccess(c.Principal, order.Schema, collection.Read, collection.Update); err != nil {
		return answer, err
	}
	if in.Preview {
		err = o.inTransaction(ctx, c, id, in, func(_ ports.Tx, before, after collection.Record) error {
			answer = preview.Found(c, before, correctionMembers(before, before, after)...)
			return nil
		})
		return answer, err
	}
	answer, _, err = o.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = o.inTransaction(ctx, c, id, in, func(tx ports.Tx, before, after collection.Record) error {
			now := o.Now()
			receipt = c.Receipt(ports.ReceiptOK, c.Body(correctionMembers(after, before, after)...), nil, now, now.Add(idempotency.Retention))
			receipt.About(after)
			return claim.Save(ctx, tx, receipt)
		})
		return receipt, err
	}, id)
	return answer, err
}

// inTransaction corrects the order, and calls then with what it was and is.
func (o *Corrector) inTransaction(
	ctx context.Context, c idempotency.Call, id string, in Correction, then func(tx ports.Tx, before, after collection.Record) error,
) error {
	s := o.Records.Registry.Get(order.Schema.Slug)
	update, err := o.Records.NewUpdate(ctx, idempotency.Call{Principal: c.Principal}, s, id, in.Fields)
	if err != nil {
		return err
	}
	transact := o.Store.Atomically
	if in.Preview { // what has to be written in order to find out is taken back
		transact = preview.TakenBack(o.Store)
	}
	err = transact(ctx, o.Records.Scope(c.Principal, s), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, s, id)
		if err == nil && before.Text("environment") != string(c.Principal.Environment) {
			err = ports.ErrNotFound
		}
		if err != nil {
			return err
		}
		if _, _, err := update.Store(ctx, tx); err != nil {
			return err
		}
		after, err := tx.Records.Get(ctx, s, id)
		if err != nil {
			return err
		}
		return then(tx, before, after)
	})
	if err == nil {
		update.Committed()
	}
	return err
}

// correctionMembers are the members of an answer that shows an order, after a correction from before to after.
func correctionMembers(shown, before, after collection.Record) []reply.Member {
	correction, changes := collection.Record{}, []string{}
	for _, f := range CorrectableFields {
		if correction[f.Name] = after[f.Name]; !collection.Equal(before[f.Name], after[f.Name]) {
			changes = append(changes, f.Name)
		}
	}
	correction["changes"] = changes
	return []reply.Member{
		{Name: "order", Schema: order.Schema, Record: shown}, {Name: "correction", Fields: CorrectionFields, Record: correction},
	}
}
