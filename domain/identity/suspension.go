package identity

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Suspend returns the record of a tenant, suspended by a user ("" is the command line) at now. One that is suspended keeps its
// reason and time: the first suspension is the one that counts.
func Suspend(r collection.Record, reason, by string, now time.Time) collection.Record {
	if r.Text("status") == string(tenant.Suspended) || IsDeleting(r) {
		return r
	}
	next := r.Clone()
	next["status"] = string(tenant.Suspended)
	next["suspension"] = collection.Record{"reason": reason, "since": collection.TruncateTime(now), "by": collection.TextOrNull(by)}
	return next
}

// Resume returns the record of a tenant that is not suspended any more. What was exported of it is out of date from then on.
func Resume(r collection.Record) collection.Record {
	if r.Text("status") != string(tenant.Suspended) {
		return r
	}
	next := r.Clone()
	next["status"], next["suspension"], next["export"] = string(tenant.Active), nil, nil
	return next
}
