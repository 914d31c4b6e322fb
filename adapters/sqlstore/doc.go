// Package sqlstore implements the ports of storage in SQL: records with their events and receipts, stock,
// discount uses and the ledger, in Postgres behind row-level security or in one embedded SQLite file.
//
// # Packages
//
// Package db connects and runs statements, package table maps a collection to a table, and package change
// makes the statements of a change. Above these, each by itself: package migrate brings a database up to
// date, commit joins many small writes, eventlog numbers, reads and trims events, list answers lists, gather
// reads by id, deliveries is the queue of webhooks. This package is above them: a Store opens the database,
// migrates it and gives out one small type for each port. The architecture test of the domain keeps it so.
//
// # Reading
//
// Reads outside a transaction are one round trip. Every statement on records has the tenant predicate;
// row-level security is the second line of defense. On Postgres, reads by id of many callers share statements
// (package gather): a row then costs a fifth of what a transaction of its own would.
//
// Totals of lists are exact and seldom counted: a process caches them, and brings them up to date from the
// events of the snapshot in which it reads the page (package list). It caches where pages ended, so that the
// next one starts there. Not cached are conditions through relations, on computed fields and on values that
// change with time, and collections that change constantly: those are counted. Events may be trimmed ten
// minutes after they happened, at the earliest. Searched text, and membership in lists but for the relations
// that a schema marks as indexed, read the whole tenant, within the time of a query (Options.QueryTime):
// trigram operators are not leakproof, so row-level security would keep them from their index.
//
// # Writing
//
// Small writes of single records go through a commit.Committer, which makes all that wait durable with one
// commit: at most 512 steps of 128 tenants at a time, at most 8192 waiting. More are refused as unavailable,
// never queued without bound. All other work is a transaction (Store.Atomically); one that declares its reads
// up front (ports.Scope.Prefetch) takes two round trips to Postgres: the first begins it and reads, the
// second writes and commits.
//
// # Versions beside each other
//
// Instances of an older version may keep serving while newer ones run. They do not know the newer columns and
// leave them as they were; filters, sorting and unique values by these are wrong for what they write, until a
// newer instance writes the columns from the documents: at its start, and with every call of Sweep, in the
// server every five seconds. Counts that another instance caches follow with its own next call. A row with a
// unique value that another row has stays as it is, and a warning names it. What no version tells, such as
// another Fold, takes Options.Backfill.
//
// # By hand and by bun
//
// Statements of the hot paths are SQL by hand: each was measured, and none may cost more than one plan and
// one round trip shared by many. Those of small tables that no list reads are made from models by bun
// (models.go, db.Builder); they run on the same sessions and are prepared once like the others. By hand are
// besides, and why:
//
//   - Claims: one upsert under a fence, on the database's clock, that returns the new fence; every part of it is an
//     expression, and the table is that of the receipts, the hottest there is.
//   - Usage.Save: counts of all tenants in one statement of one text; bun would make another text, to be prepared, for
//     every number of tenants.
//   - Ledger.Assign: an INSERT … SELECT, which bun has not. LedgerReader.Balances and StockDrift: sums over a union and
//     over a join of sums, where bun would only quote the text. LedgerReader.Taxes: a comparison of pairs.
//   - What is swept: the same statement for every table, by the place of its rows on Postgres and by their key on SQLite.
//   - Stock and discount uses: conditional updates whose row count decides, sent together in the order of their locks.
//   - Deliveries: what a claim takes is one statement whose plan is tested.
package sqlstore
