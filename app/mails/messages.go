package mails

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/messages"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Messengers are what takes messages; nil: nothing.
type Messengers struct {
	Services ports.Messenger // hands those about live data over to the shops' message services
	Box      ports.Messenger // of a development server: takes all others
}

// On reports whether any messages are sent.
func (m Messengers) On() bool { return m.Services != nil || m.Box != nil }

// takes reports whether messages of an environment are sent by a shop's service, or go into the box.
func (m Messengers) takes(env tenant.Environment) bool {
	return m.Box != nil || env == tenant.Live && m.Services != nil
}

// messageTexts are what decides whether buyers of a shop are sent messages.
type messageTexts struct {
	saved  []mail.MessageTemplate
	locale string // of the shop
}

// messageTexts reads what occasions need of the shop; nothing where none of them can have a message.
func (p *Planner) messageTexts(ctx context.Context, r ports.Reader, shop tenant.ID, all []occasion) (texts messageTexts, err error) {
	for i := range all {
		if !all[i].hasMessage() {
			continue
		}
		if texts.saved, err = messages.Saved(ctx, r); err != nil || len(texts.saved) == 0 {
			return texts, err
		}
		own, err := r.Get(ctx, identity.Tenants, string(shop))
		texts.locale = own.Group("settings").Text("locale")
		return texts, err
	}
	return texts, nil
}

// hasMessage reports whether somebody can be told of o by a message.
func (o *occasion) hasMessage() bool { return o.phone != "" && o.kind.HasMessage() }

// message is the delivery of a message about o; it is false where the buyer has no number or the shop no template.
func (p *Planner) message(shop tenant.ID, o *occasion, texts messageTexts) (mail.Delivery, bool) {
	if !o.hasMessage() {
		return mail.Delivery{}, false
	}
	if _, found := mail.ChooseMessage(o.kind, o.says, texts.locale, texts.saved); !found {
		return mail.Delivery{}, false
	}
	d := p.delivery(shop, o)
	d.Channel, d.Recipient = mail.ByMessage, o.phone
	return d, true
}

// prepareMessage makes the message of a delivery, and says how it is sent, or why it is not.
func (s *Sender) prepareMessage(ctx context.Context, d mail.Delivery) (prepared, error) {
	to, through, why, err := s.messenger(ctx, d)
	if why != "" || err != nil {
		return prepared{why: why}, err
	}
	m, why, err := s.composeMessage(ctx, d)
	if failed, ok := errors.AsType[*fault.Error](err); ok && errors.Is(err, fault.ErrValidation) {
		return prepared{why: mail.NotRenderable, problem: firstProblem(failed)}, nil
	}
	if why != "" || err != nil {
		return prepared{why: why}, err
	}
	return prepared{send: func(ctx context.Context) error { return through.Send(ctx, to, m) }}, nil
}

// firstProblem is what a refusal of a template says.
func firstProblem(f *fault.Error) string {
	if len(f.Fields) == 0 {
		return f.Message
	}
	return f.Fields[0].Field + ": " + f.Fields[0].Message
}

// messenger is what takes the message of a delivery, or why nothing does.
func (s *Sender) messenger(ctx context.Context, d mail.Delivery) (to ports.MessageService, through ports.Messenger, why mail.Reason, err error) {
	if d.Environment == tenant.Live && s.Messengers.Services != nil {
		found, err := messages.Enabled(ctx, s.Store.Read(ports.Scope{Tenants: []tenant.ID{d.Tenant}, Environment: d.Environment}), d.Environment)
		if err != nil {
			return to, nil, "", err
		}
		if found != nil {
			to, err = messages.Open(s.Vault, found)
			return to, s.Messengers.Services, "", err
		}
	}
	switch {
	case s.Messengers.Box != nil:
		return to, s.Messengers.Box, "", nil
	case d.Environment == tenant.Live:
		return to, nil, mail.NoService, nil
	}
	return to, nil, mail.TestEnvironment, nil
}

// composeMessage makes the message of a delivery, or says why there is none. Errors: those of the database, and of
// mail.MessageTemplate.Render.
func (c *Composer) composeMessage(ctx context.Context, d mail.Delivery) (m mail.PhoneMessage, why mail.Reason, err error) {
	told, why, err := c.look(ctx, d)
	if why != "" || err != nil {
		return m, why, err
	}
	saved, err := messages.Saved(ctx, told.r)
	if err != nil {
		return m, "", err
	}
	t, found := mail.ChooseMessage(d.Kind, d.Locale, told.from.Locale, saved)
	if !found {
		return m, mail.NoTemplate, nil
	}
	facts, why, err := c.facts(ctx, told.r, d, told.about, told.own, t.Locale)
	if why != "" || err != nil {
		return m, why, err
	}
	m, err = t.Render(facts, told.from)
	m.ID, m.To = d.ServiceID(), d.Recipient
	return m, "", err
}

// phone is the number, as E.164, at which the buyer of s is told of their order: their own, or that of the recipient where it goes to
// themselves. "" for none: nobody else is told what somebody bought.
func (s subject) phone() string {
	of := s.order
	if of == nil {
		of = s.checkout
	}
	buyer, to := of.Group("customerSnapshot"), of.Group("shippingAddress")
	if number := buyer.Text("phoneE164"); number != "" || buyer.Text("phone") != "" {
		return number
	}
	if name := buyer.Text("name"); name != "" && name != to.Text("recipientName") {
		return ""
	}
	return to.Text("phoneE164")
}

// recipient is to whom a delivery of a channel goes; "" for nobody.
func (s subject) recipient(c mail.Channel) string {
	if c == mail.ByMessage {
		return s.phone()
	}
	to, _ := s.address()
	return to
}

// countOn is how many deliveries of a channel and environment fulfil a condition.
func countOn(ctx context.Context, r ports.Reader, c mail.Channel, env tenant.Environment, where ...collection.Cond) (int64, error) {
	page, err := r.Find(ctx, collection.Query{
		Schema: mail.Deliveries, Environment: string(env), Where: append(collection.And{mail.On(c)}, where...), Limit: 1, Page: 1,
	})
	return page.TotalDocs, err
}
