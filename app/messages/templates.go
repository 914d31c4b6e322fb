package messages

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrNoTemplate refuses to show a message that the shop has no text of.
var ErrNoTemplate = fault.New(fault.Conflict, "message_template_missing", "The shop has no message of this kind in this language. Say its text.")

// TemplateHooks check the templates of a shop's messages. Rule mail-39.
func TemplateHooks() records.Hooks {
	return records.Hooks{BeforeWrite: func(_ context.Context, _ ports.Tx, w *records.Write) (err error) {
		if w.After != nil { // nil: it is deleted
			w.After, err = mail.CompleteMessage(w.Before, w.After)
		}
		return err
	}}
}

// Service shows what messages say.
type Service struct {
	Store   ports.Store
	Records *records.Service
	BaseURL string // of the server
	Now     func() time.Time
}

// Preview is what a message is to be shown of. Without a text it is that of the shop's template.
type Preview struct {
	mail.MessageTemplate

	Order string // id; "": facts that nobody brought about
}

// Shown is a message as it is shown.
type Shown struct {
	mail.PhoneMessage

	MadeUp []string // names of the variables whose facts nobody brought about
}

// Preview is the message as it would be sent, by the code that writes it. It takes the permission to read templates, and to read the
// order. Errors: those of access.Allowed and of mail.MessageTemplate.Render, fault.ErrValidation for what is no locale, ErrNoTemplate,
// ports.ErrNotFound.
func (s *Service) Preview(ctx context.Context, p tenant.Principal, in Preview) (Shown, error) {
	if _, err := access.Allowed(p, mail.MessageTemplates, collection.Read); err != nil {
		return Shown{}, err
	}
	if in.Order != "" {
		if _, err := s.Records.GetRecord(ctx, p, order.Schema, in.Order); err != nil {
			return Shown{}, err
		}
	}
	r := s.Store.Read(ports.ForPrincipal(p))
	shop, err := mailtexts.Shop(ctx, r, p.Tenant, s.BaseURL)
	if err != nil {
		return Shown{}, err
	}
	text, err := in.template(ctx, r, shop)
	if err != nil {
		return Shown{}, err
	}
	about := mailtexts.Preview{Kind: in.Kind, Draft: mail.Draft{Order: in.Order}}
	facts, madeUp, err := about.Facts(ctx, r, p.Tenant, text.Locale, s.Now())
	if err != nil {
		return Shown{}, err
	}
	m, err := text.Render(facts, shop)
	return Shown{m, madeUp}, err
}

// template is what is shown. Errors: fault.ErrValidation for what is no locale, ErrNoTemplate.
func (in Preview) template(ctx context.Context, r ports.Reader, shop mail.Shop) (mail.MessageTemplate, error) {
	locale := shop.Locale
	if in.Locale != "" {
		given, ok := tenant.ParseLocale(in.Locale)
		if !ok {
			return in.MessageTemplate, fault.Invalidf("locale", "This is no language tag. Examples: ko, en-US, zh-Hant.")
		}
		locale = given
	}
	if in.Text != "" {
		t := in.MessageTemplate
		t.Locale = locale
		return t, nil
	}
	saved, err := Saved(ctx, r)
	if err != nil {
		return in.MessageTemplate, err
	}
	t, found := mail.ChooseMessage(in.Kind, locale, shop.Locale, saved)
	if !found {
		return t, ErrNoTemplate
	}
	return t, nil
}

// maxTemplates is how many templates are read at most: more kinds and languages than any shop writes.
const maxTemplates = 500

// Saved are the templates of messages that r's shop uses.
func Saved(ctx context.Context, r ports.Reader) ([]mail.MessageTemplate, error) {
	s := mail.MessageTemplates
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Where: s.Where("active", collection.Equals, true), Limit: maxTemplates, Page: 1, SkipCount: true,
	})
	return mail.SavedMessages(page.Docs), err
}
