package hooking

import (
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// audience is as whom an endpoint hears that p decides on: the operator of the installation works as the shop's owner.
func audience(p tenant.Principal) webhook.Audience {
	if p.Kind == tenant.User || p.Kind == tenant.System {
		return webhook.Admins
	}
	return webhook.Servers
}

// audiences are those who read as much as an audience may at most.
var audiences = map[webhook.Audience]tenant.Principal{
	webhook.Admins:  {Kind: tenant.User, Role: tenant.Admin},
	webhook.Servers: {Kind: tenant.SecretKey, CanRead: true},
}

// reads reports whether p may read a collection entirely: what GET /events shows it of.
func reads(p tenant.Principal, s *collection.Schema) bool {
	reach, err := access.Allowed(p, s, collection.Read)
	return err == nil && reach.All
}

// reach is what each audience may read, from the same table as all access.
func (h *Hooking) reach() webhook.Reach {
	out := webhook.Reach{}
	for _, s := range h.Registry.All() {
		for name, p := range audiences {
			if !s.Silent && reads(p, s) {
				out[name] = append(out[name], s.Slug)
			}
		}
	}
	return out
}

// bind notes in an endpoint as whom it hears now that p decides what it is told, or where, and refuses what p, or the
// weakest of those who decided before, may not read. Before is nil for a new one. Errors: fault.ErrForbidden.
func (h *Hooking) bind(p tenant.Principal, before, after collection.Record) error {
	as := audience(p)
	if before != nil {
		as = as.Weaker(webhook.AudienceOf(before))
	}
	after["audience"] = string(as)
	within := h.reach()[as]
	named := after.Texts("collections")
	for _, slug := range named {
		if !slices.Contains(within, slug) && as != audience(p) {
			return fault.ErrForbidden.Saying("This webhook endpoint was made or changed by a key, which may not read %s. Make another one for that.", strconv.Quote(slug))
		}
		if !slices.Contains(within, slug) || !reads(p, h.Registry.Get(slug)) {
			return fault.ErrForbidden.Saying("You can have webhook endpoints hear only of what you may read yourself, and that is not so of %s.", strconv.Quote(slug))
		}
	}
	unread := func(slug string) bool { return !reads(p, h.Registry.Get(slug)) }
	if len(named) == 0 && slices.ContainsFunc(within, unread) {
		return fault.ErrForbidden.Saying("You can have webhook endpoints hear only of what you may read yourself: name collections.")
	}
	return nil
}
