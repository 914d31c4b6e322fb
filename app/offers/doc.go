// Package offers looks up everything a sale depends on: offers with prices and stock, discount codes, shipping
// policies.
//
// # Lookups
//
// Carts, checkouts and drafts call Lookup with the reader they have. Inside a transaction that is the
// transaction's own, so that prices, codes and stock are those the transaction sees (Decision 12); nothing is
// cached then. The number of queries does not depend on the number of lines: market, variants, products, fixed
// prices, codes and policies are read once each, and only if needed. (Lists of more than 20 000 ids are split.)
//
// # Known before the transaction
//
// A checkout without codes looks up before its transaction, mostly in memory: Cache.Versioned. On Postgres every tenant has
// a catalog version, which triggers replace with each commit that changes any of the collections that facts are made of.
// Facts are remembered with the version that was read before them. The transaction reads the version again, with the
// stock, which is not part of it: if it is the same, the facts are what the transaction would find; if not, it looks up
// itself. So one short statement, for all checkouts that share the transaction, is worth six of each, and notifications
// play no part in it.
//
// # The cache
//
// Carts use a Cache of facts per tenant instead. It may be stale, since everything that takes money looks up
// again inside its transaction. It is stale at most as follows:
//
//   - Changes made by this process through WrapStore and WrapCommitter drop the tenant's facts before the
//     request is answered.
//   - Stock that this process takes in a transaction that has prefetched it is noted as the transaction leaves it. Of two
//     such transactions the earlier may be noted last.
//   - Changes made by other instances and commands drop them when they are notified (ports.ChangeNotifier),
//     milliseconds after the commit. On Postgres that is LISTEN/NOTIFY and not Redis: it is sent exactly with
//     the commit, whoever writes, it arrives after the change can be read, and it is available whenever there
//     is a second instance. On SQLite the file is watched.
//   - After an interruption of the notifications everything is dropped.
//   - A lost notification, or stock taken by a placement on another instance, is noticed after the lifetime
//     given to NewCache, one second in the server. Only freshness depends on notifications.
//
// Placements send no notification: they would be serialized by the lock with which Postgres orders
// notifications, each with its own flush, and drop all facts of a busy tenant many times a second. A cart
// that is unaware of a placement may accept a quantity that the checkout refuses. A longer lifetime would
// save few lookups, since there is at most one per fact and second, and increase that staleness.
package offers
