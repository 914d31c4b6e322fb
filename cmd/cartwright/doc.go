// Command cartwright is the server and its tools in one binary.
//
// How an installation is restarted, saved and restored is in OPERATIONS.md, its settings are in CONFIGURATION.md. Here is
// how far it scales, with the arithmetic, and what would have to be built for more.
//
// # What one instance carries
//
// Measured on two cores that also carried Postgres 15, Redis and the load (make bench): 64 carts make three to four thousand
// durable changes a second, 2.3 times what a transaction for each reaches without HTTP, 256 carts 3 to 4 times; reading a cart
// is twice as fast as changing it; a whole checkout with its payment is 24 to 44 a second. An instance with nothing to do
// holds 100 MB, 100,000 idle carts add 24 goroutines and 1.4 MB. One cart addItem, over 8,499 of them in 8 seconds at 256
// carts of up to three lines, fsync and full_page_writes on, beside a busy machine, costs
//
//	5.8 kB   of write-ahead log in 9 records (5.7 kB and 8 at 64 carts)
//	2.2 kB   of event and 2.2 kB of receipt that stay on disk, with their indexes
//	0.05     syncs of the log: 22 changes shared one (13 at 64 carts)
//	0.34 ms  of processor in the server, 0.23 ms in Postgres, 0.015 ms in Redis
//	1        Redis command with 2.0 kB, which stay there as 2.2 kB
//	1.7 kB   of answer, about 2.2 kB with headers, for 0.5 kB of request
//
// and a checkout 15 to 20 ms of the server's processor and 33 to 45 ms of Postgres's (39 transactions, 13 of them the
// sandbox bank's).
//
// So one Postgres with 16 cores and NVMe, three fifths busy, carries about 8,000 cart changes a second with the 40,000 reads
// and 80 checkouts that come with them (1.8, 4.6 and 3.2 cores, 46 MB/s of log). Up to there nothing changes but numbers: add
// instances, all the same, behind a balancer. Go on reading when pg_stat_wal and the processor of Postgres say so, not before.
//
// # What is sticky, and what is not
//
// No request needs to come to a particular instance: carts, checkouts, receipts, counters, files and logins are in the
// database, in Redis and in the bucket. Compare-and-set decides between instances that work on the same cart. Sticky are:
//
//   - a connection that streams events, to its instance; it resumes on any other with Last-Event-ID;
//   - the numbering of events: one instance at a time per database, whoever holds the lock, and the next one when it ends;
//   - nothing else. A balancer that hashes on the cart's id or token spares instances that lose a race from deciding anew;
//     that is speed, not correctness, and it must give way when an instance goes.
//
// # 10,000 tenants and 50,000 cart changes a second
//
// The rate is taken as the peak, a third of it as the day's average, five reads for each change, and one change in a
// hundred as a checkout. Per second, by what was measured:
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
//	answers                  0.7 GB         (300,000 × 2.2 kB = 5.3 Gbit/s out)
//	Redis                    350,000 commands (a SET for each change, a counted call for each request), 130 MB in
//
// Server: 69 cores at full load, 115 at 60 %; 16 instances of 8 cores, two of which may be away. They hold 16 × 44
// connections to each database: 704, which is what max_connections = 1000 is for. A pooler between has to keep roles and
// prepared statements, so it works per session, and gains nothing.
//
// Databases: 61 cores in all, so one cannot do it: 290 MB/s of log is beyond what a primary with synchronous standbys
// writes in earnest, and a replica replays with one processor. Eight take 7.6 cores each at the peak: 16 cores, 64 GB.
// Each instance syncs one batch per database at a time, about a thousand a second on NVMe with 1 ms, which Postgres merges.
// 36 MB/s of log are 1,100 writes of 32 kB; what checkpoints write, 6,250 × 4.4 kB and the indexes, are 4,000 to 6,000 pages:
// provision 12,000 IOPS and 250 MB/s. One thing the measured bytes do not hold: in large tables, the key of a receipt lands
// on a random page of its index, and the first change of a page after a checkpoint logs all 8 kB of it. Unpartitioned that
// may double the log; see below.
//
// Disk: a third of the peak all day is 1.4 billion changes: 3.2 TB of events and 3.2 TB of receipts a day, in all. Events
// for 30 days are 95 TB, 12 TB for each database; for the four days of the shortest CARTWRIGHT_EVENT_RETENTION 13 TB, 1.6
// each. Receipts of carts answer for seven days: 22 TB, 2.8 each. So long before 50,000 a second the retention of events is
// the setting to turn, and a price to put on plans.
//
// Redis: 2.2 kB for a day at most (adapters/redis, maxKeep) would be 3.2 TB, which nobody wants to pay for a copy. Ten
// minutes of the peak are 66 GB: a cluster of six with 16 GB each and maxmemory-policy volatile-ttl, which lets go of
// receipts first and of the month's counters last. A receipt that is gone is looked up in the database. 350,000 commands a
// second are 58,000 for each, in pipelines; one does a multiple of that.
//
// # How to get there, in order
//
//  1. Read replicas for what may be a second late: lists, counts, the listing, exports, /events. Carts, checkouts, stock,
//     receipts and what decides over money stay on the primary, and so do deliveries (a replica may not have the row yet).
//  2. Events and receipts partitioned by time, a day each. Trimming drops a partition; today it deletes rows, which costs
//     the log once more and leaves the vacuum to do. The index of today's receipts stays in memory.
//  3. Tenants on databases of their own. A tenant never joins with another, so this is the natural cut: 1,250 tenants for
//     each of eight databases, the largest alone on one. Citus cuts at the same column (every table but accounts, revocations
//     and the system's own begins its key with tenant) and moves shards by itself; separate databases need a directory, and
//     fail, upgrade and restore one by one. The second is what we would take.
//  4. Redis Cluster (CARTWRIGHT_REDIS_URL=redis+cluster://…) works today: each command names one key. Commands over several
//     keys of a tenant, should there be any, need {tenant} in their names, so that they are in the same slot; a tenant
//     with a fifth of all traffic then has a fifth of a node's, not more than one.
//
// # What would have to change in the code first
//
// Nothing of these four but Redis is built. Honestly:
//
//   - sqlstore.Open takes one URL. It needs a map from tenant to database (ports.Scope has the tenant already), a directory
//     of accounts and API keys, which are global, on a database of its own, and one set of background loops per database:
//     sequencer, sweepers, deliveries and payments ask with ports.Scope{System: true}, which means all tenants of one.
//   - The committer writes a batch of many tenants in one statement. Per database it stays what it is; on Citus each batch
//     would be a distributed transaction over most nodes, so batches would have to be per shard.
//   - There is no pool for replicas, and no way for a reader to say how late it may be. Read-your-writes needs the log
//     position in the session or a second's stickiness to the primary.
//   - The keys of events (tenant, record, record_sequence) and receipts hold no time, and a partitioned table's key must.
//     A repeated key of yesterday has then to be looked for in two partitions.
//   - Row-level security counts on SET ROLE and set_config in each transaction. That holds on replicas; it was not tried on
//     Citus.
//   - Unique addresses of users and the platform-admin's lists go over all tenants, and would ask every database.
//   - The numbering of events was driven at about 5,000 a second, somewhat less than one database's share, and not beyond.
//   - A checkout costs a hundred cart changes in Postgres. Its 26 transactions are the first thing to make fewer.
package main
