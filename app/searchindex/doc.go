// Package searchindex keeps the index of what records are found by (see package domain/search), and asks it.
//
// The Indexer tells an indexing.Follower how: which records an event names is what it reads again, so that an event that is
// taken twice, by two instances or after a crash, does no harm. It is a second behind at least, since a round each time
// something changes would cost the purchases of a busy shop more than it is worth. An index of another version of what
// is extracted, or one whose next events have been deleted, is made again from the records. Rules search-7, search-8,
// Decision 60.
package searchindex
