// Package imports brings the rows of spreadsheet files into a shop: products, customers, orders, counts of stock and discounts.
// It is the reverse of package exports, by the columns of package domain/intake.
//
// A file is checked, stored and then worked through by a job, a chunk of rows per transaction. What a chunk changes, what
// became of each of its rows, and how far the job is are stored together: a row counts once, whatever is killed when. Rows are
// written by the use cases that also answer single requests, with the rights of the person who sent the file. Rules: see
// features/transfers/RULES.md. Decision 52.
//
// Decisions that the rules leave open:
//
//   - The rows of a chunk share a transaction. If the database refuses one of them, the chunk is undone and its records are
//     written one by one, so that a rejected row takes no other with it.
//   - A dry run writes each record, flushes it to the database, and undoes the transaction: it finds what the real one would. Earlier
//     records that matter to it are written again before it, in the same transaction (Decision 72).
//   - Rows of one product, or of one order, stand one after the other. A later row with the key of an earlier record is
//     rejected, since nobody can know which of the two is meant.
package imports
