package sqlstore

// commerceTables belong to receipts and claims, stock, discount uses, the provider journal and the ledger.
var commerceTables = []systemTable{
	{
		// One row per idempotency key: a claim while not done (fence, lease_until), then the kept answer.
		name: "receipts",
		body: `tenant TEXT NOT NULL, key BYTES NOT NULL, fingerprint BYTES NOT NULL, done BOOLEAN NOT NULL, fence BIGINT NOT NULL DEFAULT 0, lease_until TIMESTAMP,
			result TEXT, body BYTES, request_id TEXT, record TEXT, revision BIGINT, token_version BIGINT, created_at TIMESTAMP NOT NULL, expires_at TIMESTAMP, PRIMARY KEY (tenant, key)`,
		packed:  []string{"body"},
		indexes: []string{"(expires_at)", "(lease_until) WHERE NOT done"},
	},
	{
		name: "stock",
		body: `tenant TEXT NOT NULL, environment TEXT NOT NULL, product TEXT NOT NULL, variant TEXT NOT NULL, on_hand BIGINT NOT NULL, reserved BIGINT NOT NULL, tracked BOOLEAN NOT NULL,
			PRIMARY KEY (tenant, environment, variant), CHECK (reserved >= 0), CHECK (NOT tracked OR on_hand >= reserved)`,
		indexes: []string{"(tenant, environment, product)"},
	},
	{
		// What the reserved units of stock are promised to.
		name:    "reservations",
		body:    `tenant TEXT NOT NULL, holder TEXT NOT NULL, environment TEXT NOT NULL, variant TEXT NOT NULL, quantity BIGINT NOT NULL, until_time TIMESTAMP NOT NULL, PRIMARY KEY (tenant, holder, environment, variant), CHECK (quantity > 0)`,
		indexes: []string{"(until_time)"},
	},
	{
		name:    "discount_uses",
		body:    `tenant TEXT NOT NULL, environment TEXT NOT NULL, discount TEXT NOT NULL, customer TEXT NOT NULL, holder TEXT NOT NULL, placed BOOLEAN NOT NULL, PRIMARY KEY (tenant, discount, holder)`,
		indexes: []string{"(tenant, holder)", "(tenant, environment, discount)"},
	},
	{
		// Reserved and placed uses of a discount: by one customer, or by all ('').
		name: "discount_counts",
		body: `tenant TEXT NOT NULL, environment TEXT NOT NULL, discount TEXT NOT NULL, customer TEXT NOT NULL, used BIGINT NOT NULL, PRIMARY KEY (tenant, environment, discount, customer), CHECK (used >= 0)`,
	},
	{
		name: "provider_calls",
		body: `tenant TEXT NOT NULL, id TEXT NOT NULL, session TEXT NOT NULL, operation TEXT NOT NULL, attempt BIGINT NOT NULL, provider_key TEXT NOT NULL, request BYTES NOT NULL,
			outcome TEXT NOT NULL, detail TEXT NOT NULL, started_at TIMESTAMP NOT NULL, finished_at TIMESTAMP, PRIMARY KEY (tenant, id)`,
		indexes: []string{"unique (tenant, session, operation, attempt)"},
	},
	{
		// Events of payment providers that were acted on, by the name that the provider gave them.
		name:    "heard_events",
		body:    `tenant TEXT NOT NULL, connection TEXT NOT NULL, event TEXT NOT NULL, until_time TIMESTAMP NOT NULL, PRIMARY KEY (tenant, connection, event)`,
		indexes: []string{"(until_time)"},
	},
	{
		// The books. Rows are only ever added.
		name:       "money_movements",
		appendOnly: true,
		body: `tenant TEXT NOT NULL, id TEXT NOT NULL, environment TEXT NOT NULL, type TEXT NOT NULL, minor BIGINT NOT NULL, currency TEXT NOT NULL, provider TEXT NOT NULL, account TEXT NOT NULL, reference TEXT NOT NULL,
			checkout TEXT NOT NULL, order_id TEXT NOT NULL, at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, id), CHECK (minor > 0), CHECK (type IN ('charge', 'refund'))`,
		indexes: []string{"unique (tenant, environment, provider, account, type, reference)", "(tenant, order_id)"},
	},
	{
		// Orders that were given money of the books which belonged to none. Rows are only ever added.
		name:       "money_assignments",
		appendOnly: true,
		body:       `tenant TEXT NOT NULL, movement TEXT NOT NULL, order_id TEXT NOT NULL, at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, movement)`,
		indexes:    []string{"(tenant, order_id)"},
	},
}
