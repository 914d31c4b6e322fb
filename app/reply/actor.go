package reply

import "github.com/cartwright-dev/cartwright/domain/tenant"

// Actor is who did something, as collection.ActorFields has it, with their name if there is one.
func Actor(a tenant.Actor, name string) (o Object) {
	for _, m := range []Member{
		{Name: "kind", Value: string(a.Kind)}, {Name: "id", Value: a.ID}, {Name: "name", Value: name}, {Name: "via", Value: string(a.Via)},
	} {
		if m.Value != "" {
			o = append(o, m)
		}
	}
	return o
}
