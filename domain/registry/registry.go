// Package registry lists every collection of the product. Tables, routes, GraphQL types, documentation,
// events and the access matrix exist for exactly these: a collection joins by its schema and a line here.
// Rule collections-20.
package registry

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/content"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/shop"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// Schemas are all collections of a server that has adapters for these payment providers, in the order in which
// documentation lists them.
func Schemas(providers ...payment.Provider) []*collection.Schema {
	connections, sessions, transactions, disputes := payment.Schemas(providers)
	all := slices.Concat(identity.Schemas(), []*collection.Schema{shop.Profiles}, catalog.Schemas(), media.Schemas(), content.Schemas())
	return append(all,
		inventory.Movements, inventory.Locations, discount.Schema, shipping.Schema, tax.Schema, tax.Connections, connections,
		cart.Schema, checkout.Schema, sessions, draft.Schema, order.Schema, transactions, disputes, order.FulfillmentOrders,
		order.Fulfillments, order.CarrierBatches, returns.Schema, team.Comments, team.SavedViews, team.UserPreferences, team.Notifications,
		transfer.Exports, intake.Imports, intake.Results,
		webhook.Endpoints, webhook.Deliveries, mail.Templates, mail.Deliveries, mail.MessageTemplates, mail.MessageServices,
	)
}
