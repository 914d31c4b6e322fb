// Package productindex keeps what shoppers find products by (see package domain/productsearch) in step with the records.
//
// The Indexer tells an indexing.Follower how, as package searchindex does for operators: which products an event is about is what it
// reads again. A product is read with its variants, options, fixed prices and stock; its brand, categories and tags are groups of
// their own, so that a new name of a category is one entry. A sale is about a product only when it sells the last unit. Rules search-10
// to search-16, Decision 84.
package productindex
