// Package reply makes the bodies of answers. A use case names the members of its answer; their JSON is made
// here, once, and shared by the receipt, the reply over REST and the event. GraphQL takes the members
// themselves. No other package of app writes JSON for an answer: domain/arch_test.go sees to that.
package reply

import (
	"bytes"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Body is the body of one answer. Its JSON is made by whoever asks first, without a lock: a body belongs to
// one goroutine at a time. A nil body is that of an answer without one.
type Body struct {
	audience collection.Audience
	members  Object // nil: there is only text
	few      [2]Member
	room     int    // bytes to make room for
	text     []byte // as receipts keep it; nil: not made yet
	first    [2]int // where the value of the first member is in text
	secret   Secret
	whole    []byte // text with the secret
}

// Secret is a text that a reply shows and no receipt keeps: a token, or the text of a key.
type Secret struct {
	Name string // of its member, the last one
	Text string
	// Within is the member whose record shows the secret too, under the same name, and shows null from then
	// on; "": none.
	Within string
}

// Of is the body with these members, as the audience may see them.
func Of(a collection.Audience, members ...Member) *Body {
	b := &Body{audience: a}
	b.members = append(Object(b.few[:0]), members...)
	return b
}

// OfObject is Of for members that are listed already. It keeps the list.
func OfObject(a collection.Audience, o Object) *Body { return &Body{audience: a, members: o} }

// FromText is the body that a receipt has kept; nil for none.
func FromText(text []byte) *Body {
	if text == nil {
		return nil
	}
	return &Body{text: text}
}

// WithRoom makes room for so many bytes at once.
func (b *Body) WithRoom(size int) *Body {
	b.room = size
	return b
}

// Bounded is b, whose JSON, which is made now, is within g, as its views have to be. Errors: those of g.
func (b *Body) Bounded(g *Growth) (*Body, error) {
	if g.Full(len(b.Receipt())) {
		return nil, g.Err
	}
	return b, nil
}

// WithSecret adds the secret to the reply; "" adds nothing.
func (b *Body) WithSecret(s Secret) *Body {
	if b != nil && s.Text != "" {
		b.secret, b.whole = s, nil
	}
	return b
}

// Receipt is the JSON that the answer's receipt keeps: everything but the secret. It must not be changed.
func (b *Body) Receipt() []byte {
	if b == nil {
		return nil
	}
	if b.text == nil {
		b.text = b.encode()
	}
	return b.text
}

// Revision is the revision of the record that b shows first; 0: it shows none, or has only its text.
func (b *Body) Revision() int64 {
	if b == nil || len(b.members) == 0 || b.members[0].Record == nil {
		return 0
	}
	return b.members[0].Record.Revision()
}

// First is the JSON of the first member's value, which shares its bytes with the receipt.
func (b *Body) First() []byte {
	text := b.Receipt()
	return text[b.first[0]:b.first[1]:b.first[1]]
}

// Bytes is the JSON of the reply. It must not be changed.
func (b *Body) Bytes() []byte {
	if b == nil || b.secret.Text == "" {
		return b.Receipt()
	}
	if b.whole == nil {
		b.whole = b.secret.appendTo(make([]byte, 0, len(b.Receipt())+2*(len(b.secret.Name)+len(b.secret.Text)+6)), b.text)
	}
	return b.whole
}

// String is Bytes as text.
func (b *Body) String() string { return string(b.Bytes()) }

// encode is the JSON of the members.
func (b *Body) encode() []byte {
	text := append(make([]byte, 0, max(b.room, 64)), '{')
	for i := range b.members {
		text = b.members[i].append(text, b.audience)
		if i == 0 {
			b.first = [2]int{len(`{"":`) + len(b.members[0].Name), len(text)}
		}
	}
	return append(text, '}')
}

// appendTo appends text, a JSON object, with the secret. Quotes in strings are escaped, so that no string of
// a record can be mistaken for the member that is null.
func (s Secret) appendTo(dst, text []byte) []byte {
	shown := collection.AppendString(append(collection.AppendString(nil, s.Name), ':'), s.Text)
	if s.Within != "" {
		hidden := append(collection.AppendString(nil, s.Name), ":null"...)
		if before, after, found := bytes.Cut(text, hidden); found {
			dst = append(append(dst, before...), shown...)
			text = after
		}
	}
	dst = append(dst, text[:len(text)-1]...)
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(dst, shown...), '}')
}
