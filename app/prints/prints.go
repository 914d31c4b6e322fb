// Package prints makes files of what a shop prints: packing slips and labels of parcels, and invoices of orders.
// Rules: features/prints/RULES.md.
package prints

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/shopprofile"
	"github.com/cartwright-dev/cartwright/app/timezone"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/paper"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Service prints.
type Service struct {
	Store   ports.Store
	Records *records.Service
	Blobs   ports.Blobs
	Printer ports.Prints
}

// PrintInvoice writes the invoice of an order to to. Those who may read the order may, its buyer among them. Errors: those of
// access.Allowed, tenant.ErrFeatureDisabled, ports.ErrNotFound, those of ports.Prints.
func (s *Service) PrintInvoice(ctx context.Context, p tenant.Principal, id string, l paper.Language, to io.Writer) error {
	if p.Tenant.ID != "" && !p.Tenant.CommerceEnabled {
		return tenant.ErrFeatureDisabled
	}
	found, err := s.Records.GetRecord(ctx, p, order.Schema, id)
	if err != nil {
		return err
	}
	shop, language, err := s.shop(ctx, s.Store.Read(ports.ForPrincipal(p)), p, l)
	if err != nil {
		return err
	}
	o := order.FromRecord(found)
	d := paper.Invoice(language, shop, o)
	return s.Printer.Print(ctx, to, d.Title+" "+o.Number, paper.A4, []paper.Document{d})
}

// getAll returns the records of ids in p's environment, in their order. Errors: ports.ErrNotFound, which names the first one
// that is not there, and those of ports.Reader.
func getAll(
	ctx context.Context, r ports.Reader, p tenant.Principal, s *collection.Schema, ids []string, room *collection.Room,
) ([]collection.Record, error) {
	found, err := r.GetMany(ctx, s, ids, room)
	if err != nil {
		return nil, err
	}
	all := make([]collection.Record, len(ids))
	for i, id := range ids {
		all[i] = found[id]
		if all[i] == nil || tenant.Environment(all[i].Text("environment")) != p.Environment {
			return nil, ports.ErrNotFound.WithData("id", id)
		}
	}
	return all, nil
}

// shop is p's shop, and the language to print in: l, or without one that of the shop.
func (s *Service) shop(ctx context.Context, r ports.Reader, p tenant.Principal, l paper.Language) (paper.Shop, paper.Language, error) {
	own, err := r.Get(ctx, identity.Tenants, string(p.Tenant.ID))
	if err != nil {
		return paper.Shop{}, "", err
	}
	profile, err := shopprofile.Find(ctx, r)
	if err != nil && !errors.Is(err, ports.ErrNotFound) {
		return paper.Shop{}, "", err
	}
	zone, err := timezone.Load(p.Tenant.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	if l == "" {
		l = paper.LanguageOf(own.Group("settings").Text("locale"))
	}
	shop := paper.ShopFrom(own.Text("name"), p.Tenant.Country, profile, zone)
	shop.Logo, err = s.logo(ctx, r, p.Tenant.ID, profile.Text("logo"))
	return shop, l, err
}

// maxLogo is how many bytes a logo has at most.
const maxLogo = 2 << 20

// logo is the file of a media record, nil for none, and for one that is no picture that can be printed. Errors: those of
// ports.Reader and ports.Blobs, but for files that are not there.
func (s *Service) logo(ctx context.Context, r ports.Reader, t tenant.ID, id string) ([]byte, error) {
	if id == "" {
		return nil, nil
	}
	found, err := r.Get(ctx, media.Schema, id)
	if errors.Is(err, ports.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, ok := media.FileFrom(found)
	if !ok || !media.OwnsBlob(t, f.BlobKey) || f.Size > maxLogo || f.MimeType != "image/png" && f.MimeType != "image/jpeg" {
		return nil, nil
	}
	content, err := s.Blobs.Open(ctx, f.BlobKey, 0, -1)
	if errors.Is(err, ports.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	logo, err := io.ReadAll(io.LimitReader(content, maxLogo))
	return logo, errors.Join(err, content.Close())
}
