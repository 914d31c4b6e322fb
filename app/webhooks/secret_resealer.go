package webhooks

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// SecretResealer checks and re-encrypts the stored secrets of all tenants' endpoints.
type SecretResealer struct {
	Store ports.Store
	Vault ports.Vault
	Now   func() time.Time
	NewID func() string
}

// ResealReport is the state of the encrypted secrets.
type ResealReport struct {
	Checked    int      // endpoints
	Outdated   int      // of those, sealed with an older server secret; Rotate has resealed them
	Unreadable []string // ids of endpoints that no configured server secret can decrypt
}

// Check decrypts everything and changes nothing.
func (s SecretResealer) Check(ctx context.Context) (found ResealReport, err error) {
	all, err := s.allEndpoints(ctx)
	return s.check(all), err
}

// CheckNewest is Check of the n newest endpoints.
func (s SecretResealer) CheckNewest(ctx context.Context, n int) (found ResealReport, err error) {
	e := webhook.Endpoints
	page, err := s.Store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: e, Sort: []collection.SortKey{{Path: e.Where("createdAt", collection.Exists, true).Path, Desc: true}},
		Limit: n, Page: 1, SkipCount: true,
	})
	return s.check(page.Docs), err
}

func (s SecretResealer) check(all []collection.Record) (found ResealReport) {
	for _, row := range all {
		after, err := s.reseal(row)
		found.count(row, after, err)
	}
	return found
}

// Rotate reseals what an older server secret sealed, one endpoint per transaction, so that it can be stopped
// and run again at any time. Each is an ordinary change of the endpoint.
func (s SecretResealer) Rotate(ctx context.Context) (found ResealReport, err error) {
	all, err := s.allEndpoints(ctx)
	for i := 0; err == nil && i < len(all); i++ {
		var before, after collection.Record
		var bad error
		err = s.Store.Atomically(ctx, ports.ForTenant(tenant.ID(all[i].Text("tenant"))), func(ctx context.Context, tx ports.Tx) (err error) {
			if before, err = tx.Records.Lock(ctx, webhook.Endpoints, all[i].ID()); err != nil {
				return err
			}
			after, bad = s.reseal(before) // unreadable ones are reported at the end
			if bad == nil && secretsDiffer(before, after) {
				err = tx.Records.Write(ctx, collection.NewChange(webhook.Endpoints, before, after, s.NewID(), s.Now()))
			}
			return err
		})
		if errors.Is(err, ports.ErrNotFound) { // deleted since the listing
			err = nil
			continue
		}
		if err == nil {
			found.count(before, after, bad)
		}
	}
	return found, err
}

// count adds an endpoint to the report.
func (f *ResealReport) count(before, after collection.Record, err error) {
	f.Checked++
	switch {
	case err != nil:
		f.Unreadable = append(f.Unreadable, before.ID())
	case secretsDiffer(before, after):
		f.Outdated++
	}
}

// sealedFields are the encrypted fields of an endpoint.
var sealedFields = []string{"sealedSecret", "sealedPrevious"}

func secretsDiffer(before, after collection.Record) bool {
	for _, name := range sealedFields {
		if before.Text(name) != after.Text(name) {
			return true
		}
	}
	return false
}

// reseal is the endpoint's record sealed with the newest server secret; row itself if it is already.
func (s SecretResealer) reseal(row collection.Record) (collection.Record, error) {
	after := row.Clone()
	for _, name := range sealedFields {
		sealed := row.Text(name)
		if sealed == "" {
			continue
		}
		plain, err := s.Vault.Open(sealLabel(row.ID()), sealed)
		if err != nil {
			return nil, err
		}
		if _, newest := s.Vault.Version(sealed); newest {
			continue
		}
		if after[name], err = s.Vault.Seal(sealLabel(row.ID()), plain); err != nil {
			return nil, err
		}
	}
	return after, nil
}

func (s SecretResealer) allEndpoints(ctx context.Context) ([]collection.Record, error) {
	e := webhook.Endpoints
	oldest := []collection.SortKey{{Path: e.Where("createdAt", collection.Exists, true).Path}}
	return ports.FindAll(ctx, s.Store.Read(ports.Scope{System: true}), collection.Query{Schema: e, Sort: oldest})
}
