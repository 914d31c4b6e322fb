package shop

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// MailKinds are the kinds of mails that a shop can have the server not send: those of package mail, which is above this one.
var MailKinds = []string{
	"order_placed", "payment_waiting", "payment_received", "order_shipped", "order_canceled", "refund_made", "return_requested",
	"return_approved", "return_rejected", "return_received", "invitation", "password_reset", "email_verification", "notice",
}

// mailsOff is the field with the kinds of mails that the server does not send. Rule mail-18.
var mailsOff = collection.Field{
	Name: "mailsOff", Kind: collection.Selects, Options: MailKinds,
	Doc: "Mails that the server does not send, since the shop sends them by itself or wants none.",
}

// SendsMails reports whether the server sends mails of a kind for the shop with a profile; nil is one that has none.
func SendsMails(profile collection.Record, kind string) bool {
	return !slices.Contains(profile.Texts("mailsOff"), kind)
}
