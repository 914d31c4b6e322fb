package identity

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// IsDeleting reports whether the record is of a tenant that is being deleted. It is as good as gone: callers are refused as those of
// a tenant that never was.
func IsDeleting(r collection.Record) bool { return r.Text("status") == string(tenant.Deleting) }

// Export is the last complete export of a suspended tenant. Rule access-57.
type Export struct {
	At       time.Time
	By       string // id of the user who made it; "": the command line
	Checksum string // SHA-256 of manifest.json in the archive, in hex
	Revision int64  // of the tenant's record with this export in it
	Events   int64  // how many events the tenant had then, that of recording the export included
}

// Exported returns the record of a tenant with an export.
func Exported(r collection.Record, e Export) collection.Record {
	next := r.Clone()
	next["export"] = collection.Record{
		"at": collection.TruncateTime(e.At), "by": collection.TextOrNull(e.By), "checksum": e.Checksum, "tenantRevision": e.Revision, "events": e.Events,
	}
	return next
}

// ExportFrom reads the export of a tenant's record; ok is false where there is none.
func ExportFrom(r collection.Record) (e Export, ok bool) {
	g := r.Group("export")
	e = Export{g.Time("at"), g.Text("by"), g.Text("checksum"), g.Int("tenantRevision"), g.Int("events")}
	return e, e.Checksum != ""
}

// IsCurrent reports whether nothing has changed since e: neither the tenant's record r nor anything else, of which it had events
// changes in all.
func (e Export) IsCurrent(r collection.Record, events int64) bool {
	return r.Text("status") == string(tenant.Suspended) && r.Sequence() == e.Revision && events == e.Events
}

// Delete returns the record of a tenant that is being deleted.
func Delete(r collection.Record) collection.Record {
	next := r.Clone()
	next["status"] = string(tenant.Deleting)
	return next
}
