package exports

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxIDs is how many ids one query has.
const maxIDs = 500

// columns are the columns of an export. Those of markets are for who may read markets and their prices. Errors:
// fault.ErrValidation for columns.
func (s *Service) columns(ctx context.Context, p tenant.Principal, sheet transfer.Sheet, names []string) ([]transfer.Column, error) {
	if sheet.Kind != transfer.Products.Kind {
		return sheet.Pick(names)
	}
	markets, err := s.markets(ctx, p)
	if err != nil {
		return nil, err
	}
	return sheet.Pick(names, append(transfer.MarketColumns(markets), transfer.LocaleColumns(p.Tenant.OtherLocales())...)...)
}

// markets are the markets of a shop whose prices p may read.
func (s *Service) markets(ctx context.Context, p tenant.Principal) ([]collection.Record, error) {
	for _, shown := range []*collection.Schema{catalog.Markets, catalog.MarketPrices} {
		if reach, err := access.Allowed(p, shown, collection.Read); err != nil || !reach.All {
			return nil, nil //nolint:nilerr // who may not read prices in markets has no columns with them
		}
	}
	return ports.FindAll(ctx, s.Store.Read(ports.ForPrincipal(p)), collection.Query{Schema: catalog.Markets})
}

// rows are the rows of some records, with what they show of others.
func (x *export) rows(ctx context.Context, page []collection.Record) (rows []transfer.Row, err error) {
	switch x.sheet.Kind {
	case transfer.Orders.Kind:
		parcels, err := x.related(ctx, order.Fulfillments, "order", ids(page))
		for _, o := range page {
			rows = append(rows, transfer.OrderRows(o, parcels[o.ID()])...)
		}
		return rows, err
	case transfer.Products.Kind:
		return x.productRows(ctx, page)
	case transfer.Stock.Kind:
		products, err := x.byID(ctx, catalog.Products, links(page, "product"))
		for _, v := range page {
			rows = append(rows, transfer.Row{transfer.Variant: v, transfer.Product: products[v.Text("product")]})
		}
		return rows, err
	case transfer.Discounts.Kind:
		return x.discountRows(ctx, page)
	}
	for _, customer := range page {
		rows = append(rows, transfer.CustomerRow(customer))
	}
	return rows, nil
}

func (x *export) productRows(ctx context.Context, page []collection.Record) (rows []transfer.Row, err error) {
	variants, err := x.related(ctx, catalog.Variants, "product", ids(page))
	if err != nil {
		return nil, err
	}
	options, err := x.related(ctx, catalog.Options, "product", ids(page))
	if err != nil {
		return nil, err
	}
	markets, err := x.markets(ctx, x.principal)
	if err != nil {
		return nil, err
	}
	marketByID := map[string]collection.Record{}
	for _, m := range markets {
		marketByID[m.ID()] = m
	}
	var all []collection.Record // of the variants
	for _, some := range variants {
		all = append(all, some...)
	}
	var prices map[string][]collection.Record
	if len(markets) > 0 {
		if prices, err = x.related(ctx, catalog.MarketPrices, "variant", ids(all)); err != nil {
			return nil, err
		}
	}
	handle, err := x.handles(ctx, map[*collection.Schema][]string{
		catalog.Brands: links(page, "brand"), catalog.Categories: append(links(page, "category"), links(page, "categories")...),
		catalog.Tags: links(page, "tags"), media.Schema: append(links(page, "images"), links(all, "images")...),
	})
	for _, p := range page {
		rows = append(rows, transfer.ProductParts{
			Product: p, Variants: variants[p.ID()], Options: options[p.ID()], Prices: prices, Markets: marketByID, Handle: handle,
		}.Rows()...)
	}
	return rows, err
}

func (x *export) discountRows(ctx context.Context, page []collection.Record) (rows []transfer.Row, err error) {
	wanted := map[*collection.Schema][]string{}
	for _, field := range transfer.DiscountLinks {
		f, _ := x.sheet.Lists.Field(field)
		target := x.Records.Registry.Get(f.Target())
		wanted[target] = append(wanted[target], links(page, field)...)
	}
	handle, err := x.handles(ctx, wanted)
	for _, d := range page {
		rows = append(rows, transfer.DiscountRow(d, handle))
	}
	return rows, err
}

// handles reads records, and returns what they are called in files: their slug, code or address.
func (x *export) handles(ctx context.Context, wanted map[*collection.Schema][]string) (handle func(id string) string, err error) {
	found := map[string]string{}
	for s, some := range wanted {
		records, err := x.byID(ctx, s, some)
		if err != nil {
			return nil, err
		}
		for id, r := range records {
			found[id] = strings.Join([]string{r.Text("slug"), r.Text("code"), r.Text("url")}, "") // each has one of these
		}
	}
	return func(id string) string { return found[id] }, nil
}

func (x *export) byID(ctx context.Context, s *collection.Schema, wanted []string) (map[string]collection.Record, error) {
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	if len(wanted) == 0 {
		return nil, nil
	}
	return x.Store.Read(ports.ForPrincipal(x.principal)).GetMany(ctx, s, wanted, nil)
}

// related are the records of s that refer to one of ids by a field, by what they refer to, oldest first.
func (x *export) related(
	ctx context.Context, s *collection.Schema, field string, to []string,
) (map[string][]collection.Record, error) {
	by := map[string][]collection.Record{}
	for some := range slices.Chunk(to, maxIDs) {
		err := ports.FindEach(ctx, x.Store.Read(ports.ForPrincipal(x.principal)), collection.Query{
			Schema: s, Environment: string(x.principal.Environment), Where: collection.FieldIn(s, field, some), Now: x.Now(),
		}, func(found []collection.Record) error {
			for _, r := range found {
				by[r.Text(field)] = append(by[r.Text(field)], r)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return by, nil
}

func ids(records []collection.Record) []string {
	all := make([]string, len(records))
	for i, r := range records {
		all[i] = r.ID()
	}
	return all
}

// links are the ids in a relation field of records.
func links(records []collection.Record, field string) (all []string) {
	for _, r := range records {
		if id := r.Text(field); id != "" {
			all = append(all, id)
		}
		all = append(all, r.Texts(field)...)
	}
	return all
}
