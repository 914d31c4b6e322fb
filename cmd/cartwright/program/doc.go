// Package program is the command cartwright: the server and its tools in one binary.
//
// OPERATIONS.md in the folder above describes restarts, backups and restores, and CONFIGURATION.md the
// settings. This comment describes how far an installation scales, with the arithmetic, and what would have to
// be built for more.
//
// # Capacity of one database
//
// Measured on two cores that also ran Postgres 15, Redis and the load (make bench): 64 carts make three to
// four thousand durable changes a second, 2.3 times as many as with a transaction for each and without HTTP,
// 256 carts 3 to 4 times as many; reading a cart is twice as fast as changing it; whole checkouts with
// payment are 24 to 44 a second. An idle instance uses 100 MB, and 100,000 idle carts add 24 goroutines and
// 1.4 MB. The cost of one cart addItem, averaged over 8,499 of them in 8 seconds at 256 carts of up to three
// lines, with fsync and full_page_writes on, on a busy machine, is
//
//	5.8 kB   of write-ahead log in 9 records (5.7 kB and 8 at 64 carts)
//	2.2 kB   of event and 2.2 kB of receipt that stay on disk, with their indexes
//	0.05     syncs of the log: 22 changes shared one (13 at 64 carts)
//	0.34 ms  of processor in the server, 0.23 ms in Postgres, 0.015 ms in Redis
//	1        Redis command with 2.0 kB, stored as 2.2 kB
//	1.7 kB   of response, about 2.2 kB with headers, for 0.5 kB of request
//
// and that of a whole purchase, from cart to order, what 10 to 15 such changes cost in plain transactions: on a machine on
// which one of these takes 1.6 ms, 6 ms of the server's processor and 10 of Postgres's, in 54 statements and 7 transactions
// with 32 buyers, and in 4 with 128, since buyers share them.
//
// So one Postgres with 16 cores and NVMe, at 60 % load, handles about 8,000 cart changes a second, with the
// 40,000 reads and 80 checkouts that come with them (1.8, 4.6 and 3.2 cores, 46 MB/s of log). Up to there,
// scaling means adding identical instances behind a load balancer. The rest of this comment matters once
// pg_stat_wal and the processor load of Postgres approach these figures.
//
// # What is sticky, and what is not
//
// No request needs a particular instance: carts, checkouts, receipts, counters, files and logins are in the
// database, in Redis and in the bucket. Compare-and-set decides between instances that change the same cart.
// Sticky are only:
//
//   - a connection that streams events, to its instance; it resumes on any other with Last-Event-ID;
//   - the numbering of events: one instance at a time per database, the one that holds the lock, and another when it ends.
//
// A balancer that hashes on the cart's id or token saves instances that lose a race from deciding again. This
// affects speed, not correctness, and the balancer must use other instances when one fails.
//
// # 10,000 tenants and 50,000 cart changes a second
//
// This rate is the peak; the daily average is taken as a third of it, with five reads for each change, and
// one change in a hundred as a checkout. Per second, by the measurements above:
//
//	                         all            one of 8 databases
//	cart changes             50,000         6,250
//	  log                    290 MB         36 MB
//	  Postgres processor     11.5 cores     1.5
//	  server processor       17 cores
//	checkouts                500            63
//	  Postgres processor     20 cores       2.5
//	  server processor       9 cores
//	reads                    250,000        31,250         (half of a change each)
//	  server processor       43 cores
//	  Postgres processor     29 cores       3.6, or on replicas
//	responses                0.7 GB         (300,000 × 2.2 kB = 5.3 Gbit/s out)
//	Redis                    350,000 commands (a SET for each change, a counted call for each request), 130 MB in
//
// Server: 69 cores at full load, 115 at 60 %; 16 instances of 8 cores, of which two may fail. They have 16 ×
// 44 connections to each database, 704, which fits max_connections = 1000. A connection pooler would have to
// keep roles and prepared statements, so it would have to work per session, and gain nothing.
//
// Databases: 61 cores in all, too much for one: 290 MB/s of log is beyond what a primary with synchronous
// standbys writes reliably, and a replica replays with one processor. Each of eight takes 7.6 cores at the
// peak: 16 cores, 64 GB. Each instance syncs one batch per database at a time, about a thousand a second on
// NVMe with 1 ms, and Postgres merges these syncs. 36 MB/s of log are 1,100 writes of 32 kB; checkpoints
// write 6,250 × 4.4 kB and the indexes, 4,000 to 6,000 pages: provision 12,000 IOPS and 250 MB/s. The
// measured bytes lack one effect: in large tables, the key of a receipt goes to a random page of its index,
// and the first change of a page after a checkpoint logs all 8 kB of it. Without partitions this may double
// the log; see below.
//
// Disk: a third of the peak all day is 1.4 billion changes: 3.2 TB of events and 3.2 TB of receipts a day, in
// all. Events of 30 days are 95 TB, 12 TB for each database; of four days, the shortest
// CARTWRIGHT_EVENT_RETENTION, 13 TB, 1.6 each. Receipts of carts are kept for seven days: 22 TB, 2.8 each. So
// long before 50,000 changes a second, the retention of events must be shortened, or paid for by plans.
//
// Redis: 2.2 kB for a day at most (adapters/redis, maxKeep) would be 3.2 TB, too much for a copy. Ten minutes
// of the peak are 66 GB: a cluster of six with 16 GB each and maxmemory-policy volatile-ttl, which evicts
// receipts first and monthly counters last. An evicted receipt is read from the database. 350,000 commands a
// second are 58,000 for each node, pipelined; a node handles several times that.
//
// # How to get there, in order
//
//  1. Read replicas for data that may be a second old: lists, counts, the listing, exports, /events. Carts, checkouts, stock,
//     receipts and everything that decides about money stay on the primary, and so do deliveries (a replica may not have the
//     row yet).
//  2. Events and receipts partitioned by day. Trimming then drops a partition; today it deletes rows, which writes the log
//     again and leaves work for the vacuum. The index of today's receipts stays in memory.
//  3. Tenants on several databases. A tenant is never joined with another, so this is the natural partition: 1,250 tenants for
//     each of eight databases, the largest tenant alone on one. Citus partitions by the same column (the key of every table
//     begins with the tenant, but for accounts, revocations and system tables) and moves shards by itself; separate databases
//     need a directory, and fail, upgrade and restore one by one. We would choose separate databases.
//  4. Redis Cluster (CARTWRIGHT_REDIS_URL=redis+cluster://…) works today: each command has one key. Commands with several
//     keys of a tenant, if there ever are any, need {tenant} in their names, so that they are in the same slot; one node then
//     handles all commands of a tenant, which is enough for a tenant with a fifth of all traffic.
//
// # What would have to change in the code first
//
// Of these four, only Redis Cluster is implemented:
//
//   - sqlstore.Open takes one URL. It needs a map from tenant to database (ports.Scope has the tenant already), a directory
//     of accounts and API keys, which are global, on a database of its own, and one set of background loops per database:
//     sequencer, sweepers, deliveries and payments read with ports.Scope{System: true}, which means all tenants of one
//     database.
//   - The committer writes a batch of many tenants in one statement. Per database this can stay; on Citus each batch would be
//     a distributed transaction over most nodes, so batches would have to be per shard.
//   - There is no pool for replicas, and a reader cannot state how old its data may be. Read-your-writes needs the log
//     position in the session, or the primary for a second after a write.
//   - The keys of events (tenant, record, record_sequence) and receipts have no time, and a partitioned table's key must have
//     one. An idempotency key must then be looked up in two partitions.
//   - Row-level security relies on SET ROLE and set_config in each transaction. This works on replicas; it was not tried on
//     Citus.
//   - Unique email addresses of users and the platform admin's lists concern all tenants, and would query every database.
//   - The numbering of events was tested at about 5,000 a second, somewhat less than one database's share, and not beyond.
//   - A checkout costs as much as a hundred cart changes in Postgres. Its 26 transactions should be reduced first.
package program
