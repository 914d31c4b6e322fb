package cataloging

import (
	"slices"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
)

// The members of a form that are no fields of records.
const (
	idName      = "id"
	optionsName = "options"
	variantName = "variants"
	pricesName  = "prices"
	valuesName  = "optionValues"
	reasonName  = "stockReason"
)

// ProductFields are the members of a product in one piece, as it is answered.
var ProductFields = sync.OnceValue(func() []collection.Field { return forms(false) })

// FormFields are the members of the form that a product in one piece is made of. What ProductFields has may be sent back.
var FormFields = sync.OnceValue(func() []collection.Field {
	return append(forms(true), collection.Field{
		Name: reasonName, Kind: collection.Text, MaxLength: inventory.MaxReason,
		Doc: "Why stock changes, in a few words; stored with its movements.",
	})
})

func forms(input bool) []collection.Field {
	variant := shown(catalog.Variants, input, "product", valuesName, "position")
	variant = append(variant, collection.Field{
		Name: valuesName, Kind: collection.Array, Fields: valueFields, Doc: "The chosen values, at most one per option.",
	}, collection.Field{
		Name: pricesName, Kind: collection.Array, Fields: shown(catalog.MarketPrices, input, "variant", "market"),
		Doc: "Fixed prices in markets, one per market, at most 100.",
	})
	variant[len(variant)-1].Fields = append([]collection.Field{{
		Name: "market", Kind: collection.Text, Required: !input, Doc: "The market; an id, or in a form its code.",
	}}, variant[len(variant)-1].Fields...)
	option := shown(catalog.Options, input, "product", "position")
	return append(shown(catalog.Products, input, optionsName, "stock"), collection.Field{
		Name: optionsName, Kind: collection.Array, Fields: option, Doc: "What a shopper chooses between, in order, at most 10.",
	}, collection.Field{
		Name: variantName, Kind: collection.Array, Fields: variant,
		Doc: "Its variants, in order, at most 1,000. In a form, one is known by its id, else by its option values.",
	})
}

var valueFields = []collection.Field{
	{Name: "option", Kind: collection.Text, Doc: "Name of the option."},
	{Name: "value", Kind: collection.Text, Doc: "Label of the value."},
}

// shown are the fields of s that a form has, but those named. Links are ids.
func shown(s *collection.Schema, input bool, without ...string) []collection.Field {
	out := []collection.Field{
		{Name: idName, Kind: collection.Text, Required: !input, Doc: "Id; missing for what is new."},
		{
			Name: collection.RevisionName, Kind: collection.Integer,
			Doc: "Revision. In a form: refused as changed_meanwhile if it is not the present one.",
		},
	}
	for _, f := range slices.Concat(s.Fields, updateInput(s, input)) {
		if f.ReadOnly || slices.Contains(without, f.Name) {
			continue
		}
		f.Required, f.VisibleTo = f.Required && !input, collection.Everyone // only staff comes here
		f.Fields = groupWithIDs(f.Fields)
		out = append(out, withID(f))
	}
	return out
}

// withID is a field whose link is an id.
func withID(f collection.Field) collection.Field {
	switch f.Kind { //nolint:exhaustive // only links are shown in another way
	case collection.Relation, collection.Upload:
		f.Kind, f.RelationTo, f.Doc = collection.Text, "", f.Doc+" An id."
	case collection.RelationMany, collection.UploadMany:
		f.Kind, f.RelationTo, f.Doc = collection.Texts, "", f.Doc+" Ids."
	}
	return f
}

// groupWithIDs are the fields of a group, whose links are ids.
func groupWithIDs(fields []collection.Field) (all []collection.Field) {
	for _, f := range fields {
		f.Fields = groupWithIDs(f.Fields)
		all = append(all, withID(f))
	}
	return all
}

// updateInput are the members by which a form says what its stock replaces.
func updateInput(s *collection.Schema, input bool) []collection.Field {
	if !input || s != catalog.Variants {
		return nil
	}
	return s.UpdateInput
}
