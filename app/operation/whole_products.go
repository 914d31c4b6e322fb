package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/cataloging"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var productParam = collection.Field{
	Name: "id", Alias: "productId", Kind: collection.Relation, RelationTo: catalog.Products.Slug, Doc: "The product.",
}

// WholeProducts are the operations on products in one piece. Rules catalog-28, catalog-29, catalog-30.
func WholeProducts(s *cataloging.Service) []Operation {
	list := []Operation{readWholeProduct(s), createWholeProduct(s), replaceWholeProduct(s), duplicateProduct(s)}
	for i := range list {
		o := &list[i]
		o.Surfaces, o.AllowedKinds = Root, []tenant.Kind{tenant.User, tenant.SecretKey}
		o.Output = []collection.Field{{
			Name: "product", Kind: collection.Group, Required: true, Fields: cataloging.ProductFields(), Doc: "The product in one piece.",
		}}
		if o.Mutates {
			o.KeyPolicy = KeyOptional
			o.Reasons = append(o.Reasons, ports.ErrDuplicate, collection.ErrRecordTooLarge)
		}
	}
	return list
}

func readWholeProduct(s *cataloging.Service) Operation {
	return Operation{
		Name: "products.readComplete", GraphQL: "productComplete", Summary: "Read a product in one piece",
		Doc:    "The product with its options, variants, their prices in markets, images and stock, in the form in which it can be sent back. For those who may read its records, except shoppers.",
		Method: get, Path: "/products/{id}/complete", Params: []collection.Field{productParam}, Run: byID(s.Get),
	}
}

const wholeProductDoc = "Writes the product with its options, variants, prices in markets, images and stock in one transaction. Nothing changes if any part is refused, and the error has the path of each problem: variants.2.prices.0.amount. "

func createWholeProduct(s *cataloging.Service) Operation {
	return Operation{
		Name: "products.createComplete", GraphQL: "productCreateComplete", Summary: "Create a product in one piece",
		Doc:     wholeProductDoc + "The stock of a variant is what is on hand at first. For those who may write its records.",
		Mutates: true, Method: "POST", Path: "/products/complete", RawInput: true, Input: cataloging.FormFields(),
		Results: []ports.ReceiptResult{ports.ReceiptCreated},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			return s.Create(ctx, call, in.Raw())
		},
	}
}

func replaceWholeProduct(s *cataloging.Service) Operation {
	return Operation{
		Name: "products.replaceComplete", GraphQL: "productReplaceComplete", Summary: "Change a product in one piece",
		Doc: wholeProductDoc + "Fields that are left out stay as they are; a list is the whole list, so that a variant, an option or a price it lacks is removed, unless units of the variant are reserved. " +
			"A stock that differs from what is on hand needs expectedStock. Sending back what was read changes nothing. For those who may write its records.",
		Mutates: true, Method: put, Path: "/products/{id}/complete", Params: []collection.Field{productParam}, RawInput: true,
		Input:   append(cataloging.FormFields(), collection.ExpectedRevisionField()),
		Reasons: []*fault.Error{collection.ErrChangedMeanwhile, inventory.ErrStockChanged, inventory.ErrOutOfStock, cataloging.ErrVariantReserved},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			return s.Replace(ctx, call, in.Param("id"), in.Raw())
		},
	}
}

func duplicateProduct(s *cataloging.Service) Operation {
	return Operation{
		Name: "products.duplicate", GraphQL: "productDuplicate", Summary: "Duplicate a product",
		Doc: "Makes a draft with the options, variants, prices and images of a product. It has no stock, and none of the numbers that tell articles apart: SKUs and barcodes are left out. " +
			"For those who may write its records. Without an idempotency key, a repeated call makes another copy.",
		Mutates: true, Method: "POST", Path: "/products/{id}/duplicate", Params: []collection.Field{productParam},
		Input: []collection.Field{
			{Name: "name", Kind: collection.Text, MaxLength: 500, Doc: "Name of the copy; that of the product when missing."},
			{Name: "slug", Kind: collection.Text, MaxLength: 255, Doc: "Handle of the copy, made from the name when missing."},
		},
		Results: []ports.ReceiptResult{ports.ReceiptCreated},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			differing := cataloging.Copy{Name: in.Text("name"), Slug: in.Text("slug")}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Duplicate(ctx, call, in.Param("id"), differing)
		},
	}
}
