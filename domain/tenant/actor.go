package tenant

import (
	"cmp"
	"strings"
)

// Via is the way on which a change came.
type Via string

// The ways.
const (
	ViaAPI     Via = "api"
	ViaConsole Via = "console" // the operators' console
	ViaImport  Via = "import"  // a file, or a list of orders of another shop system
	ViaWebhook Via = "webhook" // a provider's message
	ViaSweep   Via = "sweep"   // what the server does by itself
)

// Vias lists all ways.
var Vias = []string{string(ViaAPI), string(ViaConsole), string(ViaImport), string(ViaWebhook), string(ViaSweep)}

// Actor is who did something, and how. It is a statement for people and decides nothing. Rule events-11.
type Actor struct {
	Kind Kind   // User, SecretKey, Customer, Anonymous: a shopper without an account, Provider or System
	ID   string // of the user, key or customer, or the name of the provider; "" of the others
	Via  Via
}

// ActorKinds lists the kinds of actors.
var ActorKinds = []string{string(User), string(SecretKey), string(Customer), string(Anonymous), string(Provider), string(System)}

// Server is the actor of what the server does by itself.
var Server = Actor{Kind: System, Via: ViaSweep}

// Actor is p as what it changes names it. A shopper has the client key of a storefront, which says nothing about them.
func (p Principal) Actor() Actor {
	switch {
	case p.Kind == ClientKey || p.Kind == Anonymous || p.Kind == "":
		return Actor{Kind: Anonymous, Via: cmp.Or(p.Via, ViaAPI)}
	case p.Kind == System || p.ID == "": // a command of the server in the place of a key
		return Actor{Kind: System, Via: cmp.Or(p.Via, ViaSweep)}
	}
	return Actor{p.Kind, p.ID, cmp.Or(p.Via, ViaAPI)}
}

// Or is a, or b where a is nobody. The way of b is that of an a which names none.
func (a Actor) Or(b Actor) Actor {
	if a.Kind == "" {
		return b
	}
	a.Via = cmp.Or(a.Via, b.Via)
	return a
}

// String is the Actor as it is stored: its kind, way and id with blanks between; "" for the zero Actor.
func (a Actor) String() string {
	if a.Kind == "" {
		return ""
	}
	return strings.TrimRight(string(a.Kind)+" "+string(a.Via)+" "+a.ID, " ")
}

// ParseActor reads what String wrote.
func ParseActor(text string) Actor {
	kind, rest, _ := strings.Cut(text, " ")
	via, id, _ := strings.Cut(rest, " ")
	return Actor{Kind(kind), id, Via(via)}
}
