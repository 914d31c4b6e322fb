// Package timezone finds time zones by their IANA names, the same on every machine: the server brings its own copy of the
// database, for machines without one.
package timezone

import (
	"strings"
	"time"
	_ "time/tzdata" // the copy

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Load returns a time zone by its IANA name; "" is UTC. Errors: fault.ErrValidation for timeZone.
func Load(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || strings.EqualFold(name, "local") { // the zone of the machine is none of the shop's
		return nil, fault.Invalidf("settings.timeZone", "This is no IANA time zone. Examples: Asia/Seoul, Europe/Berlin, UTC.")
	}
	return zone, nil
}
