package mails

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of test mails. Rule mail-35.
var (
	ErrNoMailServer = fault.New(fault.Conflict, "mail_server_missing", "This server has no mail server: see how the mail looks in its preview.")
	ErrTooManyWait  = fault.New(fault.Conflict, "mail_queue_full", "Too many mails of this shop wait. Try again when some of them are sent.")
)

// SendTest mails what a preview shows to the user who is logged in and to nobody else, by the same queue and limits as other mails, as
// a mail about live data: they see what their readers will. It responds with {message, delivery}. Errors: ErrNoMailServer,
// ErrTooManyWait, access.ErrNotMember for who is no user of the shop, those of access.Allowed, Preview and idempotency.
func (s *Service) SendTest(ctx context.Context, c idempotency.Call, in mailtexts.Preview) (idempotency.Response, error) {
	if _, err := access.Allowed(c.Principal, mail.Templates, collection.Update); err != nil {
		return idempotency.Response{}, err
	}
	if s.Routes.Live == nil {
		return idempotency.Response{}, ErrNoMailServer
	}
	shown, err := s.Texts.Preview(ctx, c.Principal, in)
	if err != nil {
		return idempotency.Response{}, err
	}
	in.Locale = shown.Locale
	answer, _, err := s.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = s.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
			queued, err := s.queueTest(ctx, tx, c.Principal, in)
			if err != nil {
				return err
			}
			members := []reply.Member{{Name: "message", Value: "Mail queued."}, {Name: "delivery", Schema: mail.Deliveries, Record: queued}}
			receipt = c.Receipt(ports.ReceiptOK, reply.Of(collection.Staff, members...), nil, s.Now(), s.Now().Add(idempotency.Retention))
			return claim.Save(ctx, tx, receipt)
		})
		return receipt, err
	})
	if err == nil {
		s.Asked.Send()
	}
	return answer, err
}

// queueTest stores the delivery of a test mail to p.
func (s *Service) queueTest(ctx context.Context, tx ports.Tx, p tenant.Principal, in mailtexts.Preview) (collection.Record, error) {
	found, err := tx.Records.GetMany(ctx, identity.Users, []string{p.ID}, nil)
	if err != nil {
		return nil, err
	}
	to := found[p.ID].Text("email")
	if to == "" {
		return nil, access.ErrNotMember
	}
	waiting, err := countWaiting(ctx, tx.Records, tenant.Live)
	if err != nil {
		return nil, err
	}
	if waiting >= mail.MaxQueued {
		return nil, ErrTooManyWait
	}
	now := collection.TruncateTime(s.Now())
	d := mail.Delivery{
		ID: s.NewID(), Tenant: p.Tenant.ID, Environment: tenant.Live, Kind: in.Kind, Event: s.NewID(), Collection: identity.Users.Slug, Subject: p.ID,
		Recipient: to, Locale: in.Locale, Status: mail.Queued, OccurredAt: now, DueAt: now, Test: true, Draft: &in.Draft,
	}
	change := collection.NewChange(mail.Deliveries, nil, d.Record(), s.NewID(), s.Now())
	return mail.Shown(change.After), tx.Records.Write(ctx, change)
}
