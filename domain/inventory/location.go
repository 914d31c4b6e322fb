package inventory

import "github.com/cartwright-dev/cartwright/domain/collection"

var write = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}

// Locations declares the locations where units of a shop lie. Rule catalog-36.
var Locations = &collection.Schema{
	Slug: "stock-locations", Singular: "StockLocation", Plural: "StockLocations",
	Doc: "Where units of the shop lie: a warehouse, a store, a shelf.",
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 255, Doc: "Name."},
		{Name: "code", Kind: collection.Text, Unique: true, Indexed: true, MaxLength: 50, Doc: "Short name of the shop's own, such as A-12."},
		{
			Name: "position", Kind: collection.Integer, Default: int64(0), Indexed: true,
			Doc: "Order among the locations. Units that are sold are taken from the last location first.",
		},
	},
	Access: collection.Access{Viewer: read, Editor: write, Admin: write, SecretKey: write},
}

// MaxLocations is how many locations a shop has at most: the places of a variant are one answer.
const MaxLocations = 500
