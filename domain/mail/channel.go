package mail

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Channel is how people are told.
type Channel string

// The channels.
const (
	ByMail    Channel = "mail"
	ByMessage Channel = "message" // to a telephone, by the shop's message service; to buyers alone
)

var channels = []string{string(ByMail), string(ByMessage)}

// MessageKinds are the kinds of which buyers can be told by messages, as options of a field: what happens to their order, and no advertising.
var MessageKinds = Kinds[:10:10]

// HasMessage reports whether buyers can be told of a kind by a message.
func (k Kind) HasMessage() bool {
	return slices.Contains(MessageKinds, string(k))
}

// On is the filter of the deliveries of a channel. Those of older versions are mails.
func On(c Channel) collection.Cond {
	if c == ByMessage {
		return Deliveries.Where("channel", collection.Equals, string(ByMessage))
	}
	return Deliveries.Where("channel", collection.NotEquals, string(ByMessage))
}
