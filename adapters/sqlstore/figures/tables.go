// Package figures adds up what was ordered and paid, and keeps the sums of days and months.
//
// # Sums
//
// A row of report_figures has what the facts of one day or month come to, by what is told apart: of totals the market, the
// provider and the currency, of products the product and the currency. Days before report_states.made were added up; those
// without facts have no row.
//
// # Late facts
//
// Triggers write a row into report_late for each fact that is earlier than report_states.closed when it is recorded, in the
// transaction that records it, whoever that is. Until the day was added up again, whoever asks reads it from its facts.
//
// On Postgres a transaction may have recorded a fact before it could see closed, and commit after the day was added up. So
// after closed was set, another transaction, the barrier, takes a number, and days are added up once every transaction with a
// smaller one has ended: the trigger looks after its transaction has its number, so one that did not see closed has a smaller
// one. SQLite has one writer at a time, and needs no barrier.
//
// # Other versions
//
// A server of an older version leaves columns of its rows empty that were added since, before an update and while instances of
// both run. As long as a tenant has such a row, its sums are in no time zone, so they are not read and are made again.
package figures

import "github.com/cartwright-dev/cartwright/adapters/sqlstore/table"

// notCounted is what rows have as movements that a server of a version without that column added up. A sum that has one in it is
// negative, too, since no shop has as many movements, and no sum of such rows overflows.
const notCounted = "-100000000000"

// Tables are those of the sums.
var Tables = []table.SystemTable{
	{
		// Span is day or month, starts its first day as 2026-01-31, kind totals or products.
		Name: "report_figures",
		Body: `tenant TEXT NOT NULL, environment TEXT NOT NULL, kind TEXT NOT NULL, span TEXT NOT NULL, starts TEXT NOT NULL, currency TEXT NOT NULL, market TEXT NOT NULL, provider TEXT NOT NULL, product TEXT NOT NULL,
			orders BIGINT NOT NULL, orders_canceled BIGINT NOT NULL, ordered BIGINT NOT NULL, units BIGINT NOT NULL, units_canceled BIGINT NOT NULL, payments BIGINT NOT NULL, revenue BIGINT NOT NULL, refunds BIGINT NOT NULL,
			movements BIGINT NOT NULL DEFAULT ` + notCounted + `, told BIGINT NOT NULL DEFAULT 0, settled BIGINT NOT NULL DEFAULT 0, fees BIGINT NOT NULL DEFAULT 0,
			PRIMARY KEY (tenant, environment, kind, span, starts, currency, market, provider, product)`,
		Added: []string{
			"movements BIGINT NOT NULL DEFAULT " + notCounted, "told BIGINT NOT NULL DEFAULT 0", "settled BIGINT NOT NULL DEFAULT 0", "fees BIGINT NOT NULL DEFAULT 0",
		},
		Indexes: []string{"(tenant) WHERE movements < 0"},
	},
	{
		// Made is a day, and made_at when it begins in the time zone.
		Name: "report_states",
		Body: `tenant TEXT PRIMARY KEY, version BIGINT NOT NULL, zone TEXT NOT NULL, closed TIMESTAMP, barrier BIGINT NOT NULL, made TEXT, made_at TIMESTAMP`,
	},
	{
		// Each fact has its own row: nobody waits for another one's, and forgetting one forgets no other.
		Name:    "report_late",
		Body:    `tenant TEXT NOT NULL, environment TEXT NOT NULL, fact TEXT NOT NULL, at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, environment, fact)`,
		Indexes: []string{"(tenant, at)"},
	},
}
