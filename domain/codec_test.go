package domain_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// A codec turns values of T into records of fields, and back.
type codec[T any] struct {
	fields []collection.Field
	record func(T) collection.Record
	read   func(collection.Record) T
	adapt  func(*T) // clears what is not stored, and makes the value a valid one
	null   []string // paths of fields that the adapted value has nothing for
}

// Every field of a type is written and read back, and every field of its schema is written.
func TestCodecsOfSalesCoverTheirSchemas(t *testing.T) {
	t.Parallel()
	codec[sale.Line]{fields: sale.LineFields, record: sale.Line.Record, read: sale.LineFrom}.check(t, "line")
	codec[cart.Cart]{
		fields: cart.Schema.Fields, record: cart.Cart.Record, read: func(r collection.Record) cart.Cart {
			c, err := cart.FromRecord(r)
			if err != nil {
				t.Error(err)
			}
			return c
		},
		adapt: func(c *cart.Cart) {
			c.Totals.Shipping = nil
			for i := range c.Lines {
				c.Lines[i].Terms = nil // of drafts alone
			}
		}, null: []string{"totals.shipping"},
	}.check(t, "cart")
	codec[checkout.Checkout]{
		fields: checkout.Schema.Fields, record: checkout.Checkout.Record, read: checkout.FromRecord,
		adapt: func(c *checkout.Checkout) { c.Status = checkout.Open }, null: []string{"discountCodes.reason"}, // all its codes apply
	}.check(t, "checkout")
	codec[order.Order]{
		fields: order.Schema.Fields, record: order.Order.Record, read: order.FromRecord,
		adapt: func(o *order.Order) {
			for i := range o.Lines {
				o.Lines[i].CompareAt = money.Money{}
			}
		}, null: []string{"discountCodes.reason"},
	}.check(t, "order")
}

func TestCodecsOfWorkAndMoneyCoverTheirSchemas(t *testing.T) {
	t.Parallel()
	codec[order.FulfillmentOrder]{
		fields: order.FulfillmentOrders.Fields, record: order.FulfillmentOrder.Record, read: order.FulfillmentOrderFrom,
	}.check(t,
		"fulfillment order")
	codec[order.CarrierBatch]{
		fields: order.CarrierBatches.Fields, record: order.CarrierBatch.Record, read: order.CarrierBatchFrom,
	}.check(t, "carrier batch")
	codec[order.Fulfillment]{fields: order.Fulfillments.Fields, record: order.Fulfillment.Record, read: order.FulfillmentFrom}.check(t,
		"fulfillment")
	codec[payment.Session]{
		fields: payment.Sessions.Fields, record: payment.Session.Record, read: payment.SessionFrom,
		adapt: func(s *payment.Session) { s.Kind = payment.Custom }, null: []string{"suggestedAction", "unsettledCart"}, // it is resolved
	}.check(t, "payment session")
	codec[payment.Refund]{
		fields: payment.Transactions.Fields, record: payment.Refund.Record, read: payment.RefundFrom,
		null: []string{
			"method", "receiptUrl", "cashReceipt", "escrow", "authorizedAmount", "captureKey", "captureBegunAt", "cause", "reversalOf",
			"reversalNumber", "providerReversalId",
		}, // of payments and reversals
	}.check(t, "refund")
	codec[payment.Reversal]{
		fields: payment.Transactions.Fields, record: payment.Reversal.Record, read: payment.ReversalFrom,
		null: []string{
			"method", "receiptUrl", "cashReceipt", "escrow", "authorizedAmount", "captureKey", "captureBegunAt", "returnRequest", "refundOf", "refundState",
			"remaining",
			"providerRefundId", "refundKey", "cancels", "taxFreeAmount", "remainingTaxFree", "vatAmount",
		}, // of payments and refunds
	}.check(t, "reversal")
	codec[payment.Dispute]{fields: payment.Disputes.Fields, record: payment.Dispute.Record, read: payment.DisputeFrom}.check(t, "dispute")
	codec[returns.Request]{fields: returns.Schema.Fields, record: returns.Request.Record, read: returns.FromRecord}.check(t,
		"return request")
	codec[webhook.Delivery]{
		fields: webhook.Deliveries.Fields, record: webhook.Delivery.Record, read: webhook.DeliveryFrom,
		adapt: func(d *webhook.Delivery) { d.Test = false }, // a test has no place in the log
	}.check(t, "webhook delivery")
}

