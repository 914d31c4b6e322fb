// Package mailtexts is what the mails of a shop say: the checks of its own templates, what editors of them have to know, and how a mail
// will look. Rules: features/mail/RULES.md.
//
// A template is checked when it is saved, by the code that renders it, so mails find none that they cannot read. One that was saved by
// an older server and is refused by a newer one gives way to the default words (mail.Write).
package mailtexts

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/shopprofile"
	"github.com/cartwright-dev/cartwright/app/timezone"
	"github.com/cartwright-dev/cartwright/domain/collection"
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

// Preview is the mail as it would be sent, by the code that writes it. It takes the permission to read templates, and to read the
// order. Errors: those of access.Allowed and of Preview.Write, ports.ErrNotFound.
func (s *Service) Preview(ctx context.Context, p tenant.Principal, in Preview) (Shown, error) {
	if _, err := access.Allowed(p, mail.Templates, collection.Read); err != nil {
		return Shown{}, err
	}
	if in.Order != "" {
		if _, err := s.Records.GetRecord(ctx, p, order.Schema, in.Order); err != nil {
			return Shown{}, err
		}
	}
	return in.Write(ctx, s.Store.Read(ports.ForPrincipal(p)), p.Tenant, s.BaseURL, s.Now())
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
	return mail.ShopFrom(own.Text("name"), t.Country, profile, logo, own.Group("settings").Text("locale"), zone), nil
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
