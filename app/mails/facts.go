package mails

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// facts are what a mail tells, or why there is nothing to tell.
func (c *Composer) facts(
	ctx context.Context, r ports.Reader, d mail.Delivery, about subject, own collection.Record, locale string,
) (f mail.Facts, why mail.Reason, err error) {
	switch d.Kind {
	case mail.Notice:
		f, err = c.noticeFacts(ctx, r, d, about, locale)
	case mail.Invitation, mail.PasswordReset, mail.EmailVerification:
		return c.tokenFacts(ctx, d, about, own)
	case mail.PaymentWaiting:
		f = mail.OfCheckout(checkout.FromRecord(about.checkout))
		if i := payment.SessionFrom(about.record).Instructions; i != nil {
			f = mail.Paying(f, *i)
		}
	case mail.OrderShipped:
		f, err = parcelFacts(ctx, r, about)
	case mail.OrderCanceled:
		f, err = cancelFacts(ctx, r, order.FromRecord(about.order))
	case mail.RefundMade:
		f = mail.OfOrder(order.FromRecord(about.order))
		if amount, ok := about.record.Money("amount"); ok {
			f["refundAmount"] = amount
		}
	case mail.ReturnRequested, mail.ReturnApproved, mail.ReturnRejected, mail.ReturnReceived:
		f, err = returnFacts(ctx, r, about)
	case mail.OrderPlaced, mail.PaymentReceived:
		f = mail.OfOrder(order.FromRecord(about.order))
	}
	if err == nil && about.order != nil {
		f["orderUrl"] = mailtexts.OrderPage(own, about.order)
	}
	return f, "", err
}

// parcelFacts are the facts of a parcel, beside the other parcels of its order.
func parcelFacts(ctx context.Context, r ports.Reader, about subject) (mail.Facts, error) {
	s := order.Fulfillments
	found, err := ports.FindAll(ctx, r, collection.Query{
		Schema: s, Environment: about.order.Text("environment"), Where: s.Where("order", collection.Equals, about.order.ID()), Sort: s.SortBy("id"),
	})
	if err != nil {
		return nil, err
	}
	parcels := make([]order.Fulfillment, len(found))
	for i, one := range found {
		parcels[i] = order.FulfillmentFrom(one)
	}
	return mail.OfParcel(order.FromRecord(about.order), order.FulfillmentFrom(about.record), parcels), nil
}

// cancelFacts are the facts of an order that was canceled, or of the last cancel of some of its lines that is done, with what
// its own refund gives back: less than what it came to where that was not paid or was given back before.
func cancelFacts(ctx context.Context, r ports.Reader, o order.Order) (mail.Facts, error) {
	cancels := slices.DeleteFunc(slices.Clone(o.LineCancels), func(c order.LineCancel) bool { return !c.Done })
	if o.Status == order.Canceled || len(cancels) == 0 {
		return mail.OfCanceled(o), nil
	}
	last := cancels[len(cancels)-1]
	transactions, err := payments.TransactionsOf(ctx, r, "order", o.ID)
	var refunded money.Money
	for _, p := range payment.RefundablePayments(transactions) {
		for _, of := range p.Refunds {
			if of.Key == last.Key && of.State.CountsAgainstPaid() {
				refunded = of.Amount
			}
		}
	}
	return mail.OfCancel(o, last, refunded), err
}

func returnFacts(ctx context.Context, r ports.Reader, about subject) (mail.Facts, error) {
	profile, err := profileOf(ctx, r)
	if err != nil {
		return nil, err
	}
	to := address.From(profile.Group("returnAddress"))
	if to == nil {
		to = address.From(profile.Group("address"))
	}
	return mail.OfReturn(order.FromRecord(about.order), returns.FromRecord(about.record), to), nil
}

// maxQuote is how many characters of a comment a mail has.
const maxQuote = 500

// noticeFacts are the facts of a notification of the team: what happened, to what, and where it is in the console.
func (c *Composer) noticeFacts(ctx context.Context, r ports.Reader, d mail.Delivery, about subject, locale string) (mail.Facts, error) {
	n := about.record
	name, err := nameOf(ctx, r, n.Text("collection"), n.Text("record"))
	if err != nil {
		return nil, err
	}
	if id := n.Text("comment"); id != "" {
		found, err := r.GetMany(ctx, team.Comments, []string{id}, nil)
		if err != nil {
			return nil, err
		}
		if said := []rune(found[id].Text("text")); len(said) > 0 {
			name = strings.TrimSpace(name + "\n" + string(said[:min(len(said), maxQuote)]))
		}
	}
	env := tenant.Live
	if d.Environment == tenant.Test {
		env = tenant.Test
	}
	return mail.Facts{
		"name": about.user.Text("name"), "title": language(locale).Option(team.Notifications.Slug, "kind", n.Text("kind")),
		"text": name, "url": c.PublicURL + "/console/" + string(env) + screens[n.Text("collection")],
	}, nil
}

// screens are where the console has the records that notifications are about, by collection; others are on its first page.
var screens = map[string]string{
	"orders": "/orders", "products": "/products", "product-variants": "/products", "return-requests": "/returns", "customers": "/customers",
	"payment-sessions": "/payments", "disputes": "/disputes", "draft-orders": "/drafts",
}

// nameOf is by what people know a record that a notification is about; "" for nothing.
func nameOf(ctx context.Context, r ports.Reader, slug, id string) (string, error) {
	of := map[string]struct {
		schema *collection.Schema
		field  string
	}{
		order.Schema.Slug: {order.Schema, "orderNumber"}, catalog.Products.Slug: {catalog.Products, "name"},
		catalog.Variants.Slug: {catalog.Variants, "title"}, identity.Customers.Slug: {identity.Customers, "name"},
	}[slug]
	if of.schema == nil || id == "" {
		return "", nil
	}
	found, err := r.GetMany(ctx, of.schema, []string{id}, nil)
	return found[id].Text(of.field), err
}
