package registry_test

import (
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/team"
)

// specified are the collections of Rule collections-20; false are those whose capability is not built yet.
var specified = map[string]bool{
	"tenants": true, "users": true, "user-invitations": true, "customers": true, "api-keys": true, "shop-profiles": true,
	"products": true, "product-options": true, "product-variants": true, "brands": true, "categories": true, "tags": true,
	"markets": true, "market-prices": true, "media": true, "videos": true, "posts": true, "pages": true,
	"discounts": true, "shipping-policies": true, "tax-rates": true, "tax-connections": true, "provider-connections": true,
	"transactions": true, "disputes": true,
	"carrier-batches": true,
	"carts":           true, "checkouts": true, "payment-sessions": true, "orders": true, "fulfillment-orders": true,
	"roles":           true,
	"stock-movements": true, "stock-locations": true,
	"fulfillments": true, "draft-orders": true, "return-requests": true, "webhook-endpoints": true, "webhook-deliveries": true,
	"comments": true, "saved-views": true, "user-preferences": true, "notifications": true, "exports": true, "imports": true, "import-results": true,
	"guest-erasures": true,
	"mail-templates": true, "mail-deliveries": true, "message-templates": true, "message-services": true,
}

func TestEverySpecifiedCollectionIsRegistered(t *testing.T) {
	registry, err := collection.NewRegistry(registry.Schemas()...)
	if err != nil {
		t.Fatal(err)
	}
	for slug, built := range specified {
		if there := registry.Get(slug) != nil; there != built {
			t.Errorf("%s: declared %v, specified %v", slug, there, built)
		}
	}
	for _, s := range registry.All() {
		if _, known := specified[s.Slug]; !known {
			t.Errorf("%s is specified nowhere", s.Slug)
		}
	}
}

// Whoever follows events decodes these members of a record by their kinds; a record of another kind would hold up the events of its shop.
func TestWhatOccasionsAreToldByHasTheirKinds(t *testing.T) {
	kinds := map[string]collection.Kind{
		"status": collection.Select, "paymentStatus": collection.Select, "type": collection.Select, "lowStock": collection.Boolean,
		"instructions": collection.Group, "lineCancels": collection.Array,
	}
	for _, s := range registry.Schemas() {
		if !slices.Contains(team.NoticedCollections, s.Slug) && !slices.Contains(mail.OccasionCollections, s.Slug) {
			continue
		}
		for name, kind := range kinds {
			if f, there := s.Field(name); there && f.Kind != kind {
				t.Errorf("%s of %s is %v, want %v", name, s.Slug, f.Kind, kind)
			}
		}
	}
}

// Every collection says who may do what, and what each of its fields is.
func TestEveryCollectionIsDeclaredInFull(t *testing.T) {
	for _, s := range registry.Schemas() {
		if s.Doc == "" {
			t.Errorf("%s has no description", s.Slug)
		}
		if !slices.Contains(s.Access.Admin, collection.Read) {
			t.Errorf("%s: admins cannot read it; is its access row missing?", s.Slug)
		}
		described(t, s.Slug, s.Fields)
	}
}

func described(t *testing.T, at string, fields []collection.Field) {
	t.Helper()
	for _, f := range fields {
		if f.Doc == "" {
			t.Errorf("%s.%s has no description", at, f.Name)
		}
		described(t, at+"."+f.Name, f.Fields)
	}
}