// A draft is written by its collection and only read here: every field of its lines is one of a sale's line.
func TestDraftReadsEveryFieldOfItsLines(t *testing.T) {
	t.Parallel()
	lines, _ := draft.Schema.Field("lines")
	var want sale.Line
	(&filler{}).fill(reflect.ValueOf(&want).Elem())
	full, row := want.Record(), collection.Record{}
	for _, f := range lines.Fields {
		row[f.Name] = full[f.Name]
	}
	d := draft.FromRecord(collection.Record{"lines": []collection.Record{row}})
	if len(d.Lines) != 1 {
		t.Fatalf("%+v", d)
	}
	for name, v := range d.Lines[0].Record() {
		if _, declared := row[name]; declared && !collection.Equal(v, full[name]) {
			t.Errorf("%s is not read", name)
		}
	}
}

func (c codec[T]) check(t *testing.T, name string) {
	t.Helper()
	var v T
	(&filler{}).fill(reflect.ValueOf(&v).Elem())
	if c.adapt != nil {
		c.adapt(&v)
	}
	r := c.record(v)
	for _, difference := range differences(name, reflect.ValueOf(c.read(r)), reflect.ValueOf(v)) {
		t.Error(difference)
	}
	c.checkFields(t, name, "", c.fields, r)
	for _, envelope := range []string{"id", "tenant", "environment", "createdAt", "updatedAt", "_sequence"} {
		delete(r, envelope)
	}
	checkDeclared(t, name, c.fields, r)
}

// checkFields reports declared fields that r has no value for.
func (c codec[T]) checkFields(t *testing.T, name, at string, fields []collection.Field, r collection.Record) {
	t.Helper()
	for _, f := range fields {
		path := at + f.Name
		if known := slices.Contains(c.null, path); (r[f.Name] == nil) != known {
			t.Errorf("%s: %s is %v", name, path, r[f.Name])
		}
		for _, row := range append(r.Rows(f.Name), r.Group(f.Name)) {
			if row != nil {
				c.checkFields(t, name, path+".", f.Fields, row)
			}
		}
	}
}

// checkDeclared reports members of r that no field declares: they would be stored nowhere.
func checkDeclared(t *testing.T, name string, fields []collection.Field, r collection.Record) {
	t.Helper()
	for member := range r {
		i := slices.IndexFunc(fields, func(f collection.Field) bool { return f.Name == member })
		if i < 0 {
			t.Errorf("%s: no field %s is declared", name, member)
			continue
		}
		for _, row := range append(r.Rows(member), r.Group(member)) {
			checkDeclared(t, name, fields[i].Fields, row)
		}
	}
}

// filler gives every part of a value something of its own, so that none can stand for another. In lists
// booleans are true in the first entry and false in the second.
type filler struct {
	n     int64
	again bool
}

func (f *filler) fill(v reflect.Value) {
	f.n++
	if known := f.value(v.Interface()); known != nil {
		v.Set(reflect.ValueOf(known))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("text ", f.n))
	case reflect.Int, reflect.Int64:
		v.SetInt(f.n)
	case reflect.Bool:
		v.SetBool(!f.again)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		again := f.again
		for i := range 2 {
			f.again = i == 1
			f.fill(v.Index(i))
		}
		f.again = again
	case reflect.Struct:
		for _, field := range v.Fields() {
			f.fill(field)
		}
	default:
		panic("no value for " + v.Type().String())
	}
}

// value is one for the types that not every value of their kind is valid for; nil for the others. An
// interface is undeclared JSON.
func (f *filler) value(zero any) any {
	switch zero.(type) {
	case nil:
		return map[string]any{"name": fmt.Sprint("text ", f.n)}
	case map[string]string:
		return map[string]string{"name": fmt.Sprint("text ", f.n)}
	case money.Money:
		return money.Of(f.n, "KRW")
	case money.Decimal:
		return money.DecimalOf(f.n)
	case money.Currency:
		return money.Currency("KRW")
	case time.Duration:
		return time.Duration(f.n) * time.Millisecond
	case time.Time:
		return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(f.n) * time.Hour)
	}
	return nil
}

// differences lists where two values of one type differ, by field names and indexes.
func differences(at string, got, want reflect.Value) (list []string) {
	switch {
	case reflect.DeepEqual(got.Interface(), want.Interface()):
	case got.Kind() == reflect.Struct && got.Type() != reflect.TypeFor[time.Time]():
		for i := range got.NumField() {
			list = append(list, differences(at+"."+got.Type().Field(i).Name, got.Field(i), want.Field(i))...)
		}
	case got.Kind() == reflect.Slice && got.Len() == want.Len():
		for i := range got.Len() {
			list = append(list, differences(fmt.Sprint(at, "[", i, "]"), got.Index(i), want.Index(i))...)
		}
	default:
		list = append(list, fmt.Sprintf("%s: wrote %+v, read %+v", at, want, got))
	}
	return list
}
