// Package db connects to the two databases, Postgres and one embedded SQLite file, and runs statements on them.
//
// # Sessions
//
// A Session runs statements: outside of transactions (DB.Reader), in a transaction (DB.InTransaction), or in
// one that begins and commits together with other statements (DB.OnConnection). A run is one round trip to
// Postgres, however many statements it has. SQL is written once for both databases, with $1, $2… for
// arguments; what differs is in Dialect.
//
// On Postgres every session is bound to the tenants of its scope before its first statement, in the same
// round trip: row-level security hides the rows of all others from the role of the application. The role of
// the system, for work across tenants, sees all rows; neither role owns a table.
//
// # Failures
//
// A circuit breaker stops asking a Postgres that cannot be reached. A watchdog pings one that stopped
// answering while results are awaited, and closes its connections when the ping is not answered either. A
// transaction that lost against another one runs again (DB.Retry); statements outside of transactions are
// repeated once when the pooled connection was dead and no result had reached the caller.
//
// # Statements by hand and by bun
//
// What is hot (batches, lists, reads joined across callers, stock, discount uses, receipts and claims,
// deliveries) is SQL by hand, measured statement by statement. The rest is made from models by bun (Builder):
// accounts, revocations, processed webhooks, sealed tokens, pending blobs, sums of usage, provider calls,
// entries of the ledger. bun only makes the text, once per kind of statement and with marks for the
// arguments; the session runs it like any other. So a statement of bun is prepared once and takes the same
// single round trip, within the same transaction and the same tenants.
package db
