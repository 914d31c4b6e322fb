package mail

import "github.com/cartwright-dev/cartwright/domain/collection"

// MessageServices declares where a shop's messages to telephones are handed over: its own program, or a bridge to a provider such as one
// of KakaoTalk's. The secret never leaves the server and is sealed before it is stored. Rule mail-38.
var MessageServices = &collection.Schema{
	Slug: "message-services", Singular: "MessageService", Plural: "MessageServices",
	Guarded: []collection.Verb{collection.Create, collection.Update}, // numbers and orders of buyers would go elsewhere
	Doc:     "A service that takes the shop's messages to buyers' telephones.",
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, MaxLength: 200, Doc: "Name shown to operators."},
		{
			Name: "url", Kind: collection.Text, Required: true, MaxLength: maxServiceURL, URLKind: collection.PageURL,
			Doc: "Where messages are handed over, by signed POST requests: https, without user, password or fragment.",
		},
		{
			Name: "secret", Kind: collection.Text, VisibleTo: collection.ServerOnly, MaxLength: maxServiceSecret,
			Doc: "What requests are signed with, whsec_ and the base64 of 24 to 64 bytes; write-only, kept encrypted.",
		},
		{Name: "senderKey", Kind: collection.Text, MaxLength: 200, Doc: "By which the provider knows the shop as a sender; it comes with each message."},
		{
			Name: "enabled", Kind: collection.Boolean, Default: true, Indexed: true,
			Doc: "Whether messages are handed over there. Of several services the oldest one that is enabled has them.",
		},
	},
	PerEnvironment: true,
	Access: collection.Access{
		Editor:    read,
		Admin:     []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete},
		SecretKey: []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete},
	},
}

const (
	maxServiceURL    = 2000
	maxServiceSecret = 1000 // characters, sealed
)
