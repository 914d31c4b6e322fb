package catalog

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// VariantIn is a variant as it reads in a language. A title that was made from the labels of its values, and that nobody translated, is made
// from what they are in that language; options are the product's as they are stored.
func VariantIn(variant collection.Record, options []collection.Record, in tenant.Content) collection.Record {
	out := Variants.Localized(variant, in)
	alone := in
	alone.Fallback = tenant.NoFallback
	if in.IsDefault() || in.All || Variants.Localized(variant, alone)["title"] != nil || variant.Text("title") != titleOf(variant, options) {
		return out
	}
	translated := slices.Clone(options)
	for i, o := range translated {
		translated[i] = Options.Localized(o, in)
	}
	if title := titleOf(variant, translated); title != "" {
		out["title"] = title
	}
	return out
}
