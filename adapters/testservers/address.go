package testservers

import (
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
)

// Ports of tests are below the ephemeral ports that the system uses for outgoing connections, from 32768 on,
// so that no connection takes the port of a server that is about to start or restart.
const (
	firstPort    = 20000
	lastPort     = 32000
	portAttempts = 1000
)

// reserved are the locked port files of this process; they are unlocked when it ends.
var reserved sync.Map

// FreeAddr is a loopback address for a server, reserved until this process ends: no other process that uses
// FreeAddr gets it, also while the server is down.
func FreeAddr() (string, error) {
	for range portAttempts {
		port := strconv.Itoa(firstPort + rand.IntN(lastPort-firstPort))
		lock, err := reserve(port)
		if err != nil {
			return "", err
		}
		if lock == nil {
			continue
		}
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil { // in use by a program that does not reserve ports
			_ = lock.Close()
			continue
		}
		reserved.Store(port, lock)
		return l.Addr().String(), l.Close()
	}
	return "", errors.New("no port is free for a test server")
}

// reserve locks the file of a port; nil: another process has locked it.
func reserve(port string) (*os.File, error) {
	dir := filepath.Join(os.TempDir(), "cartwright-ports-"+strconv.Itoa(os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, port), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, lock.Close()
	}
	return lock, nil
}
