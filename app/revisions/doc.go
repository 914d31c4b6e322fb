// Package revisions refuses an operation on a record, such as a cancel, when its caller expects another revision of the
// record than the present one: somebody changed it while the caller looked at it. Rule collections-32.
//
// The comparison is part of the operation's own transactions, after the look-up of its receipt, so that a repeated call is
// still answered with the first response. Of an operation with several transactions, each compares until one of them was
// committed that locked or changed the record or began a call to a provider. From then on the operation itself, or what the
// provider tells, changes the record, and a refusal would leave half of it done.
//
// Staff are refused before the state of the record is judged: "somebody changed it" says more than "it is canceled
// already". All others are refused last, after the operation found that they may see the record.
package revisions
