package records

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Family is the options and variants of one product in a transaction that holds the product's lock and locks on the stock of
// all these variants. Writes that share a family read them once and not each anew, and leave it to the transaction to bring
// up to date what depends on stock: ports.Tx.SyncStock. Every write notes in it what it stored.
type Family struct {
	Options, Variants []collection.Record
}

// list is the records of s in the family; nil for collections that it does not have.
func (f *Family) list(s *collection.Schema) *[]collection.Record {
	switch {
	case f == nil:
		return nil
	case s.Slug == catalog.Options.Slug:
		return &f.Options
	case s.Slug == catalog.Variants.Slug:
		return &f.Variants
	}
	return nil
}

// find is the record of s with an id, nil where the family has none.
func (f *Family) find(s *collection.Schema, id string) collection.Record {
	if all := f.list(s); all != nil {
		if at := slices.IndexFunc(*all, func(r collection.Record) bool { return r.ID() == id }); at >= 0 {
			return (*all)[at]
		}
	}
	return nil
}

// note keeps what a change stored.
func (f *Family) note(changes ...collection.Change) {
	for _, c := range changes {
		all := f.list(c.Schema)
		if all == nil {
			continue
		}
		at := slices.IndexFunc(*all, func(r collection.Record) bool { return r.ID() == c.ID() })
		switch {
		case c.After == nil && at >= 0:
			*all = slices.Delete(*all, at, at+1)
		case c.After != nil && at >= 0:
			(*all)[at] = c.After
		case c.After != nil:
			*all = append(*all, c.After)
		}
	}
}

// variants are the variants of the family, none without one.
func (f *Family) variants() []collection.Record {
	if f == nil {
		return nil
	}
	return f.Variants
}

// lockFamily answers the variants and options of the product of the variant that w writes. It locks the product, which
// serializes concurrent writes of its variants.
func lockFamily(ctx context.Context, tx ports.Tx, w *Write) (variants, options []collection.Record, err error) {
	if w.family != nil {
		return w.family.Variants, w.family.Options, nil
	}
	product := w.After.Text("product")
	if w.After == nil {
		product = w.Before.Text("product")
	}
	if _, err := tx.Records.Lock(ctx, catalog.Products, product); err != nil {
		return nil, nil, err
	}
	if variants, err = listRelated(ctx, tx, w, catalog.Variants, "product", product); err != nil || w.After == nil {
		return variants, nil, err
	}
	options, err = listRelated(ctx, tx, w, catalog.Options, "product", product)
	return variants, options, err
}
