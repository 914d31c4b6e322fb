// Package tenantexport writes everything that an installation holds of a tenant into one archive, for those who leave and for
// whoever deletes them. Rule access-57.
//
// # The archive
//
// A ZIP file. Of each collection it has collections/<slug>.ndjson, one record per line in the order of ids, as staff reads it
// with the fields that shoppers are not shown; events.ndjson, the event log as far as it is kept; ledger.ndjson, every movement
// of money, with what its provider settles for it; media/<id>/<filename>, the files; and last manifest.json, which names each
// file with its number of records, its size and its SHA-256, and what is left out. What no API ever shows is left out: hashes
// of passwords and keys, sealed secrets and credentials, and what the server only notes for itself.
//
// # Complete
//
// It is read page by page while the server works. An export is complete if the tenant was suspended and nothing of it changed from
// its beginning to its end, which the number of its events tells: every change has one. Only a complete export is recorded with
// the tenant, in a transaction that finds the same number, so a deletion can rely on it.
package tenantexport

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/app/suspension"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Service is the use case.
type Service struct {
	Store    ports.Store
	Registry *collection.Registry
	Events   ports.EventLog
	Ledger   ports.LedgerReader
	Blobs    ports.Blobs
	Now      func() time.Time
	NewID    func() string
}

// Result is what an export has become.
type Result struct {
	Manifest Manifest
	Checksum string // SHA-256 of manifest.json, in hex
	Recorded bool   // the export counts as the one before a deletion
}

// Filename is the name of the archive of a tenant.
func Filename(id tenant.ID) string { return "tenant-" + string(id) + ".zip" }

// Export writes the archive of a tenant. An error leaves it without a manifest, which nobody may take for an archive. Errors:
// fault.ErrUnauthenticated and fault.ErrForbidden for all but platform admins and the system, ports.ErrNotFound, those of to.
func (s *Service) Export(ctx context.Context, by tenant.Principal, id tenant.ID, to io.Writer) (Result, error) {
	if err := suspension.RequirePlatform(by); err != nil {
		return Result{}, err
	}
	before, err := s.look(ctx, id)
	if err != nil {
		return Result{}, err
	}
	a := archive{Writer: zip.NewWriter(to), now: s.Now()}
	if err := s.write(ctx, id, &a); err != nil {
		return Result{}, err
	}
	after, err := s.look(ctx, id)
	if err != nil {
		return Result{}, err
	}
	out := Result{Manifest: Manifest{
		Version: manifestVersion, Tenant: before.record, At: a.now, Events: before.events, LeftOut: leftOut(s.Registry.All(), a.missing),
		Complete: before.same(after) && before.record.Text("status") == string(tenant.Suspended), Files: a.files,
	}}
	if out.Checksum, err = a.finish(out.Manifest); err != nil || !out.Manifest.Complete {
		return out, err
	}
	out.Recorded, err = s.record(ctx, by, id, before, out)
	return out, err
}

// state is how far the changes of a tenant have come.
type state struct {
	record collection.Record // of the tenant
	events int64             // changes of anything of it
}

func (s state) same(as state) bool {
	return s.events == as.events && s.record.Sequence() == as.record.Sequence()
}

// look reads the state of a tenant. Errors: ports.ErrNotFound.
func (s *Service) look(ctx context.Context, id tenant.ID) (now state, err error) {
	err = s.Store.Atomically(ctx, scopeOf(id), func(ctx context.Context, tx ports.Tx) error {
		now, err = readState(ctx, tx, id)
		return err
	})
	return now, err
}

func readState(ctx context.Context, tx ports.Tx, id tenant.ID) (now state, err error) {
	if now.record, err = tx.Records.Lock(ctx, identity.Tenants, string(id)); err == nil && identity.IsDeleting(now.record) {
		err = ports.ErrNotFound
	}
	if err == nil {
		now.events, err = tx.TenantDeletions.EventsRecorded(ctx, id)
	}
	return now, err
}

func scopeOf(id tenant.ID) ports.Scope { return ports.Scope{System: true, Tenants: []tenant.ID{id}} }

// record notes a complete export with the tenant, unless anything has changed; written says that it has not.
func (s *Service) record(ctx context.Context, by tenant.Principal, id tenant.ID, before state, out Result) (written bool, err error) {
	err = s.Store.Atomically(ctx, scopeOf(id), func(ctx context.Context, tx ports.Tx) error {
		now, err := readState(ctx, tx, id)
		if written = err == nil && now.same(before); !written {
			return err
		}
		next := identity.Exported(now.record, identity.Export{
			At: out.Manifest.At, By: suspension.UserID(by), Checksum: out.Checksum, Revision: now.record.Sequence() + 1, Events: now.events + 1,
		})
		return tx.Records.Write(ctx, collection.NewChange(identity.Tenants, now.record, next, s.NewID(), s.Now()))
	})
	if err != nil {
		return false, fmt.Errorf("record the export: %w", err)
	}
	return written, nil
}
