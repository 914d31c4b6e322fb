// Package searchindex stores what records are found by: a row for each term of each record, in a table whose key
// begins with the term, so that a look-up reads a range of it.
//
// Another index leads from a record to its terms. It decides which records with the rarest of several words have
// the others as well, and what a record contributed before it changed; a partial one does so for parts, such as
// parcels, which contribute to another record. See Decision 60.
package searchindex
