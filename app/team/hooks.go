package team

import (
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/team"
)

// AddHooks adds the hooks of the collections of a team to all, and what these do beside the hooks of other collections. The
// registry has all collections.
func AddHooks(all map[string]records.Hooks, registry *collection.Registry, fold collection.Fold) {
	all[team.Comments.Slug] = CommentHooks(registry)
	all[team.SavedViews.Slug] = ViewHooks(registry, fold)
	all[team.Notifications.Slug] = notificationHooks()
	for _, s := range []*collection.Schema{order.Schema, draft.Schema, returns.Schema} { // those with team.AssignmentFields
		all[s.Slug] = WithAssignee(all[s.Slug])
	}
	for _, slug := range []string{identity.Customers.Slug, catalog.Products.Slug} { // of Commented, those that can be deleted
		all[slug] = WithComments(all[slug])
	}
}
