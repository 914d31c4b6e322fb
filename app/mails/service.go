package mails

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hooks show of deliveries whether they can be sent again.
func Hooks() records.Hooks {
	return records.Hooks{Decorate: func(_ context.Context, _ tenant.Principal, stored []collection.Record) ([]collection.Record, error) {
		shown := make([]collection.Record, len(stored))
		for i, r := range stored {
			shown[i] = mail.Shown(r)
		}
		return shown, nil
	}}
}

// Service is what a shop's people do with mails. Rules mail-10, mail-19.
type Service struct {
	Store         ports.Store
	Idempotency   *idempotency.Runner
	Texts         *mailtexts.Service
	Routes        Routes
	From          string             // sender of the mails that leave the server; "" for none
	Page          string             // path of the page that shows mails which do not leave a development server; "" for none
	Down          func() bool        // reports whether the mail server could not be reached lately; nil: never
	Asked         *background.Signal // of mails
	AskedMessages *background.Signal
	Now           func() time.Time
	NewID         func() string
}

// Status is what becomes of the mails of an environment, and of its messages to telephones.
type Status struct {
	Mails, Messages Backlog

	Sends bool   // mails leave the server
	From  string // sender of those; "" for none
	Page  string // path of the page that shows those that do not; "" for none
	Down  bool   // the mail server could not be reached lately
}

// Backlog is what was not sent by one channel.
type Backlog struct {
	Waiting int64 // that are queued
	Failed  int64 // that were given up within the last week
}

// week is how long a mail that failed is told of.
const week = 7 * 24 * time.Hour

// Show is what becomes of the mails of p's environment. Errors: those of access.Allowed.
func (s *Service) Show(ctx context.Context, p tenant.Principal) (Status, error) {
	if _, err := access.Allowed(p, mail.Deliveries, collection.Read); err != nil {
		return Status{}, err
	}
	out := Status{Page: s.Page}
	if out.Sends = p.Environment == tenant.Live && s.From != ""; out.Sends {
		out.From, out.Page, out.Down = s.From, "", s.Down != nil && s.Down()
	}
	var err error
	if out.Mails, err = s.backlog(ctx, p, mail.ByMail); err != nil {
		return Status{}, err
	}
	out.Messages, err = s.backlog(ctx, p, mail.ByMessage)
	return out, err
}

func (s *Service) backlog(ctx context.Context, p tenant.Principal, by mail.Channel) (b Backlog, err error) {
	r := s.Store.Read(ports.ForPrincipal(p))
	if b.Waiting, err = countWaiting(ctx, r, by, p.Environment); err != nil {
		return b, err
	}
	since := collection.TruncateTime(s.Now().Add(-week))
	b.Failed, err = countOn(ctx, r, by, p.Environment,
		mail.Deliveries.Where("status", collection.Equals, string(mail.Failed)), mail.Deliveries.Where("createdAt", collection.GreaterThan, since))
	return b, err
}

// Resend has a mail or message sent again, to the address or number that the record has now. It responds with {message, delivery}. Errors:
// those of mail.Delivery.CheckAgain, ports.ErrNotFound, those of access.RequireOperator and of idempotency.
func (s *Service) Resend(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if err := access.RequireOperator(c.Principal, tenant.ResendMails); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := s.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = s.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
			after, err := s.queueAgain(ctx, tx, c.Principal, id)
			if err != nil {
				return err
			}
			members := []reply.Member{{Name: "message", Value: "Mail queued."}, {Name: "delivery", Schema: mail.Deliveries, Record: after}}
			receipt = c.Receipt(ports.ReceiptOK, reply.Of(collection.Staff, members...), nil, s.Now(), s.Now().Add(idempotency.Retention))
			return claim.Save(ctx, tx, receipt)
		})
		return receipt, err
	}, id)
	if err == nil { // one of them looks in vain
		s.Asked.Send()
		s.AskedMessages.Send()
	}
	return answer, err
}

// queueAgain stores a delivery that is to be sent again. Errors: those of mail.Delivery.CheckAgain and recipientNow, ports.ErrNotFound.
func (s *Service) queueAgain(ctx context.Context, tx ports.Tx, p tenant.Principal, id string) (collection.Record, error) {
	before, err := tx.Records.Lock(ctx, mail.Deliveries, id)
	if err == nil && before.Text("environment") != string(p.Environment) {
		err = ports.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	d := mail.DeliveryFrom(before)
	ended := d.Ended()
	if d, err = d.Again(collection.TruncateTime(s.Now())); err != nil {
		return nil, err
	}
	if ended {
		if d.Recipient, err = recipientNow(ctx, tx.Records, d); err != nil {
			return nil, err
		}
	}
	change := collection.NewChange(mail.Deliveries, before, d.Record(), s.NewID(), s.Now())
	return mail.Shown(change.After), tx.Records.Write(ctx, change)
}

// recipientNow is the address or number that the record of a delivery has now. Errors: mail.ErrCauseGone where what it tells is not so any more.
func recipientNow(ctx context.Context, r ports.Reader, d mail.Delivery) (string, error) {
	about, err := find(ctx, r, d.Collection, d.Subject)
	if err != nil && !gone(err) {
		return "", err
	}
	to := about.recipient(d.Channel)
	if err != nil || to == "" || !about.holds(d) {
		return "", mail.ErrCauseGone
	}
	return to, nil
}
