// Package mailtexts is what the mails of a shop say: the checks of its own templates, what editors of them have to know, and how a mail
// will look. Rules: features/mail/RULES.md.
//
// A template is checked when it is saved, by the code that renders it, so mails find none that they cannot read. One that was saved by
// an older server and is refused by a newer one gives way to the default words (mail.Write).
package mailtexts

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/shopprofile"
	"github.com/cartwright-dev/cartwright/app/timezone"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hooks check the templates of a shop. Rule mail-21.
func Hooks() records.Hooks { return records.Hooks{BeforeWrite: beforeWrite} }

func beforeWrite(_ context.Context, _ ports.Tx, w *records.Write) (err error) {
	if w.After != nil { // nil: it is deleted
		w.After, err = mail.Complete(w.Before, w.After)
	}
	return err
}

// Service shows what mails say.
type Service struct {
	Store   ports.Store
	Records *records.Service
	BaseURL string // of the server, for the address of logos
	Now     func() time.Time
}

// Preview is what a mail is to be shown of. What is "" is as the shop has it: the words of its template, or the default ones; a locale
// is the shop's.
type Preview struct {
	Kind                  mail.Kind
	Locale, Subject, Body string
	Order                 string // id of an order to tell of; "": facts that nobody brought about
}

// Preview is the mail as it would be sent, by the code that writes it. It takes the permission to read templates, and to read the
// order. Errors: those of access.Allowed and of mail.Template.Check, fault.ErrValidation for an order in a mail about none,
// ports.ErrNotFound.
func (s *Service) Preview(ctx context.Context, p tenant.Principal, in Preview) (mail.Message, error) {
	if _, err := access.Allowed(p, mail.Templates, collection.Read); err != nil {
		return mail.Message{}, err
	}
	r := s.Store.Read(ports.ForPrincipal(p))
	shop, err := Shop(ctx, r, p.Tenant, s.BaseURL)
	if err != nil {
		return mail.Message{}, err
	}
	saved, err := Saved(ctx, r, in.Kind)
	if err != nil {
		return mail.Message{}, err
	}
	t, err := in.template(shop, saved)
	if err != nil {
		return mail.Message{}, err
	}
	facts := mail.Sample(in.Kind, t.Locale, p.Tenant.Currency, s.Now())
	if in.Order != "" {
		if err := s.tellOf(ctx, p, in, facts); err != nil {
			return mail.Message{}, err
		}
	}
	return mail.Render(t, facts, shop)
}

// template is the template that is shown.
func (in Preview) template(shop mail.Shop, saved []mail.Template) (mail.Template, error) {
	locale := shop.Locale
	if in.Locale != "" {
		given, ok := tenant.ParseLocale(in.Locale)
		if !ok {
			return mail.Template{}, fault.Invalidf("locale", "This is no language tag. Examples: ko, en-US, zh-Hant.")
		}
		locale = given
	}
	t := mail.Choose(in.Kind, locale, shop.Locale, saved)
	if in.Subject != "" || in.Body != "" {
		t.Locale = locale
	}
	if in.Subject != "" {
		t.Subject = in.Subject
	}
	if in.Body != "" {
		t.Body = in.Body
	}
	return t, nil
}

// tellOf replaces those of facts that an order has.
func (s *Service) tellOf(ctx context.Context, p tenant.Principal, in Preview, facts mail.Facts) error {
	if !in.Kind.IsOfOrder() {
		return fault.Invalidf("order", "Mails of this kind tell of no order.")
	}
	found, err := s.Records.GetRecord(ctx, p, order.Schema, in.Order)
	if err != nil {
		return err
	}
	maps.Copy(facts, mail.OfOrder(order.FromRecord(found)))
	return nil
}

// Shop is whose mails are written: t's, as its profile and settings say, on a server at baseURL. Errors: those of ports.Reader.
func Shop(ctx context.Context, r ports.Reader, t tenant.Settings, baseURL string) (mail.Shop, error) {
	own, err := r.Get(ctx, identity.Tenants, string(t.ID))
	if err != nil {
		return mail.Shop{}, err
	}
	profile, err := shopprofile.Find(ctx, r)
	if err != nil && !errors.Is(err, ports.ErrNotFound) {
		return mail.Shop{}, err
	}
	zone, err := timezone.Load(t.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	logo := ""
	if id := profile.Text("logo"); id != "" {
		found, err := r.GetMany(ctx, media.Schema, []string{id}, nil)
		if err != nil {
			return mail.Shop{}, err
		}
		if logo = found[id].Text("url"); strings.HasPrefix(logo, "/") {
			logo = baseURL + logo
		}
	}
	return mail.ShopFrom(own.Text("name"), profile, logo, own.Group("settings").Text("locale"), zone), nil
}

// maxTemplates is how many templates of a kind are read at most: more languages than any shop writes.
const maxTemplates = 100

// Saved are the templates of a kind that r's shop uses. Errors: those of ports.Reader.
func Saved(ctx context.Context, r ports.Reader, kind mail.Kind) ([]mail.Template, error) {
	page, err := r.Find(ctx, collection.Query{
		Schema: mail.Templates, Where: mail.Templates.Where("kind", collection.Equals, string(kind)), Limit: maxTemplates, Page: 1, SkipCount: true,
	})
	if err != nil {
		return nil, err
	}
	return mail.Saved(page.Docs), nil
}
