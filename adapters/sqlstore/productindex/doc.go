// Package productindex finds products for shoppers with sets of bits: each product has a number, and each term the set of the
// numbers of the products that have it, as compressed bitmaps of 65,536 numbers each. What has all words of a query, what is
// left by a filter, and how many of that are in stock, are intersections of such sets, which take microseconds.
//
// Facets are counted by columns, which list the values of each product by its number, and which are made of the sets: what was found
// has a few products mostly, and a shop thousands of values.
//
// The bitmaps are rows of the database, so that any number of instances share them and a backup has them; each instance keeps what it
// used last in memory. A tenant's place has a revision that every change of its rows raises, and the last changes name their terms:
// a search reads the revision, and drops what has changed since.
//
// What changes many rows is written in steps, so that nobody waits long for the writer. Before the bits of a product are changed, its row says which
// they may be from then on, and afterwards which they are: whoever goes on after a crash knows all bits that may be set. A claim
// in the place, which everybody who begins replaces, lets only the last one write.
package productindex
