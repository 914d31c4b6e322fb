package hooking

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Seals looks after the secrets of endpoints at rest, of all tenants.
type Seals struct {
	Store ports.Store
	Vault ports.Vault
	Now   func() time.Time
	NewID func() string
}

// Sealed is what is kept encrypted.
type Sealed struct {
	Seen       int      // endpoints
	Old        int      // of them, those that an older secret of the server sealed; Rotate has sealed them anew
	Unreadable []string // ids of those that no configured secret opens
}

// Examine opens everything and changes nothing.
func (s Seals) Examine(ctx context.Context) (found Sealed, err error) {
	all, err := s.all(ctx)
	for _, row := range all {
		after, err := s.anew(row)
		found.note(row, after, err)
	}
	return found, err
}

// Rotate seals anew what an older secret of the server sealed, one endpoint per transaction, so that it can be stopped and
// run again at any time. It is a change like any other.
func (s Seals) Rotate(ctx context.Context) (found Sealed, err error) {
	all, err := s.all(ctx)
	for i := 0; err == nil && i < len(all); i++ {
		var before, after collection.Record
		var bad error
		err = s.Store.Atomically(ctx, ports.Of(tenant.ID(all[i].Text("tenant"))), func(ctx context.Context, tx ports.Tx) (err error) {
			if before, err = tx.Records.Lock(ctx, webhook.Endpoints, all[i].ID()); err != nil {
				return err
			}
			after, bad = s.anew(before) // those that cannot be read are told at the end
			if bad == nil && differ(before, after) {
				err = tx.Records.Write(ctx, collection.NewChange(webhook.Endpoints, before, after, s.NewID(), s.Now()))
			}
			return err
		})
		if errors.Is(err, ports.ErrAbsent) { // deleted since it was listed
			err = nil
			continue
		}
		if err == nil {
			found.note(before, after, bad)
		}
	}
	return found, err
}

// note counts an endpoint that was opened, or could not be.
func (f *Sealed) note(before, after collection.Record, err error) {
	f.Seen++
	switch {
	case err != nil:
		f.Unreadable = append(f.Unreadable, before.ID())
	case differ(before, after):
		f.Old++
	}
}

// sealedFields are what is sealed of an endpoint.
var sealedFields = []string{"sealedSecret", "sealedPrevious"}

func differ(before, after collection.Record) bool {
	for _, name := range sealedFields {
		if before.Text(name) != after.Text(name) {
			return true
		}
	}
	return false
}

// anew is an endpoint sealed with the newest secret of the server, where it was not.
func (s Seals) anew(row collection.Record) (collection.Record, error) {
	after := row.Clone()
	for _, name := range sealedFields {
		sealed := row.Text(name)
		if sealed == "" {
			continue
		}
		plain, err := s.Vault.Open(secretLabel(row.ID()), sealed)
		if err != nil {
			return nil, err
		}
		if _, newest := s.Vault.Version(sealed); newest {
			continue
		}
		if after[name], err = s.Vault.Seal(secretLabel(row.ID()), plain); err != nil {
			return nil, err
		}
	}
	return after, nil
}

func (s Seals) all(ctx context.Context) ([]collection.Record, error) {
	e := webhook.Endpoints
	oldest := []collection.Order{{Path: e.Where("createdAt", collection.Exists, true).Path}}
	return ports.All(ctx, s.Store.Read(ports.Scope{System: true}), collection.Query{Schema: e, Sort: oldest})
}
