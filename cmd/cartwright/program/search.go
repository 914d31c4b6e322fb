package program

import (
	"github.com/cartwright-dev/cartwright/app/productindex"
	"github.com/cartwright-dev/cartwright/app/searchindex"
)

// openIndexer builds what keeps the indexes of what records and products are found by.
func (s *Server) openIndexer() {
	searches := searchindex.Indexer{
		Index: s.store.SearchIndex(), Events: s.store.EventLog(), Store: s.store, Fold: foldCase, Log: s.log,
		Task: s.background.Task("search index"), Numbered: s.store.EventsNumbered().Listen(),
	}
	s.indexer = searches.Follower()
	s.products = s.store.ProductSearch()
	products := productindex.Indexer{
		Index: s.products, Events: s.store.EventLog(), Store: s.store, Fold: foldCase, Log: s.log,
		Task: s.background.Task("product index"), Numbered: s.store.EventsNumbered().Listen(),
	}
	s.productIndexer = products.Follower()
}
