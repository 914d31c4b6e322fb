// Package mail declares the mails that a shop's server sends: for which occasions, in whose words, and what they say.
// It renders and sends nothing by itself: times, addresses and facts are arguments.
package mail

import "github.com/cartwright-dev/cartwright/domain/collection"

// Kind is the occasion of a mail.
type Kind string

// The kinds. Those before Invitation go to buyers, those from Invitation on to whoever has or gets a login. All are about something
// that their readers did or asked for, none advertises, so none can be unsubscribed from: the team says in its preferences of which
// notifications it is mailed.
const (
	OrderPlaced       Kind = "order_placed"
	PaymentWaiting    Kind = "payment_waiting" // with how to pay, such as the bank account of a deposit
	PaymentReceived   Kind = "payment_received"
	OrderShipped      Kind = "order_shipped" // once per parcel, with its tracking
	OrderCanceled     Kind = "order_canceled"
	RefundMade        Kind = "refund_made"
	ReturnRequested   Kind = "return_requested"
	ReturnApproved    Kind = "return_approved"
	ReturnRejected    Kind = "return_rejected"
	ReturnReceived    Kind = "return_received"
	Invitation        Kind = "invitation"
	PasswordReset     Kind = "password_reset"
	EmailVerification Kind = "email_verification"
	Notice            Kind = "notice" // of a notification of the team
)

// Kinds are all kinds, as options of a field.
var Kinds = []string{
	string(OrderPlaced), string(PaymentWaiting), string(PaymentReceived), string(OrderShipped), string(OrderCanceled), string(RefundMade),
	string(ReturnRequested), string(ReturnApproved), string(ReturnRejected), string(ReturnReceived), string(Invitation),
	string(PasswordReset), string(EmailVerification), string(Notice),
}

// Facts are what a mail tells, by the names of its kind's variables.
type Facts = collection.Record

// Message is a mail that is ready to be sent. No text but Text and HTML contains a line break.
type Message struct {
	ID          string // of the delivery: a message that is sent again is the same one to mail programs
	FromName    string // of the shop; "": the address alone
	To, ReplyTo string // addresses; ReplyTo may be ""
	Locale      string // language of the texts, a BCP 47 tag
	Subject     string
	Text, HTML  string
}
