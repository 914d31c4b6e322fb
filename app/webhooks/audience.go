package webhooks

import (
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// audienceOf returns the audience an endpoint gets when p configures it; a platform operator acts as the
// tenant's owner.
func audienceOf(p tenant.Principal) webhook.Audience {
	if p.Kind == tenant.User || p.Kind == tenant.System {
		return webhook.Admins
	}
	return webhook.Servers
}

// audiencePrincipals are principals with the widest read access an audience may have.
var audiencePrincipals = map[webhook.Audience]tenant.Principal{
	webhook.Admins:  {Kind: tenant.User, Role: tenant.Admin},
	webhook.Servers: {Kind: tenant.SecretKey, CanRead: true},
}

// readsAll reports whether p may read a collection entirely, as for GET /events.
func readsAll(p tenant.Principal, s *collection.Schema) bool {
	reach, err := access.Allowed(p, s, collection.Read)
	return err == nil && reach.All
}

// readableByAudience is what each audience may read, derived from the access matrix.
func (h *Service) readableByAudience() webhook.ReadableCollections {
	out := webhook.ReadableCollections{}
	for _, s := range h.Registry.All() {
		for name, p := range audiencePrincipals {
			if !s.NoEvents && readsAll(p, s) {
				out[name] = append(out[name], s.Slug)
			}
		}
	}
	return out
}

// setAudience stores the narrower of p's and the endpoint's audience when p changes what is sent or where to,
// and refuses collections that this audience, or p, may not read. Before is nil for a new endpoint. Errors:
// fault.ErrForbidden.
func (h *Service) setAudience(p tenant.Principal, before, after collection.Record) error {
	as := audienceOf(p)
	if before != nil {
		as = as.Weaker(webhook.AudienceFrom(before))
	}
	after["audience"] = string(as)
	within := h.readableByAudience()[as]
	named := after.Texts("collections")
	for _, slug := range named {
		if !slices.Contains(within, slug) && as != audienceOf(p) {
			return fault.ErrForbidden.WithMessage(
				"This webhook endpoint was created or changed by a key, which may not read %s. Create another endpoint for it.",
				strconv.Quote(slug))
		}
		if !slices.Contains(within, slug) || !readsAll(p, h.Registry.Get(slug)) {
			return fault.ErrForbidden.WithMessage(
				"Webhook endpoints can only subscribe to collections you may read; %s is not one of them.", strconv.Quote(slug))
		}
	}
	unread := func(slug string) bool { return !readsAll(p, h.Registry.Get(slug)) }
	if len(named) == 0 && slices.ContainsFunc(within, unread) {
		return fault.ErrForbidden.WithMessage("Webhook endpoints can only subscribe to collections you may read: list the collections.")
	}
	return nil
}
