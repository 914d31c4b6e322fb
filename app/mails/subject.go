package mails

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/ports"
)

// subjects are the collections that mails are about, by slug, with the field that leads from a record to the order or checkout
// whose buyer gets the mail; "": the record itself has the address.
var subjects = map[string]struct {
	schema *collection.Schema
	by     string
}{
	order.Schema.Slug:         {order.Schema, "id"},
	order.Fulfillments.Slug:   {order.Fulfillments, "order"},
	returns.Schema.Slug:       {returns.Schema, "order"},
	payment.Transactions.Slug: {payment.Transactions, "order"},
	payment.Sessions.Slug:     {payment.Sessions, ""},
	team.Notifications.Slug:   {team.Notifications, ""},
	identity.Customers.Slug:   {identity.Customers, ""},
	identity.Users.Slug:       {identity.Users, ""},
	identity.Invitations.Slug: {identity.Invitations, ""},
}

// subject is what a mail is about, as it is now.
type subject struct {
	record   collection.Record
	order    collection.Record // of a buyer; nil for none
	checkout collection.Record // of a payment that waits; nil for none
	user     collection.Record // of the team, whom a notification is for; nil for none, or who left the shop
}

// find reads the record of a collection, and the order or checkout that it leads to. Errors: ports.ErrNotFound.
func find(ctx context.Context, r ports.Reader, slug, id string) (s subject, err error) {
	of, known := subjects[slug]
	if !known {
		return s, ports.ErrNotFound
	}
	if s.record, err = r.Get(ctx, of.schema, id); err != nil {
		return s, err
	}
	switch {
	case of.schema == team.Notifications:
		users, err := r.GetMany(ctx, identity.Users, []string{s.record.Text("recipient")}, nil)
		s.user = users[s.record.Text("recipient")]
		return s, err
	case of.schema == payment.Sessions:
		s.checkout, err = r.Get(ctx, checkout.Schema, s.record.Text("checkout"))
	case of.schema == order.Schema:
		s.order = s.record
	case of.by != "":
		s.order, err = r.Get(ctx, order.Schema, s.record.Text(of.by))
	}
	return s, err
}

// address is who gets a mail about s, and the language that the record asks for; "" for none.
func (s subject) address() (recipient, locale string) {
	from := s.record
	switch {
	case s.order != nil:
		from = s.order
	case s.checkout != nil:
		from = s.checkout
	}
	recipient = from.Text("email")
	if s.record.Text("mailTo") != "" { // a notification: its reader has the address, and only as long as they are of the team
		recipient = s.user.Text("email")
	}
	if collection.IsErasedEmail(recipient) {
		recipient = ""
	}
	return recipient, from.Text("locale")
}

// holds reports whether what a mail tells of s is still so: nobody is sent to a bank for what was paid, told of a parcel of an order
// that is gone or of none, invited after the invitation was revoked, or told what happens in a shop that they left. A test mail goes to the user
// who wanted it, at the address that they had.
func (s subject) holds(d mail.Delivery) bool {
	if d.Test {
		return s.record.Text("email") == d.Recipient
	}
	told := s.order
	if d.Kind == mail.PaymentWaiting {
		told = s.checkout
	}
	if d.Kind.IsOfOrder() && told == nil {
		return false
	}
	switch d.Kind {
	case mail.PaymentWaiting:
		return payment.SessionFrom(s.record).AwaitsDeposit()
	case mail.Invitation:
		return s.record.Time("revokedAt").IsZero() && s.record.Time("acceptedAt").IsZero()
	case mail.EmailVerification:
		return !s.record.Bool("isVerified")
	case mail.Notice:
		return s.user != nil
	case mail.OrderPlaced, mail.PaymentReceived, mail.OrderShipped, mail.OrderCanceled, mail.RefundMade, mail.ReturnRequested, mail.ReturnApproved,
		mail.ReturnRejected, mail.ReturnReceived, mail.PasswordReset:
	}
	return true
}

// gone reports whether err says that a record is not there any more.
func gone(err error) bool { return errors.Is(err, ports.ErrNotFound) }
