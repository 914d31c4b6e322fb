package tax

import "github.com/cartwright-dev/cartwright/domain/collection"

// maxAddress is how many characters the address of a service has at most, as that of a webhook endpoint.
const maxAddress = 2000

// Connections declares the tax services of a shop. Secrets never leave the server and are sealed before they are stored. Rule taxes-18.
var Connections = &collection.Schema{
	Slug: "tax-connections", Singular: "TaxConnection", Plural: "TaxConnections",
	Guarded: []collection.Verb{collection.Create, collection.Update, collection.Delete}, // it decides what buyers pay, and learns where they live
	Doc:     "A service outside of the shop that computes the taxes of markets whose taxSource is service.",
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, MaxLength: 200, Doc: "Name shown to operators."},
		{
			Name: "url", Kind: collection.Text, Required: true, MaxLength: maxAddress, URLKind: collection.PageURL,
			Doc: "Where questions go: https, or http where the installation allows it; without user, password or fragment.",
		},
		{
			Name: "environment", Kind: collection.Select, Options: []string{"test", "live"}, Required: true, Immutable: true, Indexed: true,
			Doc: "Whether it is asked about real sales, or about those of the test environment.",
		},
		{
			Name: "market", Kind: collection.Relation, RelationTo: "markets", Indexed: true,
			Doc: "The market it computes taxes for; null for all that have no service of their own.",
		},
		{
			Name: "secret", Kind: collection.Text, Required: true, VisibleTo: collection.ServerOnly,
			Doc: "What questions are signed with, whsec_ and the base64 of 24 to 64 bytes; write-only, kept encrypted.",
		},
		{Name: "enabled", Kind: collection.Boolean, Default: true, Indexed: true, Doc: "Whether it is asked."},
	},
	Access: collection.Access{Viewer: read, Editor: read, Admin: all, SecretKey: all},
}
