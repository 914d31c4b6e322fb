package catalog

import "github.com/cartwright-dev/cartwright/domain/collection"

// Sellable reports whether shoppers may open and buy p: it is published or unlisted. Rule catalog-2.
func Sellable(p collection.Record) bool {
	s := p.Text("status")
	return s == Published || s == Unlisted
}

// CategoriesOf lists every category of p, the main one first, each once.
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

// RequiresShipping reports whether a variant is sent to an address: by its own flag, or else if it is
// physical. Rule catalog-15.
func RequiresShipping(variant collection.Record) bool {
	if b, ok := variant["requiresShipping"].(bool); ok {
		return b
	}
	return KindOf(variant) == Physical
}

// KindOf is the kind of a variant, physical by default.
func KindOf(variant collection.Record) string {
	if k := variant.Text("kind"); k != "" {
		return k
	}
	return Physical
}

// ImageOf is the media id of the image of a variant: its own first image, or else the product's; "" for none.
func ImageOf(product, variant collection.Record) string {
	for _, r := range []collection.Record{variant, product} {
		if images := r.Texts("images"); len(images) > 0 {
			return images[0]
		}
	}
	return ""
}

// Tracked reports whether the stock of a variant is counted, which is the default.
func Tracked(variant collection.Record) bool {
	return variant["trackInventory"] == nil || variant.Bool("trackInventory")
}
