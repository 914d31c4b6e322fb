package suspension

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ShopQuery is which tenants of the installation are listed.
type ShopQuery struct {
	Text         string // in the name or the slug, whatever its case; "": all
	Plan, Status string // "": all
	Limit, Page  int    // from 1
}

// Shop is a tenant of the installation.
type Shop struct {
	Record collection.Record // of identity.Tenants
	Calls  int64             // of the API in this month, up to a second late
}

// Shops are a page of the tenants of the installation, by name, and how many there are. Rule access-71. Errors: fault.ErrForbidden
// for all but platform admins and the system, fault.ErrUnauthenticated.
func (s *Service) Shops(ctx context.Context, by tenant.Principal, q ShopQuery) (shops []Shop, total int64, err error) {
	if err := RequirePlatform(by); err != nil {
		return nil, 0, err
	}
	found, err := s.Store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: identity.Tenants, Where: s.matching(q), Sort: identity.Tenants.SortBy("name"), Limit: q.Limit, Page: q.Page,
	})
	if err != nil {
		return nil, 0, err
	}
	ids := make([]tenant.ID, len(found.Docs))
	for i, r := range found.Docs {
		ids[i] = tenant.ID(r.ID())
	}
	calls, err := s.Usage.SumOthers(ctx, "", ids, quota.MonthOf(quota.DayOf(s.Now())))
	if err != nil {
		return nil, 0, err
	}
	for i, r := range found.Docs {
		shops = append(shops, Shop{r, calls[ids[i]]})
	}
	return shops, found.TotalDocs, nil
}

// matching is the condition of q; nil for all tenants.
func (s *Service) matching(q ShopQuery) collection.Cond {
	var all collection.And
	if text := strings.TrimSpace(q.Text); text != "" {
		text = s.Fold(text)
		all = append(all, collection.Or{
			identity.Tenants.Where("name", collection.Contains, text), identity.Tenants.Where("slug", collection.Contains, text),
		})
	}
	for field, value := range map[string]string{"plan": q.Plan, "status": q.Status} {
		if value != "" {
			all = append(all, identity.Tenants.Where(field, collection.Equals, value))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
