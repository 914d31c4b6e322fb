package testservers

import (
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Fixed addresses are below the system's ephemeral ports (32768 and up on Linux) and outside of the range of
// FreeAddr.
const (
	fixedPortBase = 20000
	fixedSets     = 1500
	portsPerSet   = 8
)

// FixedAddrs are n loopback addresses, the same at each call for a folder. Go's test cache needs that: it
// reuses a result only while the environment variables that the test read are unchanged. The addresses belong
// to the caller until release. Errors: another process has them, or something listens there; use FreeAddr
// then.
func FixedAddrs(folder string, n int) (addrs []string, release func() error, err error) {
	if n > portsPerSet {
		return nil, nil, fmt.Errorf("at most %d addresses, not %d", portsPerSet, n)
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(folder)) // a hash does not fail
	base := fixedPortBase + int(h.Sum32()%fixedSets)*portsPerSet
	lock, err := os.OpenFile(filepath.Join(os.TempDir(), fmt.Sprintf("cartwright-ports-%d.lock", base)), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("ports from %d are taken: %w", base, err), lock.Close())
	}
	for i := range n {
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(base+i))
		l, err := net.Listen("tcp", addr)
		if err != nil {
			return nil, nil, errors.Join(err, lock.Close())
		}
		if err := l.Close(); err != nil {
			return nil, nil, errors.Join(err, lock.Close())
		}
		addrs = append(addrs, addr)
	}
	return addrs, lock.Close, nil
}
