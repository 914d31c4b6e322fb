//go:build !linux

package program

import (
	"errors"
	"net"
)

// dropNewConnections needs Linux. Elsewhere, connections that were not accepted when the listener closes are
// reset.
func dropNewConnections(net.Listener) error { return errors.ErrUnsupported }
