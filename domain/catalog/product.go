package catalog

import "github.com/cartwright-dev/cartwright/domain/collection"

// Sellable reports whether shoppers may open and buy p: it is published or unlisted. Contract 4.
func Sellable(p collection.Record) bool {
	s := p.Text("status")
	return s == Published || s == Unlisted
}

// CategoriesOf is every category p stands in, the main one first, each once.
func CategoriesOf(p collection.Record) []string {
	var ids []string
	if main := p.Text("category"); main != "" {
		ids = append(ids, main)
	}
	for _, id := range p.Texts("categories") {
		if id != p.Text("category") {
			ids = append(ids, id)
		}
	}
	return ids
}

// ShipsBy reports whether a variant is sent to an address: as it says, else when it is physical. Contract 3.
func ShipsBy(variant collection.Record) bool {
	if b, ok := variant["requiresShipping"].(bool); ok {
		return b
	}
	return KindOf(variant) == Physical
}

// KindOf is the kind of a variant; physical when it does not say.
func KindOf(variant collection.Record) string {
	if k := variant.Text("kind"); k != "" {
		return k
	}
	return Physical
}

// ImageOf is the media id that stands for a variant: its own first image, else the product's; "" for none.
func ImageOf(product, variant collection.Record) string {
	for _, r := range []collection.Record{variant, product} {
		if images := r.Texts("images"); len(images) > 0 {
			return images[0]
		}
	}
	return ""
}

// Tracked reports whether the units of a variant are counted; true unless it says otherwise.
func Tracked(variant collection.Record) bool {
	return variant["trackInventory"] == nil || variant.Bool("trackInventory")
}
