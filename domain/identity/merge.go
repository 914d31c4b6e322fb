package identity

import (
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Merge is the customer into after they took over what from has and they have not: name, phone, groups, addresses and custom
// data. Notes are kept one after the other, and who of them asked to be erased has asked since the earlier time. The email, its
// proof, the password and the consent to marketing stay those of into: nobody agrees for somebody else.
func Merge(into, from collection.Record) collection.Record {
	out := into.Clone()
	if out.Text("name") == "" && from.Text("name") != "" {
		out["name"] = from.Text("name")
	}
	if out.Text("phone") == "" && from.Text("phone") != "" {
		out["phone"], out[customerPhone.Name] = from.Text("phone"), from[customerPhone.Name]
	}
	switch {
	case out.Text("note") == "" && from.Text("note") != "":
		out["note"] = from.Text("note")
	case from.Text("note") != "" && from.Text("note") != out.Text("note"):
		out["note"] = out.Text("note") + "\n" + from.Text("note")
	}
	groups := slices.Clone(out.Texts("groups"))
	for _, g := range from.Texts("groups") {
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	out["groups"] = groups
	out["addresses"] = mergeAddresses(into, from)
	if own, theirs := into.Time("erasureRequestedAt"), from.Time("erasureRequestedAt"); !theirs.IsZero() && (own.IsZero() || theirs.Before(own)) {
		out["erasureRequestedAt"] = theirs
		forgetDecline(out) // who asks waits for an answer
	}
	if data, ok := from["metadata"].(map[string]any); ok {
		out["metadata"] = mergeData(into["metadata"], data)
	}
	return out
}

// mergeAddresses are the addresses of both, each once; the one to start with stays that of into.
func mergeAddresses(into, from collection.Record) []collection.Record {
	own, _ := into["addresses"].([]collection.Record)
	theirs, _ := from["addresses"].([]collection.Record)
	out := slices.Clone(own)
	for _, address := range theirs {
		address = address.Clone()
		if len(own) > 0 {
			address["isDefault"] = false
		}
		if !slices.ContainsFunc(out, func(known collection.Record) bool { return sameAddress(known, address) }) {
			out = append(out, address)
		}
	}
	return out
}

// sameAddress reports whether two addresses lead to the same person and place, whatever they are called.
func sameAddress(a, b collection.Record) bool {
	there, here := address.From(a), address.From(b)
	there.DeliveryNote, here.DeliveryNote = "", ""
	return *there == *here
}

// mergeData is custom data with the members of more that it has not. What is no object stays as it is.
func mergeData(own any, more map[string]any) any {
	members, ok := own.(map[string]any)
	if own != nil && !ok {
		return own
	}
	out := maps.Clone(more)
	maps.Copy(out, members)
	return out
}
