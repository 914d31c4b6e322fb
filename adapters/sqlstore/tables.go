package sqlstore

import "slices"

// systemTable is a table that no collection describes.
type systemTable struct {
	name    string
	body    string   // columns and constraints, with the type words of dialect
	indexes []string // "(a, b)"; "unique (a)" for a unique one
	global  bool     // has no tenant column: the app role may not touch it
	only    *dialect // on this dialect only; nil: both
	extra   string   // Postgres: storage parameters
	packed  []string // Postgres: columns of large values, compressed
	// appendOnly tables refuse to change or lose a row.
	appendOnly bool
}

const allVerbs = "SELECT, INSERT, UPDATE, DELETE"

// verbs are what our roles may do to t.
func (t systemTable) verbs() string {
	if t.appendOnly {
		return "SELECT, INSERT"
	}
	return allVerbs
}

// systemTables lists them all; migrations create them, row-level security covers each.
func systemTables() []systemTable {
	return slices.Concat(migrationTables, coreTables, commerceTables, deliveryTables, []systemTable{membersTable})
}

// coreTables belong to the record store.
var coreTables = []systemTable{
	{
		// What they keep, and how the published body is made of it: see event and EventText. An update may rely on the event
		// before it: whoever trims events keeps the one before each that stays, or moves its doc into previous_doc there.
		name:    "events",
		body:    `tenant TEXT NOT NULL, record TEXT NOT NULL, record_sequence BIGINT NOT NULL, id TEXT NOT NULL, collection TEXT NOT NULL, operation TEXT NOT NULL, environment TEXT, doc TEXT NOT NULL, changed TEXT, previous_doc TEXT, occurred_at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, record, record_sequence)`,
		indexes: []string{"(occurred_at)"},
		packed:  []string{"doc", "previous_doc"},
		only:    postgres,
	},
	{
		// On SQLite, where events get their numbers as they are written, this is the log as well, and its key the place in it:
		// entries that come in order share their pages. Only the events of collections that are not hot are found by their
		// record too (i_events_key). In an index over all of them each change of a cart has a page of its own; it was a third
		// of the pages that a commit writes. Nothing reads the event of a cart by the cart: each keeps what was before it. And
		// no two have the same number: the row is changed from one sequence to the next in the same transaction, and a
		// tombstone knows the last of a record that went, which a new one must follow.
		name:    "events",
		body:    `tenant TEXT NOT NULL, sequence BIGINT NOT NULL, record TEXT NOT NULL, record_sequence BIGINT NOT NULL, id TEXT NOT NULL, collection TEXT NOT NULL, operation TEXT NOT NULL, environment TEXT, occurred_at TIMESTAMP NOT NULL, changed TEXT, doc TEXT NOT NULL, previous_doc TEXT, PRIMARY KEY (tenant, sequence)`,
		indexes: []string{"(occurred_at)"},
		only:    sqlite,
	},
	{
		// Committed events that have no number yet: one row for those of a batch, since every row that comes and goes
		// leaves a dead one behind that each round reads again until it is vacuumed. It has no key.
		name:  "unnumbered",
		body:  `tenant TEXT NOT NULL, collection TEXT NOT NULL, records text[] NOT NULL, record_sequences bigint[] NOT NULL`,
		only:  postgres,
		extra: "autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000",
	},
	{
		// A row holds the events that were numbered together, the last of which is this one; see numbersFrom.
		name: "event_log",
		body: `tenant TEXT NOT NULL, sequence BIGINT NOT NULL, collection TEXT NOT NULL, records text[] NOT NULL, record_sequences bigint[] NOT NULL, PRIMARY KEY (tenant, sequence)`,
		only: postgres,
	},
	{
		name: "event_counters", // the last number given, per tenant
		body: `tenant TEXT PRIMARY KEY, last BIGINT NOT NULL`,
	},
	{
		name: "event_floors", // the number up to which a tenant's events were trimmed
		body: `tenant TEXT PRIMARY KEY, trimmed BIGINT NOT NULL`,
	},
	{
		name: "tombstones",
		body: `tenant TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (tenant, id)`,
		only: postgres,
	},
	{
		name: "tombstones", // last is the number of the event that tells of the deletion
		body: `tenant TEXT NOT NULL, id TEXT NOT NULL, last BIGINT NOT NULL, PRIMARY KEY (tenant, id)`,
		only: sqlite,
	},
	{
		name:    "accounts",
		body:    `id TEXT PRIMARY KEY, email TEXT NOT NULL, password_hash TEXT NOT NULL, token_version BIGINT NOT NULL, memberships TEXT NOT NULL`,
		indexes: []string{"unique (email)"},
		global:  true,
	},
	{
		name:    "enclosures",
		body:    `tenant TEXT NOT NULL, event TEXT NOT NULL, collection TEXT NOT NULL, sealed TEXT NOT NULL, expires_at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, event)`,
		indexes: []string{"(expires_at)"},
	},
	{
		name:    "revocations",
		body:    `jti TEXT PRIMARY KEY, from_time TIMESTAMP NOT NULL, until_time TIMESTAMP NOT NULL`,
		indexes: []string{"(until_time)"},
		global:  true,
	},
	{
		// How many calls a tenant made on a day, "2026-01-31" of UTC, by the process that counted them.
		name:    "usage_days",
		body:    `tenant TEXT NOT NULL, day TEXT NOT NULL, counter TEXT NOT NULL, calls BIGINT NOT NULL, PRIMARY KEY (tenant, day, counter)`,
		indexes: []string{"(day)"},
	},
	{
		name:    "orphans", // keys of blobs that no record names
		body:    `tenant TEXT NOT NULL, key TEXT NOT NULL, due_at TIMESTAMP NOT NULL, condemned BOOLEAN NOT NULL, PRIMARY KEY (tenant, key)`,
		indexes: []string{"(due_at)"},
	},
}
