package program

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/smtp"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/mails"
	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/domain/mail"
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
	texts   *mailtexts.Service

	messaging *messaging
	messages  *mails.Sender // of the same queue
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
func (s *Server) openMails() error {
	routes, server, mailbox, err := s.mailRoutes()
	if err != nil {
		return err
	}
	die, err := failpoint(s.config.Failpoint)
	if err != nil {
		return err
	}
	sent := func() {}
	if die != nil {
		sent = func() { die("mail.sent") }
	}
	asked, askedMessages := &background.Signal{}, &background.Signal{}
	messaging := s.newMessaging()
	composer := mails.Composer{Store: s.invalidatingStore, Vault: s.vault, Now: s.now, PublicURL: s.BaseURL}
	texts := &mailtexts.Service{Store: s.invalidatingStore, Records: s.records, BaseURL: s.BaseURL, Now: s.now}
	s.mailing = &mailing{
		routes: routes, server: server, mailbox: mailbox, asked: asked, texts: texts, messaging: messaging,
		sender: &mails.Sender{
			Composer: composer, Channel: mail.ByMail, Queue: s.store.MailQueue(), Routes: routes, PerHour: s.config.MailPerHour, NewID: newID,
			Jitter: rand.Float64, Log: s.log, Task: s.background.Task("mails"), Asked: asked, Sent: sent,
		},
		messages: &mails.Sender{
			Composer: composer, Channel: mail.ByMessage, Queue: s.store.MailQueue(), Messengers: messaging.routes, PerHour: s.config.MailPerHour,
			NewID: newID, Jitter: rand.Float64, Log: s.log, Task: s.background.Task("messages"), Asked: askedMessages, Sent: sent,
		},
		service: &mails.Service{
			Store: s.invalidatingStore, Idempotency: s.idempotency, Texts: texts, Routes: routes, From: s.config.mailSender(), Page: mailboxPath(mailbox),
			Down: func() bool { return server != nil && server.Circuit().State != ports.CircuitClosed }, Asked: asked,
			AskedMessages: askedMessages, Now: s.now, NewID: newID,
		},
	}
	return nil
}

// mailRoutes are what takes mails: the mail server, and the mailbox of a development server; nil where there is none.
func (s *Server) mailRoutes() (routes mails.Routes, server *smtp.Mailer, mailbox *memory.Mailbox, err error) {
	if s.config.Mode == Development {
		mailbox = memory.NewMailbox(maxMailbox, s.now)
		routes = mails.Routes{Live: mailbox, Test: mailbox}
	}
	if s.config.SMTP != "" {
		if server, err = s.newMailer(); err == nil {
			routes = mails.Routes{Live: server, Test: routes.Test}
		}
	}
	return routes, server, mailbox, err
}

// mailSender is the address that mails come from; "" where none leaves the server.
func (c Config) mailSender() string {
	from, err := smtp.ParseFrom(c.MailFrom)
	if c.SMTP == "" || err != nil {
		return ""
	}
	return from.Address
}

// mailboxPath is the path of the page of a mailbox; "" without one.
func mailboxPath(b *memory.Mailbox) string {
	if b == nil {
		return ""
	}
	return rest.MailboxPath
}

// newMailPlanner builds what decides about mails by what happens in all shops.
func (s *Server) newMailPlanner() *mails.Planner {
	return &mails.Planner{
		Store: s.invalidatingStore, Events: s.store.EventLog(), Places: s.store.MailPlaces(), Vault: s.vault, Routes: s.mailing.routes,
		Messages: s.mailing.messaging.routes, Now: s.now, NewID: newID, Log: s.log, Task: s.background.Task("mail plans"),
		Numbered: s.store.EventsNumbered().Listen(),
		Planned: func() {
			s.mailing.asked.Send()
			s.mailing.messages.Asked.Send()
		},
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
	if s.config.Mode != Development {
		return rest.MailboxPage{}
	}
	return rest.MailboxPage{Newest: func() []rest.MailboxMail {
		all := s.mailing.messaging.keptMessages()
		for _, m := range s.mailing.mailbox.NewestFirst() {
			all = append(all, rest.MailboxMail{
				ID: m.ID, Channel: "mail", At: m.At, From: m.FromName, To: m.To, ReplyTo: m.ReplyTo, Locale: m.Locale, Subject: m.Subject, Text: m.Text,
				HTML: m.HTML,
			})
		}
		slices.SortStableFunc(all, func(a, b rest.MailboxMail) int { return b.At.Compare(a.At) })
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
