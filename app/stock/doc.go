// Package stock records every change of a count of stock, and lets operators change counts. Rules:
// features/catalog/RULES.md, from catalog-22.
//
// The store reports what a transaction moved before it commits, whatever moved it: a sale, a cancel, a return, an
// edit, an import. Recorder writes these movements in the same transaction, so that the movements of a variant
// add up to its stock. See Decision 40.
package stock
