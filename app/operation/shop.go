package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/shopprofile"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/shop"
)

// shopFields are what everybody may read of a shop: its logo as the record it is.
var shopFields = append([]collection.Field{
	{Name: "name", Kind: collection.Text, Required: true, Doc: "Name of the shop, as its customers know it."},
	{Name: "locale", Kind: collection.Text, Doc: "Language in which the shop addresses its buyers: a BCP 47 tag."},
}, publicProfileFields()...)

func publicProfileFields() []collection.Field {
	fields := slices.Clone(shop.PublicFields)
	for i := range fields {
		if fields[i].Kind == collection.Upload {
			fields[i].Kind, fields[i].RelationTo = collection.Relation, media.Schema.Slug
		}
	}
	return fields
}

// Shop are the operations that show a shop to its visitors. Rules shop-4, addresses-4.
func Shop(s *shopprofile.Service) []Operation {
	return []Operation{{
		Name: "shop.retrieve", GraphQL: "shop", Summary: "Show the shop",
		Doc: "Who is behind the shop, where it is, how to reach it and by which terms it sells: what the law wants at the foot of each page. " +
			"It is read by the client key alone and may be cached. It shows no settings.",
		Method: get, Path: "/shop", Surfaces: Both, Output: shopFields, Cacheable: true,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			members, err := s.Public(ctx, call.Principal)
			return respondWith(collection.Everyone, err, members...)
		},
	}, addressForm(s)}
}
