package records

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Resealer checks and re-encrypts sealed fields of the records of a collection, of all tenants.
type Resealer struct {
	Store  ports.Store
	Vault  ports.Vault
	Now    func() time.Time
	NewID  func() string
	Schema *collection.Schema
	Fields []string               // names; "" in a record is not sealed
	Label  func(id string) string // with which the fields of a record are sealed
}

// ResealReport is the state of the sealed fields.
type ResealReport struct {
	Checked    int      // records that have any
	Outdated   int      // of those, sealed with an older secret of the server; Rotate has resealed them
	Unreadable []string // ids of records that no configured secret can decrypt
}

// Check decrypts everything and changes nothing.
func (s Resealer) Check(ctx context.Context) (found ResealReport, err error) {
	all, err := s.all(ctx)
	return s.check(all), err
}

// CheckNewest is Check of the n newest records.
func (s Resealer) CheckNewest(ctx context.Context, n int) (found ResealReport, err error) {
	page, err := s.Store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s.Schema, Where: s.sealed(), Sort: s.Schema.SortByLast("createdAt"), Limit: n, Page: 1, SkipCount: true,
	})
	return s.check(page.Docs), err
}

func (s Resealer) check(all []collection.Record) (found ResealReport) {
	for _, row := range all {
		after, err := s.reseal(row)
		s.count(&found, row, after, err)
	}
	return found
}

// Rotate reseals what an older secret of the server sealed, one record per transaction, so that it can be stopped and run
// again at any time. Each is an ordinary change of the record.
func (s Resealer) Rotate(ctx context.Context) (found ResealReport, err error) {
	all, err := s.all(ctx)
	for i := 0; err == nil && i < len(all); i++ {
		var before, after collection.Record
		var bad error
		err = s.Store.Atomically(ctx, ports.ForTenant(tenant.ID(all[i].Text("tenant"))), func(ctx context.Context, tx ports.Tx) (err error) {
			if before, err = tx.Records.Lock(ctx, s.Schema, all[i].ID()); err != nil {
				return err
			}
			after, bad = s.reseal(before) // unreadable ones are reported at the end
			if bad == nil && s.differ(before, after) {
				err = tx.Records.Write(ctx, collection.NewChange(s.Schema, before, after, s.NewID(), s.Now()))
			}
			return err
		})
		if errors.Is(err, ports.ErrNotFound) { // deleted since the listing
			err = nil
			continue
		}
		if err == nil {
			s.count(&found, before, after, bad)
		}
	}
	return found, err
}

// count adds a record to the report.
func (s Resealer) count(f *ResealReport, before, after collection.Record, err error) {
	if !s.isSealed(before) {
		return
	}
	f.Checked++
	switch {
	case err != nil:
		f.Unreadable = append(f.Unreadable, before.ID())
	case s.differ(before, after):
		f.Outdated++
	}
}

func (s Resealer) differ(before, after collection.Record) bool {
	return slices.ContainsFunc(s.Fields, func(name string) bool { return before.Text(name) != after.Text(name) })
}

func (s Resealer) isSealed(r collection.Record) bool {
	return slices.ContainsFunc(s.Fields, func(name string) bool { return r.Text(name) != "" })
}

// reseal is a record sealed with the newest secret of the server.
func (s Resealer) reseal(row collection.Record) (collection.Record, error) {
	after := row.Clone()
	for _, name := range s.Fields {
		sealed := row.Text(name)
		if sealed == "" {
			continue
		}
		plain, err := s.Vault.Open(s.Label(row.ID()), sealed)
		if err != nil {
			return nil, err
		}
		if _, newest := s.Vault.Version(sealed); newest {
			continue
		}
		if after[name], err = s.Vault.Seal(s.Label(row.ID()), plain); err != nil {
			return nil, err
		}
	}
	return after, nil
}

func (s Resealer) all(ctx context.Context) ([]collection.Record, error) {
	oldest := s.Schema.SortBy("createdAt")
	return ports.FindAll(ctx, s.Store.Read(ports.Scope{System: true}), collection.Query{Schema: s.Schema, Where: s.sealed(), Sort: oldest})
}

// sealed are the records that have any of the fields.
func (s Resealer) sealed() collection.Or {
	var present collection.Or
	for _, name := range s.Fields {
		present = append(present, s.Schema.Where(name, collection.Exists, true))
	}
	return present
}
