// Package indexing keeps indexes of every tenant's records in step with the tenant's events: what packages searchindex and productindex
// have in common.
//
// A Follower takes a page of events after the other into an index, and moves the place of the tenant by compare-and-set, so that any
// number of instances may follow: what one has done the others leave. An index that another version made, or whose next events have
// been deleted, is cleared and made again from the records, in pages, too. What stands in an index is said by its Steps.
package indexing
