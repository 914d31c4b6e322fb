// Package change makes the statements that make changes durable: the row of a record, its event and the
// event's entry in the queue of those that have no number yet, the tombstone of a record that goes, the
// receipt of a request, the first stock of a variant. It runs none but those it is asked to run. Those who
// write are the transactions of the store and package commit.
package change
