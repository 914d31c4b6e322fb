package browsing

import (
	"context"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// detail is a product with everything that belongs to it.
type detail struct {
	product    collection.Record
	options    []collection.Record // by position
	variants   []variant           // by position
	related    map[string]map[string]collection.Record
	currency   money.Currency
	quantities bool
}

// variant is one variant with its price and stock.
type variant struct {
	record collection.Record
	price  catalog.ResolvedPrice
	priced bool // false: it has no price in this market and cannot be bought
	level  inventory.Level
}

func (v variant) available() bool { return v.priced && v.level.Spares(1) }

func priced(f *quoting.Facts, product, record collection.Record, fixed *catalog.Price) variant {
	v := variant{record: record, level: inventory.Level{OnHand: record.Int("stock"), Reserved: record.Int("reserved"), Tracked: catalog.Tracked(record)}}
	price, err := f.Price(product, record, fixed)
	if err == nil && price.Amount.Currency == f.Currency {
		v.price, v.priced = price, true
	}
	return v
}

// embedded are the collections whose records stand inside a product; other relations stay ids.
var embedded = map[string]*collection.Schema{
	catalog.Brands.Slug: catalog.Brands, catalog.Categories.Slug: catalog.Categories, catalog.Tags.Slug: catalog.Tags,
	media.Schema.Slug: media.Schema, media.Videos.Slug: media.Videos,
}

// loadRelated fetches the embedded records, one query per collection.
func (d *detail) loadRelated(ctx context.Context, r ports.Reader, variants []collection.Record) error {
	wanted := map[string][]string{}
	links := catalog.Products.Links(d.product)
	for _, v := range variants {
		links = append(links, catalog.Variants.Links(v)...)
	}
	for _, l := range links {
		if embedded[l.Slug] != nil && !slices.Contains(wanted[l.Slug], l.ID) {
			wanted[l.Slug] = append(wanted[l.Slug], l.ID)
		}
	}
	d.related = map[string]map[string]collection.Record{catalog.Options.Slug: {}}
	for slug, ids := range wanted {
		found, err := r.GetMany(ctx, embedded[slug], ids)
		if err != nil {
			return err
		}
		d.related[slug] = found
	}
	for _, o := range d.options {
		d.related[catalog.Options.Slug][o.ID()] = o
	}
	return nil
}

// view embeds what was loaded; a record that is gone reads as null.
func (d *detail) view() collection.View {
	v := collection.View{Depth: 1, Find: func(slug, id string) (*collection.Schema, collection.Record, bool) {
		s := embedded[slug]
		if slug == catalog.Options.Slug {
			s = catalog.Options
		}
		return s, d.related[slug][id], s != nil
	}}
	if d.quantities {
		v.Audience = collection.Staff
	}
	return v
}

// present is r without list members that are gone.
func (d *detail) present(s *collection.Schema, r collection.Record) collection.Record {
	out := r.Clone()
	for _, f := range s.Fields {
		if f.Kind != collection.RelationMany && f.Kind != collection.UploadMany {
			continue
		}
		out[f.Name] = slices.DeleteFunc(slices.Clone(r.Texts(f.Name)), func(id string) bool { return d.related[f.Target()][id] == nil })
	}
	return out
}

// append writes the product and closes the answer around it.
func (d *detail) append(dst []byte) []byte {
	product := d.present(catalog.Products, d.product)
	product["options"] = idsOf(d.options)
	dst = collection.AppendJSON(dst, catalog.Products, product, d.view())
	dst = dst[:len(dst)-1]
	dst = collection.AppendString(append(dst, `,"handle":`...), d.product.Text("slug"))
	dst = d.appendImage(append(dst, `,"featuredImage":`...), catalog.ImageOf(product, nil))
	available := slices.ContainsFunc(d.variants, variant.available)
	dst = strconv.AppendBool(append(dst, `,"available":`...), available)
	dst = strconv.AppendBool(append(dst, `,"availableForSale":`...), available)
	dst = d.appendRange(append(dst, `,"priceRange":`...), func(p catalog.Price) money.Money { return p.Amount })
	dst = d.appendRange(append(dst, `,"compareAtPriceRange":`...), func(p catalog.Price) money.Money { return p.CompareAt })
	if d.quantities {
		dst = d.appendQuantities(dst)
	}
	dst = append(dst, `,"variants":[`...)
	for i, v := range d.variants {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = d.appendVariant(dst, v)
	}
	return append(dst, "]}}"...)
}

func (d *detail) appendQuantities(dst []byte) []byte {
	var reserved, free int64
	for _, v := range d.variants {
		reserved += v.level.Reserved
		free += max(0, v.level.Free())
	}
	dst = strconv.AppendInt(append(dst, `,"reserved":`...), reserved, 10)
	return strconv.AppendInt(append(dst, `,"availableQuantity":`...), free, 10)
}

func (d *detail) appendImage(dst []byte, id string) []byte {
	image := d.related[media.Schema.Slug][id]
	if image == nil {
		return append(dst, "null"...)
	}
	return collection.AppendJSON(dst, media.Schema, image, collection.View{})
}

// appendRange writes {min, max, currency} over the variants that have such an amount, null when none has.
func (d *detail) appendRange(dst []byte, of func(catalog.Price) money.Money) []byte {
	var least, most money.Money
	for _, v := range d.variants {
		m := of(v.price.Price)
		if !v.priced || m.Currency == "" {
			continue
		}
		if least.Currency == "" || m.Minor < least.Minor {
			least = m
		}
		if most.Currency == "" || m.Minor > most.Minor {
			most = m
		}
	}
	if least.Currency == "" {
		return append(dst, "null"...)
	}
	dst = least.AppendMajor(append(dst, `{"min":`...))
	dst = most.AppendMajor(append(dst, `,"max":`...))
	return append(collection.AppendString(append(dst, `,"currency":`...), string(d.currency)), '}')
}

func (d *detail) appendVariant(dst []byte, v variant) []byte {
	dst = collection.AppendJSON(dst, catalog.Variants, d.present(catalog.Variants, v.record), d.view())
	dst = dst[:len(dst)-1]
	dst = v.appendPrice(append(dst, `,"resolvedPrice":`...))
	dst = strconv.AppendBool(append(dst, `,"available":`...), v.available())
	dst = strconv.AppendBool(append(dst, `,"availableForSale":`...), v.available())
	if d.quantities {
		dst = append(dst, `,"availableQuantity":`...)
		if v.level.Tracked {
			dst = strconv.AppendInt(dst, max(0, v.level.Free()), 10)
		} else {
			dst = append(dst, "null"...)
		}
	}
	dst = append(dst, `,"selectedOptions":[`...)
	for _, o := range d.options {
		for _, value := range o.Rows("values") {
			if !slices.Contains(v.record.Texts("optionValues"), value.ID()) {
				continue
			}
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			dst = collection.AppendString(append(dst, `{"name":`...), o.Text("name"))
			dst = append(collection.AppendString(append(dst, `,"value":`...), value.Text("label")), '}')
		}
	}
	return append(dst, "]}"...)
}

func (v variant) appendPrice(dst []byte) []byte {
	if !v.priced {
		return append(dst, "null"...)
	}
	dst = v.price.Amount.AppendMajor(append(dst, `{"amount":`...))
	dst = append(dst, `,"compareAtPrice":`...)
	if v.price.CompareAt.Currency != "" {
		dst = v.price.CompareAt.AppendMajor(dst)
	} else {
		dst = append(dst, "null"...)
	}
	dst = collection.AppendString(append(dst, `,"currency":`...), string(v.price.Amount.Currency))
	dst = append(dst, `,"marketId":`...)
	if v.price.MarketID != "" {
		dst = collection.AppendString(dst, v.price.MarketID)
	} else {
		dst = append(dst, "null"...)
	}
	return append(collection.AppendString(append(dst, `,"source":`...), string(v.price.Source)), '}')
}
