package program

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/smtp"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/mails"
	"github.com/cartwright-dev/cartwright/ports"
)

// mailing is what sends the mails of a server.
type mailing struct {
	routes  mails.Routes
	server  *smtp.Mailer    // nil without a mail server
	mailbox *memory.Mailbox // of a development server; else nil
	asked   *background.Signal
	sender  *mails.Sender
	service *mails.Service
}

// maxMailbox is how many mails a development server remembers.
const maxMailbox = 200

// mails reports whether mails about live data are sent, or shown by a development server. Rule mail-7.
func (c Config) mails() bool { return c.SMTP != "" || c.Mode == Development }

// newMailer is the mailer of the configured mail server.
func (k *platform) newMailer() (*smtp.Mailer, error) {
	return smtp.New(smtp.Options{URL: k.config.SMTP, From: k.config.MailFrom, Log: k.log, Now: k.now})
}

// openMails builds what sends mails: by the mail server, where one is configured, and otherwise, and all that is about test data, into
// the mailbox of a development server.
func (s *Server) openMails() (err error) {
	m := &mailing{asked: &background.Signal{}}
	if s.config.Mode == Development {
		m.mailbox = memory.NewMailbox(maxMailbox, s.now)
		m.routes = mails.Routes{Live: m.mailbox, Test: m.mailbox}
	}
	if s.config.SMTP != "" {
		if m.server, err = s.newMailer(); err != nil {
			return err
		}
		m.routes.Live = m.server
	}
	die, err := failpoint(s.config.Failpoint)
	if err != nil {
		return err
	}
	m.sender = &mails.Sender{
		Composer: mails.Composer{Store: s.invalidatingStore, Vault: s.vault, Now: s.now, PublicURL: s.BaseURL},
		Queue:    s.store.MailQueue(), Routes: m.routes, PerHour: s.config.MailPerHour, NewID: newID, Jitter: rand.Float64, Log: s.log,
		Task: s.background.Task("mails"), Asked: m.asked,
	}
	if die != nil {
		m.sender.Sent = func() { die("mail.sent") }
	}
	m.service = &mails.Service{
		Store: s.invalidatingStore, Idempotency: s.idempotency, Routes: m.routes, Asked: m.asked, Now: s.now, NewID: newID,
	}
	if m.mailbox != nil {
		m.service.Page = rest.MailboxPath
	}
	if m.server != nil {
		from, _ := smtp.ParseFrom(s.config.MailFrom) // it was checked
		m.service.From, m.service.Down = from.Address, func() bool { return m.server.Circuit().State != ports.CircuitClosed }
	}
	s.mailing = m
	return nil
}

// newMailPlanner builds what decides about mails by what happens in all shops.
func (s *Server) newMailPlanner() *mails.Planner {
	return &mails.Planner{
		Store: s.invalidatingStore, Events: s.store.EventLog(), Places: s.store.MailPlaces(), Vault: s.vault, Routes: s.mailing.routes, Now: s.now,
		NewID: newID, Log: s.log, Task: s.background.Task("mail plans"), Numbered: s.store.EventsNumbered().Listen(),
		Planned: s.mailing.asked.Send,
	}
}

// forgetMails deletes deliveries of mails that ended long ago.
func (s *Server) forgetMails() func(context.Context) (more bool) {
	f := &mails.Forgetter{Store: s.invalidatingStore, Now: s.now, NewID: newID, Task: s.background.Task("old mails")}
	return func(ctx context.Context) (more bool) {
		more, err := f.RunRound(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("old deliveries of mails could not be deleted; will retry", "error", err)
		}
		return more
	}
}

// mailboxPage shows what a development server would have sent.
func (s *Server) mailboxPage() rest.MailboxPage {
	if s.mailing.mailbox == nil {
		return rest.MailboxPage{}
	}
	return rest.MailboxPage{Newest: func() []rest.MailboxMail {
		kept := s.mailing.mailbox.NewestFirst()
		all := make([]rest.MailboxMail, len(kept))
		for i, m := range kept {
			all[i] = rest.MailboxMail{
				ID: m.ID, At: m.At, From: m.FromName, To: m.To, ReplyTo: m.ReplyTo, Locale: m.Locale, Subject: m.Subject, Text: m.Text, HTML: m.HTML,
			}
		}
		return all
	}}
}

// describeMails says what becomes of mails, for the start and the doctor.
func (c Config) describeMails() string {
	at, err := url.Parse(c.SMTP)
	switch {
	case c.SMTP != "" && err == nil:
		return "by " + at.Host + " from " + c.MailFrom
	case c.Mode == Development:
		return "not sent: set CARTWRIGHT_SMTP_URL to send them; this server shows them at " + rest.MailboxPath
	}
	return "not sent: set CARTWRIGHT_SMTP_URL and CARTWRIGHT_MAIL_FROM; shops mail by what their webhook endpoints are told"
}

// checkMails reports whether the mail server can be reached, and takes the user and password.
func (k *core) checkMails(ctx context.Context, found *findings) {
	if k.config.SMTP == "" {
		if k.config.Mode == Production {
			found.warn("mails", k.config.describeMails())
			return
		}
		found.record("mails", nil, k.config.describeMails())
		return
	}
	m, err := k.newMailer()
	if err == nil {
		err = m.Check(ctx)
	}
	if err != nil {
		err = fmt.Errorf("CARTWRIGHT_SMTP_URL: %w", err)
	}
	found.record("mails", err, k.config.describeMails())
}
