// Package list answers lists of records: a page and how many there are in all. It caches counts and where
// pages ended, and brings both up to date from the events that came since (cachedList, changeFeed). Ranges that were
// never asked for before are not counted either, but looked up in a tally of the values that there are (tally).
//
// What a page of ten with a state, a price range and the newest first took of Postgres, of a shop with 100,000 products
// of which 7,000 match, in µs of processor time on a busy machine, which doubles or triples all of them:
//
//	                                     before   now
//	planning the statement anew             500     0   the tally says which plan is right, and the statement is
//	                                                    written for it (wayToPage) and planned once
//	comparing 7,000 tenants in the policy   650     0   (400 fewer where a range is counted still: see boundTest
//	                                                    in package migrate)
//	counting 7,000 entries of the index    1200     0   two binary searches in the process
//	reading 150 rows in order, and ten      300   300   documents with their stock, and the news of the feed
//
// In the same minutes 16 clients got 220 to 290 such lists a second before and 1,550 to 1,700 now; the server took
// 1,100 µs for each and takes 400, since fewer goroutines wait; the load itself takes 130. A tally is made of at most
// 200,000 records in one statement beside the requests, after three ranges were counted; changes keep it exact, as they do
// counts.
//
// Right after a bulk load Postgres takes the table for as small as it was before. It then read all products for each of
// the ten of a page (7.8 s: all lists timed out); now rows of a page are fetched by id in a way that it cannot turn
// around, and a slow list has it gather statistics of what has grown (growthWatch in package sqlstore). What remains is
// that the first reader of each page of the disk writes it, too.
package list
