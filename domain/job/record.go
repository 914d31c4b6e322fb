package job

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Fields are the fields that the collections of all jobs begin with, after their own.
var Fields = []collection.Field{
	{Name: "status", Kind: collection.Select, NonNull: true, Options: statusNames(), Indexed: true, Doc: "How far it is."},
	{
		Name: "cancelRequested", Kind: collection.Boolean, NonNull: true,
		Doc: "Whether somebody canceled it: a job that is running ends before its next rows.",
	},
	{Name: "handled", Kind: collection.Integer, NonNull: true, Doc: "Records of an export, or rows of an import, that were handled so far."},
	{Name: "total", Kind: collection.Integer, Doc: "How many of them there are, as counted at the beginning; null until then."},
	{Name: "problem", Kind: collection.Textarea, Doc: "Why it failed; null if it did not."},
	{Name: "requestedBy", Kind: collection.Group, Fields: collection.ActorFields(true), Doc: "Who asked for it, with whose rights it runs."},
	{Name: "startedAt", Kind: collection.Date, Doc: "When it began; null while it waits."},
	{Name: "endedAt", Kind: collection.Date, Doc: "When it ended; null before."},
	{Name: "expiresAt", Kind: collection.Date, Doc: "When it is removed with its file; null before its end."},
	{Name: "attempts", Kind: collection.Integer, VisibleTo: collection.ServerOnly, Doc: "Claims since the last one that accomplished something."},
	{Name: "position", Kind: collection.Textarea, VisibleTo: collection.ServerOnly, Doc: "Where it goes on after an interruption."},
	{Name: "claim", Kind: collection.Text, VisibleTo: collection.ServerOnly, MaxLength: maxClaim, Doc: "Id of the claim that holds it."},
	{
		Name: "dueAt", Kind: collection.Date, VisibleTo: collection.ServerOnly,
		Doc: "From when on a runner may take it; null after its end.",
	},
	{
		Name: "slot", Kind: collection.Text, VisibleTo: collection.ServerOnly, MaxLength: maxClaim,
		Doc: "The same for all that run, and null for others: one of a tenant runs at a time.",
	},
}

// maxClaim is the longest text that identifies a claim.
const maxClaim = 64

// slot is the value of the field slot of a job that is running.
const slot = "running"

// Indexes serve the look-ups that runners make across tenants.
var Indexes = []collection.Index{
	{Fields: []string{"dueAt"}, Only: collection.IndexFilter{Field: "dueAt", Op: collection.Exists, Value: true}},
	{Fields: []string{"expiresAt"}, Only: collection.IndexFilter{Field: "expiresAt", Op: collection.Exists, Value: true}},
}

// UniqueSets let one job of a tenant and environment run at a time.
var UniqueSets = [][]string{{"slot"}}

// Due are the jobs of a collection that a runner may take.
func Due(s *collection.Schema, now time.Time) collection.Cond {
	return collection.And{s.Where("dueAt", collection.Exists, true), s.Where("dueAt", collection.LessThanEqual, collection.TruncateTime(now))}
}

// Expired are the jobs of a collection that are to be removed.
func Expired(s *collection.Schema, now time.Time) collection.Cond {
	return collection.And{
		s.Where("expiresAt", collection.Exists, true), s.Where("expiresAt", collection.LessThanEqual, collection.TruncateTime(now)),
	}
}

// Open are the jobs of a collection that have not ended.
func Open(s *collection.Schema) collection.Cond { return s.Where("dueAt", collection.Exists, true) }

func statusNames() (names []string) {
	for _, s := range Statuses {
		names = append(names, string(s))
	}
	return names
}

// Put writes j into a record of a collection with Fields.
func (j Job) Put(r collection.Record) {
	r["id"], r["tenant"], r["environment"] = j.ID, string(j.Tenant), string(j.Environment)
	r["status"], r["cancelRequested"], r["handled"], r["attempts"] = string(j.Status), j.CancelRequested, j.Handled, j.Attempts
	r["requestedBy"] = collection.ActorRecord(j.RequestedBy)
	for name, text := range map[string]string{"problem": j.Problem, "position": j.Position, "claim": j.Claim} {
		r[name] = collection.TextOrNull(text)
	}
	for name, at := range map[string]time.Time{
		"dueAt": j.DueAt, "startedAt": j.StartedAt, "endedAt": j.EndedAt, "expiresAt": j.ExpiresAt,
	} {
		r[name] = nil
		if !at.IsZero() {
			r[name] = collection.TruncateTime(at)
		}
	}
	r["total"], r["slot"] = nil, nil
	if j.Total != nil {
		r["total"] = *j.Total
	}
	if j.Status == Running {
		r["slot"] = slot
	}
}

// FromRecord reads what Put wrote.
func FromRecord(r collection.Record) Job {
	j := Job{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		Status: Status(r.Text("status")), RequestedBy: collection.ActorFrom(r.Group("requestedBy")),
		CancelRequested: r.Bool("cancelRequested"), Handled: r.Int("handled"), Attempts: r.Int("attempts"),
		Position: r.Text("position"), Problem: r.Text("problem"), Claim: r.Text("claim"),
		DueAt: r.Time("dueAt"), StartedAt: r.Time("startedAt"), EndedAt: r.Time("endedAt"), ExpiresAt: r.Time("expiresAt"),
	}
	if n, known := r["total"].(int64); known {
		j.Total = &n
	}
	return j
}

// CountFields are what an import tells of its rows.
var CountFields = []collection.Field{
	{Name: "applied", Kind: collection.Integer, NonNull: true, Doc: "Rows that changed something."},
	{Name: "unchanged", Kind: collection.Integer, NonNull: true, Doc: "Rows that said what was there already."},
	{Name: "rejected", Kind: collection.Integer, NonNull: true, Doc: "Rows that were refused."},
}

// Counts are the results of rows.
type Counts struct{ Applied, Unchanged, Rejected int64 }

// Put writes c into a record with CountFields.
func (c Counts) Put(r collection.Record) {
	r["applied"], r["unchanged"], r["rejected"] = c.Applied, c.Unchanged, c.Rejected
}

// CountsFrom reads what Put wrote.
func CountsFrom(r collection.Record) Counts {
	return Counts{r.Int("applied"), r.Int("unchanged"), r.Int("rejected")}
}
