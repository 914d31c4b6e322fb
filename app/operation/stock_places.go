package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/app/stock"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// stockMove moves units of a variant between locations. Rule catalog-36.
func stockMove(s *stock.Service) Operation {
	return Operation{
		Name: "productVariants.moveStock", GraphQL: "productVariantStockMove", Summary: "Move units of a variant to another location",
		Doc: "The units on hand stay. Without from or to they come from or go to nowhere in particular. More than lie there are refused as not_at_location, with their number in data.units. " +
			"A move is a stock movement of the kind transfer. For admins, editors, and secret keys with write access. Without an idempotency key, a repeated call moves again.",
		Mutates: true, Method: "POST", Path: "/product-variants/{id}/stock/move", Surfaces: Root,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, KeyPolicy: KeyOptional,
		Params: []collection.Field{stockVariantParam},
		Input: []collection.Field{
			{
				Name: "from", Kind: collection.Relation, RelationTo: inventory.Locations.Slug,
				Doc: "Where the units lie; missing: nowhere in particular.",
			},
			{
				Name: "to", Kind: collection.Relation, RelationTo: inventory.Locations.Slug,
				Doc: "Where they go; missing: nowhere in particular.",
			},
			{Name: "units", Kind: collection.Integer, Required: true, Min: collection.Bound(1), Doc: "Units to move."},
			{Name: "note", Kind: collection.Textarea, MaxLength: maxStockNote, Doc: "Note to store with the movement."},
		},
		Output:  stockChangeFields,
		Reasons: []*fault.Error{inventory.ErrNotAtLocation, tenant.ErrFeatureDisabled},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			move := stock.Transfer{
				Transfer: inventory.Transfer{From: in.Text("from"), To: in.Text("to"), Units: in.PositiveInteger("units")},
				Note:     strings.TrimSpace(in.Text("note")),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Move(ctx, call, in.Param("id"), move)
		},
	}
}

// stockPlacesFields are the answer of productVariants.stockPlaces.
var stockPlacesFields = []collection.Field{
	{Name: "stock", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Units on hand."},
	{Name: "reserved", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Units of them that are reserved by pending payments."},
	{Name: "unplaced", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Units that lie nowhere in particular."},
	{
		Name: "places", Kind: collection.Array, Required: true, Doc: "All locations of the shop, in their order.",
		Fields: []collection.Field{
			{Name: "location", Kind: collection.Text, Required: true, Doc: "Id of the location."},
			{Name: "name", Kind: collection.Text, Required: true, Doc: "Its name."},
			{Name: "units", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Units of the variant that lie there; 0 if none do."},
		},
	},
}

// stockPlaces tells where the units of a variant lie. Rule catalog-36.
func stockPlaces(s *stock.Service) Operation {
	return Operation{
		Name: "productVariants.stockPlaces", GraphQL: "productVariantStockPlaces", Summary: "Show where the units of a variant lie",
		Doc: "In the environment of the caller. Units that were sold are taken from those that lie nowhere in particular, then from the last location. " +
			"For whoever may read variants.",
		Method: get, Path: "/product-variants/{id}/stock", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Params: []collection.Field{stockVariantParam}, Output: stockPlacesFields,
		Reasons: []*fault.Error{ports.ErrNotFound, tenant.ErrFeatureDisabled},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			l, err := s.Where(ctx, call.Principal, in.Param("id"))
			return respond(stockPlacesFields, lyingRecord(l), err)
		},
	}
}

func lyingRecord(l stock.Lying) collection.Record {
	places := make([]collection.Record, len(l.At))
	for i, at := range l.At {
		places[i] = collection.Record{"location": at.Location.ID(), "name": at.Location.Text("name"), "units": at.Units}
	}
	return collection.Record{"stock": l.Level.OnHand, "reserved": l.Level.Reserved, "unplaced": l.Unplaced, "places": places}
}

// locationStockFields are the answer of stockLocations.stock.
var locationStockFields = func() []collection.Field {
	fields := listOutput(collection.Field{Doc: "The variants of the page, by id.", Fields: []collection.Field{
		{
			Name: "variant", Kind: collection.Group, Required: true, Doc: "The variant.", Fields: []collection.Field{
				{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the variant."},
				{Name: "title", Kind: collection.Text, Doc: "Its title; null without one."},
				{Name: "sku", Kind: collection.Text, Doc: "Its SKU; null without one."},
				{Name: "product", Kind: collection.Text, Required: true, Doc: "Id of its product."},
				{Name: "productName", Kind: collection.Text, Doc: "Name of its product."},
			},
		},
		{Name: "units", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Units that lie there, from 1."},
	}})
	fields[0].Kind = collection.Array
	return fields
}()

// locationStock lists what lies at a location. Rule catalog-36.
func locationStock(s *stock.Service) Operation {
	return Operation{
		Name: "stockLocations.stock", GraphQL: "stockLocationStock", Summary: "List what lies at a location",
		Doc:    "The variants of which units lie there, in the environment of the caller. For whoever may read locations, products and variants.",
		Method: get, Path: "/stock-locations/{id}/stock", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Params: []collection.Field{{
			Name: "id", Alias: "locationId", Kind: collection.Relation, RelationTo: inventory.Locations.Slug, Doc: "The location.",
		}},
		Input: []collection.Field{
			{Name: "page", Kind: collection.Integer, Min: collection.Bound(1), Max: collection.Bound(1_000_000), Doc: "Page number, from 1."},
			{
				Name: "limit", Kind: collection.Integer, Min: collection.Bound(0), Max: collection.Bound(collection.MaxLimit),
				Doc: "Variants per page: 0 to 500, default 10. 0 only counts.",
			},
		},
		Output:  locationStockFields,
		Reasons: []*fault.Error{ports.ErrNotFound, tenant.ErrFeatureDisabled},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			page, limit := in.Int("page", 1), in.Int("limit", collection.DefaultLimit)
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			c, err := s.Contents(ctx, call.Principal, in.Param("id"), page, limit)
			return respond(locationStockFields, contentsRecord(c, page, limit), err)
		},
	}
}

func contentsRecord(c stock.Contents, page, limit int) collection.Record {
	docs := make([]collection.Record, len(c.Variants))
	for i, v := range c.Variants {
		named := collection.Record{"id": v.Variant.ID(), "product": v.Variant.Text("product")}
		for name, text := range map[string]string{
			"title": v.Variant.Text("title"), "sku": v.Variant.Text("sku"), "productName": v.Product.Text("name"),
		} {
			if text != "" {
				named[name] = text
			}
		}
		docs[i] = collection.Record{"variant": named, "units": v.Units}
	}
	r := collection.Record{"docs": docs}
	for _, m := range (records.RecordPage{Total: c.Total, Limit: limit, Page: page}).Members(reply.Member{})[1:] {
		r[m.Name] = m.Value
	}
	return r
}
