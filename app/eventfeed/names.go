package eventfeed

import (
	"cmp"
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// namedActors are the collections that have the names of actors.
var namedActors = map[tenant.Kind]*collection.Schema{
	tenant.User: identity.Users, tenant.SecretKey: identity.APIKeys, tenant.Customer: identity.Customers,
}

// namesOf are the names of those who made events, by id, as the shop has them now: events keep no name, so that it goes when a
// person is erased.
func (s *Service) namesOf(ctx context.Context, of tenant.ID, events []ports.Event) (map[string]string, error) {
	wanted := map[*collection.Schema][]string{}
	seen := map[string]bool{}
	for i := range events {
		a := events[i].Actor
		if schema := namedActors[a.Kind]; schema != nil && a.ID != "" && !seen[a.ID] {
			seen[a.ID] = true
			wanted[schema] = append(wanted[schema], a.ID)
		}
	}
	names := make(map[string]string, len(seen))
	for schema, ids := range wanted {
		found, err := s.Store.Read(ports.ForTenant(of)).GetMany(ctx, schema, ids, nil)
		if err != nil {
			return nil, err
		}
		for id, r := range found {
			names[id] = cmp.Or(r.Text("name"), r.Text("email"))
		}
	}
	return names, nil
}
