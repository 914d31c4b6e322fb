//go:build !linux

package main

import (
	"errors"
	"net"
)

// deafen is known for Linux only. Elsewhere a connection that nobody accepted yet when the listener closes is reset.
func deafen(net.Listener) error { return errors.ErrUnsupported }
