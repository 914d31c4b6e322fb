package identity

import (
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// FillDisplayName makes the display name of a user's record of first and last name, unless it was set
// explicitly. It changes after; before is nil for a new user.
func FillDisplayName(before, after collection.Record) {
	name := after.Text("name")
	if made := fullName(after); made != "" && (name == "" || name == fullName(before) && name == before.Text("name")) {
		after["name"] = made
	}
}

func fullName(r collection.Record) string {
	return strings.TrimSpace(r.Text("firstName") + " " + r.Text("lastName"))
}
