package mails

import (
	"context"
	"time"

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
	ErrTooManyTests = fault.New(fault.Conflict, "too_many_test_mails", "Too many test mails wait or were sent lately. Try again in an hour.")
)

// Limits of test mails, which are far below those of other mails: they take nobody's room, and fill no mailbox. Two that are wanted at
// the same moment may both be the last one.
const (
	maxTestsWaiting = 20 // of a shop
	maxTestsPerHour = 30 // of a user
)

// SendTest mails what a preview shows to the user who is logged in and to nobody else, by the same queue as other mails, as a mail
// about live data: they see what their readers will. The address is that of the user in the shop, which nobody need have proven. It
// responds with {message, delivery}. Errors: ErrNoMailServer, ErrTooManyTests, access.ErrNotMember for who is no user of the shop,
// those of access.Allowed, Preview and idempotency.
func (s *Service) SendTest(ctx context.Context, c idempotency.Call, in mailtexts.Preview) (idempotency.Response, error) {
	if _, err := access.Allowed(c.Principal, mail.Templates, collection.Update); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := s.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		if s.Routes.Live == nil {
			return receipt, ErrNoMailServer
		}
		shown, err := s.Texts.Preview(ctx, c.Principal, in)
		if err != nil {
			return receipt, err
		}
		in := in
		in.Locale = shown.Locale
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
	if err := s.checkTests(ctx, tx.Records, p.ID); err != nil {
		return nil, err
	}
	now := collection.TruncateTime(s.Now())
	d := mail.Delivery{
		ID: s.NewID(), Channel: mail.ByMail, Tenant: p.Tenant.ID, Environment: tenant.Live, Kind: in.Kind, Event: s.NewID(),
		Collection: identity.Users.Slug, Subject: p.ID,
		Recipient: to, Locale: in.Locale, Status: mail.Queued, OccurredAt: now, DueAt: now, Test: true, Draft: &in.Draft,
	}
	change := collection.NewChange(mail.Deliveries, nil, d.Record(), s.NewID(), s.Now())
	return mail.Shown(change.After), tx.Records.Write(ctx, change)
}

// checkTests refuses another test mail of a user where there are enough. Errors: ErrTooManyTests.
func (s *Service) checkTests(ctx context.Context, r ports.Reader, user string) error {
	for _, limit := range []struct {
		of   collection.Cond
		most int64
	}{{mail.TestsThatWait(), maxTestsWaiting}, {mail.TestsOf(user, s.Now().Add(-time.Hour)), maxTestsPerHour}} {
		page, err := r.Find(ctx, collection.Query{Schema: mail.Deliveries, Environment: string(tenant.Live), Where: limit.of, Limit: 1, Page: 1})
		if err != nil {
			return err
		}
		if page.TotalDocs >= limit.most {
			return ErrTooManyTests
		}
	}
	return nil
}
