package sqlstore

import "github.com/cartwright-dev/cartwright/adapters/sqlstore/table"

// commerceTables belong to receipts and claims, stock, discount uses, the provider journal and the ledger.
var commerceTables = []table.SystemTable{
	{
		// One row per idempotency key: a claim while not done (fence, lease_until), then the stored answer.
		Name: "receipts",
		Body: `tenant TEXT NOT NULL, key BYTES NOT NULL, fingerprint BYTES NOT NULL, done BOOLEAN NOT NULL, fence BIGINT NOT NULL DEFAULT 0, lease_until TIMESTAMP,
			result TEXT, body BYTES, request_id TEXT, record TEXT, revision BIGINT, token_version BIGINT, created_at TIMESTAMP NOT NULL, expires_at TIMESTAMP, PRIMARY KEY (tenant, key)`,
		Compressed: []string{"body"},
		Indexes:    []string{"(expires_at)", "(lease_until) WHERE NOT done", "(created_at) WHERE " + endless},
	},
	{
		Name: "stock",
		Body: `tenant TEXT NOT NULL, environment TEXT NOT NULL, product TEXT NOT NULL, variant TEXT NOT NULL, on_hand BIGINT NOT NULL, reserved BIGINT NOT NULL, tracked BOOLEAN NOT NULL,
			PRIMARY KEY (tenant, environment, variant), CHECK (reserved >= 0), CHECK (NOT tracked OR on_hand >= reserved)`,
		Indexes: []string{"(tenant, environment, product)"},
		// Of stock only a new count by hand is told, which alone sets tracked; units that a placement takes
		// are not.
		NotifyOn: "UPDATE OF tracked",
	},
	{
		// Which holder has reserved how many units of stock.
		Name:    "reservations",
		Body:    `tenant TEXT NOT NULL, holder TEXT NOT NULL, environment TEXT NOT NULL, variant TEXT NOT NULL, quantity BIGINT NOT NULL, expires_at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, holder, environment, variant), CHECK (quantity > 0)`,
		Indexes: []string{"(expires_at)"},
	},
	{
		// How many units of a variant were last said to lie at a location: see inventory.Places.
		Name: "stock_places",
		Body: `tenant TEXT NOT NULL, environment TEXT NOT NULL, variant TEXT NOT NULL, location TEXT NOT NULL, units BIGINT NOT NULL,
			PRIMARY KEY (tenant, environment, variant, location), CHECK (units > 0)`,
		Indexes: []string{"(tenant, location, environment, variant)"},
	},
	{
		Name:    "discount_uses",
		Body:    `tenant TEXT NOT NULL, environment TEXT NOT NULL, discount TEXT NOT NULL, customer TEXT NOT NULL, holder TEXT NOT NULL, placed BOOLEAN NOT NULL, PRIMARY KEY (tenant, discount, holder)`,
		Indexes: []string{"(tenant, holder)", "(tenant, environment, discount)"},
	},
	{
		// Reserved and placed uses of a discount: by one customer, or by all ('').
		Name: "discount_counts",
		Body: `tenant TEXT NOT NULL, environment TEXT NOT NULL, discount TEXT NOT NULL, customer TEXT NOT NULL, used BIGINT NOT NULL, PRIMARY KEY (tenant, environment, discount, customer), CHECK (used >= 0)`,
	},
	{
		Name: "provider_calls",
		Body: `tenant TEXT NOT NULL, id TEXT NOT NULL, session TEXT NOT NULL, operation TEXT NOT NULL, attempt BIGINT NOT NULL, provider_key TEXT NOT NULL, request BYTES NOT NULL,
			outcome TEXT NOT NULL, detail TEXT NOT NULL, started_at TIMESTAMP NOT NULL, finished_at TIMESTAMP, PRIMARY KEY (tenant, id)`,
		Indexes: []string{"unique (tenant, session, operation, attempt)"},
	},
	{
		// Events of payment providers that were acted on, by the name that the provider gave them.
		Name:    "processed_webhooks",
		Body:    `tenant TEXT NOT NULL, connection TEXT NOT NULL, event TEXT NOT NULL, expires_at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, connection, event)`,
		Indexes: []string{"(expires_at)"},
	},
	{
		// Background work on payment sessions and refunds that are not settled yet, by when it is next due. Rows are
		// rewritten often: what a vacuum leaves to later, every claim reads again.
		Name: "payment_tasks",
		Body: `tenant TEXT NOT NULL, kind TEXT NOT NULL, item TEXT NOT NULL, lane TEXT NOT NULL, urgency BIGINT NOT NULL, since TIMESTAMP NOT NULL, due_at TIMESTAMP NOT NULL, fence BIGINT NOT NULL,
			PRIMARY KEY (tenant, kind, item)`,
		Indexes: []string{"(lane, urgency, due_at)"},
		Storage: "autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000",
	},
	{
		// The last count given of a series of order numbers: see OrderCounts.
		Name: "order_counts",
		Body: `tenant TEXT NOT NULL, environment TEXT NOT NULL, series TEXT NOT NULL, last BIGINT NOT NULL, PRIMARY KEY (tenant, environment, series)`,
	},
	{
		// Up to which event the team of a shop was told: see NoticePlaces.
		Name: noticePlaces,
		Body: `tenant TEXT PRIMARY KEY, sequence BIGINT NOT NULL`,
	},
	{
		// Up to which event of a shop was mailed: see MailPlaces.
		Name: mailPlaces,
		Body: `tenant TEXT PRIMARY KEY, sequence BIGINT NOT NULL`,
	},
	{
		// The ledger. Append-only.
		Name:       "ledger_entries",
		AppendOnly: true,
		Body: `tenant TEXT NOT NULL, id TEXT NOT NULL, environment TEXT NOT NULL, type TEXT NOT NULL, minor BIGINT NOT NULL, currency TEXT NOT NULL, provider TEXT NOT NULL, account_key TEXT NOT NULL, reference TEXT NOT NULL,
			checkout TEXT NOT NULL, order_id TEXT NOT NULL, at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, id), CHECK (minor > 0), CHECK (type IN ('charge', 'refund'))`,
		Indexes: []string{"unique (tenant, environment, provider, account_key, type, reference)", "(tenant, order_id)", "(tenant, environment, at)"},
	},
	{
		// What providers say that they settle for entries of the ledger, each once; entry_at is the time of the entry. Append-only.
		Name:       "ledger_settlements",
		AppendOnly: true,
		Body: `tenant TEXT NOT NULL, entry TEXT NOT NULL, environment TEXT NOT NULL, currency TEXT NOT NULL, net BIGINT NOT NULL, fee BIGINT NOT NULL, entry_at TIMESTAMP NOT NULL,
			PRIMARY KEY (tenant, entry)`,
	},
	{
		// What transactions moved of taxes, when; taxes is a JSON array. Append-only.
		Name:       "ledger_taxes",
		AppendOnly: true,
		Body: `tenant TEXT NOT NULL, id TEXT NOT NULL, environment TEXT NOT NULL, transaction_id TEXT NOT NULL, side TEXT NOT NULL, at TIMESTAMP NOT NULL, taxes TEXT NOT NULL,
			PRIMARY KEY (tenant, id)`,
		Indexes: []string{"(tenant, environment, at, id)"},
	},
	{
		// Orders to which ledger entries without an order were assigned later. Append-only.
		Name:       "ledger_assignments",
		AppendOnly: true,
		Body:       `tenant TEXT NOT NULL, entry TEXT NOT NULL, order_id TEXT NOT NULL, at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, entry)`,
		Indexes:    []string{"(tenant, order_id)"},
	},
}
