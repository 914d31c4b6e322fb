// Command bench compares Cartwright with a peer, in one run on one machine, and prints ratios: absolute
// figures of a noisy machine mean little. All writes on both sides are durable (fsync and synchronous_commit
// are on), and the load generator shares the cores with what it measures.
//
// On Postgres and Redis, Cartwright over HTTP is compared with pgbench, which does the same work without
// HTTP, on the same rows and indexes and with the same bytes. Each part is a ratio:
//
//   - carts: addItem by 64 and by 256 clients with a cart each ÷ one plain transaction per mutation;
//   - hot: addItem to one cart by 64 clients ÷ the same;
//   - retrieve: reading a cart from the database ÷ addItem, both over HTTP;
//   - list: a page of 10 with filter, sort and total ÷ the page query and the count; one of a hundred calls is a write;
//   - ranges: a page of 10 of one large shop by 16 clients, with a range of prices that nobody asked for before ÷ the same;
//     before that, the same in the first seconds after a bulk load;
//   - get: a product by id ÷ its row by primary key;
//   - create: a product ÷ one transaction with its rows and events;
//   - graphql: a page of 10 with a cached document, and with a new one ÷ the same page over REST;
//   - walk: a page at the end of a long list ÷ one at its start;
//   - checkouts: whole purchases (cart, checkout, session, approval, capture, order) at a sandbox provider without latency,
//     with the widget and on its page, by few and many buyers ÷ as many plain transactions as a purchase has steps (see
//     plainSteps). The provider is a process of its own, whose time is shown and not counted. Then 200 buyers want the
//     last 100 units of a variant, and exactly 100 get one;
//   - hung: addItem, and purchases in other shops, while a provider never answers and many customers keep trying to pay
//     there ÷ the same without that provider.
//
// Five parts have no peer; they have a bound or print figures:
//
//   - idle: what a server costs that nobody uses: statements a second on Postgres, resident memory, the time of a start
//     with and without the demo, the size of the binary. Then goroutines and memory of a server on which 100,000 carts
//     were created and changed once: before, meanwhile, and when they are as before. This takes a minute longer than the
//     changes, since carts stay cached that long;
//   - carrier: export and import of a carrier file with 10,000 orders, as CSV and as a workbook, on both databases: the time,
//     and the largest heap of the server;
//   - search-orders: each kind of search in a shop with 100,000 orders on Postgres, by two clients without a pause: the p99
//     beside its limit of 30 ms. With -search-orders=1000000 the import takes longer than everything else;
//   - summary: figures of a month by day, of a year by month and by product in the same shop: the p99 beside its limit;
//   - webhooks: 10,000 events at once, and then some every second, to eight endpoints that answer, without and with two that
//     never do, on both databases: deliveries per second, the delay from event to arrival, and how many plain requests the
//     same receiver accepts from a program that does nothing else.
//
// Another one compares two ways of the API:
//
//   - bulk: 1,000 patches of differing values in one request ÷ as many single requests, one after the other and by 64 clients, on
//     both databases.
//
// On SQLite the peer is a program that uses database/sql on the same file (see sqliteCatalog and sqliteCarts).
//
// Rates depend on the other load of the machine, and not equally on both sides: the peer has as many backends
// as clients that compete for the processors, Cartwright has a server and a few. Processor time per operation
// changes least, so both are printed.
//
// Results on two cores without other load, with 64 clients and a million products: lists 1.08×, gets 0.59×,
// creates 2.01×, the end of a walk 0.96×. A get took 60 µs in the server (half of it HTTP, a seventh logging,
// a seventh decoding and encoding) and 50 in Postgres, and 75 on the peer; a page of ten 500 and 2000, nearly
// all of it the page query, and 2900 on the peer with the count; a create 270 and 510, and 1550 on the peer.
// A page over GraphQL costs the same as over REST, and 500 µs more with a new document.
//
// Carts, compared with a warm peer: 2.0 to 2.9× at 64 clients and 3.3 to 5× at 256, 12 to 17× on one cart, 3× for a
// retrieve; on SQLite 2.4 to 2.6× a prepared transaction. A change of a cart takes 115 to 145 µs in the
// server, 75 to 100 in Postgres and 11 to 15 in Redis; the peer takes 490 to 700 in Postgres. Of the server's
// time two fifths are HTTP, half of that reading and writing the connection; a third is the cart's worker,
// half for the decision and half for encoding record, receipt and event; the rest is the commit, Redis, and
// garbage collection of 203 allocations. The two cores are the limit: at 64 clients the p99 is 21 to 25 ms on
// a quiet machine, a third more than the peer's median, and several times that when another process flushes
// the disk, since a whole batch waits for it. Several commit lanes, less frequent garbage collection, writing
// receipts to Redis later, and deciding ahead of the commit did not improve this; doing less work does.
//
// Where the time of a cart change goes (addItemsWithAccount), 64 clients, p50 / p99 in ms of the best of three rounds on a busy
// day, when the peer's median was 50: the request 16 / 46; of that waiting for its cart's worker 0.1 / 0.6, and its run 16 /
// 45; of that waiting for a group commit 1.8 / 10 and the commit 8 / 32, which waits for the disk and for Postgres to get a
// processor; what is left are 5 ms for deciding, Redis, and waiting for a processor twice. So the p99 is a commit that takes
// four times the usual one, once or, for who just missed it, twice; the shop's own queues are 1 ms of it.
//
// Purchases, on days when the machine took 1.2 to 2.2 ms of Postgres for a plain transaction of the peer at 32 clients, which
// is 0.5 to 0.7 on a quiet one; of two runs, the quieter first. By 32 clients, with the widget: 5.4 to 6.3 ms in the server and
// 6.9 to 9.4 in Postgres: 0.48 and 0.77× of five plain transactions in processor time, 0.34 and 0.44× in rate, since the bank's
// 3 ms and the clients' take part in that; about 3 transactions, one of which only reads. Hosted 0.53 and 0.74×, 0.44 and 0.45×,
// 5 transactions: the webhook's mark is written with what it told of. By 128 clients 1.8 and 2.1×, 1.10 and 1.03×, hosted 2.0
// and 2.1×, 1.26 and 1.00×, 2 to 3 transactions: more buyers share one, while the peer's backends get into each other's way, so
// that a busier machine flatters these ratios. The slowest step has a p99 of 230 to 340 ms by 32 clients: that closed loop keeps
// both processors busy, and a step waits for the others. 200 buyers of the last 100 units: exactly 100 orders, 170 to 400
// attempts a second, no deadlock.
//
// Runs in turn, with a second shared transaction from 16 waiting units on and from a full one on: 15.8 and 12.4 ms of server and
// Postgres, 12.1 and 10.4, by 32 clients; 9.0 and 8.1, 9.1 and 8.4, by 128. Two half-full ones wait for each other's rows.
//
// Where Postgres's time goes: 45 statements, 11 events among them, in about 150 entries of indexes, each of which takes some 14 µs.
// Without a second index on fields of few values, for descending lists, and without entries of empty values it took 0.7 ms less;
// rows that share statements by two or three, instead of from eight on, save nothing: to start one costs what unpacking its
// arrays does. In the server a fifth are system calls, 16 % sending statements, 8 % reading rows, 13 % deciding, 5 % Redis; no
// function stands out.
//
// Reads on SQLite: every commit of anybody empties the page caches of all other connections, and the server counts calls more
// often than once a second. Of a get 40 % was reading pages again; mapped into memory it takes 270 µs instead of 500, and a list
// 2.0 ms instead of 4.1. The peer of a get writes nothing meanwhile, and keeps its cache: 0.14× where it was 0.08×.
//
// On SQLite 0.39 to 0.48× in rate and 0.24 to 0.34× in processor time: units of work share the flush of the disk, and of the 10 ms in the server 6
// are in the only writer, which they keep busy for two thirds of the time while it waits for the disk in the rest: 45 rows and
// their 150 entries of indexes, where five plain transactions have 20 rows and take 2.8 ms. HTTP takes 2.
//
// 100,000 carts, changed once by 64 clients: 25 goroutines and 6.5 MB before, at most 154 and 212 MB with
// garbage, 85 and 37 MB right after, when up to 4096 carts are cached and closed connections are being
// noticed, and 21 and 7.7 MB a minute later.
//
// Concurrent reads share statements, so a get becomes cheaper with more clients and the peer's dearer: 0.2×
// at 16 clients, 0.3× at 32, 0.5 to 0.6× at 64, 0.9× at 128.
package main
