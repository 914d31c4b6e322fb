package sqlstore

import (
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/deliveries"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// SystemTables are the tables of the store that no collection describes.
func systemTables() []table.SystemTable {
	return slices.Concat(coreTables, commerceTables, deliveries.Tables)
}

// coreTables belong to the record store.
var coreTables = []table.SystemTable{
	{
		// What they keep, and how the published body is made of it: see event and EventText. An update may
		// rely on the event before it: whoever trims events keeps the one before each that stays, or moves
		// its doc into previous_doc there.
		Name:       "events",
		Body:       `tenant TEXT NOT NULL, record TEXT NOT NULL, record_sequence BIGINT NOT NULL, id TEXT NOT NULL, collection TEXT NOT NULL, operation TEXT NOT NULL, environment TEXT, doc TEXT NOT NULL, changed TEXT, previous_doc TEXT, occurred_at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, record, record_sequence)`,
		Indexes:    []string{"(occurred_at)"},
		Compressed: []string{"doc", "previous_doc"},
		Only:       db.Postgres,
	},
	{
		// On SQLite, where events get their numbers as they are written, this is the log as well, and its key
		// the place in it: entries that come in order share their pages. Only the events of collections that
		// are not hot are found by their record too (i_events_key). In an index over all of them each change
		// of a cart has a page of its own; it was a third of the pages that a commit writes. Nothing reads
		// the event of a cart by the cart: each keeps what was before it. And no two have the same number:
		// the row is changed from one sequence to the next in the same transaction, and a tombstone knows the
		// last of a record that went, which a new one must follow.
		Name:    "events",
		Body:    `tenant TEXT NOT NULL, sequence BIGINT NOT NULL, record TEXT NOT NULL, record_sequence BIGINT NOT NULL, id TEXT NOT NULL, collection TEXT NOT NULL, operation TEXT NOT NULL, environment TEXT, occurred_at TIMESTAMP NOT NULL, changed TEXT, doc TEXT NOT NULL, previous_doc TEXT, PRIMARY KEY (tenant, sequence)`,
		Indexes: []string{"(occurred_at)"},
		Only:    db.SQLite,
	},
	{
		// Committed events that have no number yet: one row for those of a batch, since every row that comes
		// and goes leaves a dead one behind that each round reads again until it is vacuumed. It has no key.
		Name:    "unnumbered_events",
		Body:    `tenant TEXT NOT NULL, collection TEXT NOT NULL, records text[] NOT NULL, record_sequences bigint[] NOT NULL`,
		Only:    db.Postgres,
		Storage: "autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000",
	},
	{
		// A row holds the events that were numbered together, the last of which is this one; see numberedFrom.
		Name: "event_log",
		Body: `tenant TEXT NOT NULL, sequence BIGINT NOT NULL, collection TEXT NOT NULL, records text[] NOT NULL, record_sequences bigint[] NOT NULL, PRIMARY KEY (tenant, sequence)`,
		Only: db.Postgres,
	},
	{
		Name: "event_counters", // the last number given, per tenant
		Body: `tenant TEXT PRIMARY KEY, last BIGINT NOT NULL`,
	},
	{
		Name: "event_trims", // the number up to which a tenant's events were trimmed
		Body: `tenant TEXT PRIMARY KEY, trimmed BIGINT NOT NULL`,
	},
	{
		Name: "tombstones",
		Body: `tenant TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (tenant, id)`,
		Only: db.Postgres,
	},
	{
		Name: "tombstones", // last is the number of the event of the deletion
		Body: `tenant TEXT NOT NULL, id TEXT NOT NULL, last BIGINT NOT NULL, PRIMARY KEY (tenant, id)`,
		Only: db.SQLite,
	},
	{
		Name:    "accounts",
		Body:    `id TEXT PRIMARY KEY, email TEXT NOT NULL, password_hash TEXT NOT NULL, token_version BIGINT NOT NULL, memberships TEXT NOT NULL`,
		Indexes: []string{"unique (email)"},
		Global:  true,
	},
	{
		Name:    "sealed_tokens",
		Body:    `tenant TEXT NOT NULL, event TEXT NOT NULL, collection TEXT NOT NULL, ciphertext TEXT NOT NULL, expires_at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, event)`,
		Indexes: []string{"(expires_at)"},
	},
	{
		Name:    "revocations",
		Body:    `jti TEXT PRIMARY KEY, revoked_at TIMESTAMP NOT NULL, expires_at TIMESTAMP NOT NULL`,
		Indexes: []string{"(expires_at)"},
		Global:  true,
	},
	{
		// How many calls a tenant made on a day, "2026-01-31" of UTC, by the process that counted them.
		Name:    "usage_days",
		Body:    `tenant TEXT NOT NULL, day TEXT NOT NULL, counter TEXT NOT NULL, calls BIGINT NOT NULL, PRIMARY KEY (tenant, day, counter)`,
		Indexes: []string{"(day)"},
	},
	{
		// Items of background work that failed too often; tenant '' is work across tenants.
		Name:    "background_failures",
		Body:    `tenant TEXT NOT NULL, task TEXT NOT NULL, item TEXT NOT NULL, failures BIGINT NOT NULL, error TEXT NOT NULL, first_failed_at TIMESTAMP NOT NULL, last_failed_at TIMESTAMP NOT NULL, retry_at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, task, item)`,
		Indexes: []string{"(last_failed_at)"},
	},
	{
		Name:    "pending_blobs", // keys of blobs that no record names
		Body:    `tenant TEXT NOT NULL, key TEXT NOT NULL, due_at TIMESTAMP NOT NULL, deleting BOOLEAN NOT NULL, PRIMARY KEY (tenant, key)`,
		Indexes: []string{"(due_at)"},
	},
}
