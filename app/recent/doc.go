// Package recent remembers records that this process wrote lately, so that a step which follows at once knows what its
// transaction will lock and read without asking the database first.
//
// A record may have changed since, in another process. It is a guess about what a transaction needs: whatever is decided is
// decided on what the transaction locks. Only fields that never change may be relied on: ids of other records, who owns it.
package recent
