// Package testservers gives tests real servers: a throwaway Postgres, a throwaway Redis, and our own binary as a process
// that can be killed and started again. It is imported by tests, benchmarks and cmd/testenv, never by the product.
//
// Servers run from a temporary folder on a real disk, listen on loopback only and end with whoever started them. Those
// that are asked what they keep have fsync on (StartPostgres, DurablePostgres); the one that all other tests share has
// not, and lies in memory where there is room. Nothing is skipped when a server is missing: the caller is told what to
// install.
package testservers

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Packages are what a Debian or Ubuntu machine needs for the servers, and to count what they force to disk.
var Packages = []string{"postgresql", "redis-server", "strace"}

// ErrServersMissing says which command brings the servers.
var ErrServersMissing = errors.New("postgres, redis-server and strace are needed for the tests; install them with: apt-get install -y " + strings.Join(Packages, " "))

// findBinary finds a server's binary in PATH or where the distributions put it. Errors: ErrServersMissing.
func findBinary(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin/", "/usr/pgsql-*/bin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/"} {
		found, err := filepath.Glob(pattern + name)
		if err == nil && len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	return "", fmt.Errorf("%s not found: %w", name, ErrServersMissing)
}

// FindTool finds a Postgres client program such as pgbench. Errors: ErrServersMissing.
func FindTool(name string) (string, error) { return findBinary(name) }

// Available reports whether all servers can be started. Errors: ErrServersMissing.
func Available() error {
	for _, name := range []string{"initdb", "postgres", "redis-server", "strace"} {
		if _, err := findBinary(name); err != nil {
			return err
		}
	}
	return nil
}

// tmpfsMagic is the statfs type of a file system in memory.
const tmpfsMagic = 0x01021994

// durableTempDir makes a temporary folder on a real disk that the given user may write.
func durableTempDir(name string, who *syscall.Credential) (string, error) {
	for _, base := range []string{os.TempDir(), "/var/tmp", "."} {
		var fs syscall.Statfs_t
		if err := syscall.Statfs(base, &fs); err != nil || fs.Type == tmpfsMagic {
			continue
		}
		if dir, err := tempDirOf(base, name, who); err == nil {
			return dir, nil
		}
	}
	return "", errors.New("no writable temporary folder on a real disk: a server on tmpfs would prove nothing about durability")
}

// minFreeForServer is what must be free in memory for the databases of all tests.
const minFreeForServer = 4 << 30

// volatileTempDir makes a temporary folder in memory where there is room, else on a real disk. A server that does not wait
// for the disk anyway loses nothing by it, and ext4 is slow to make files while others have just been deleted: that took most
// of the processor time of a Postgres on which databases come and go.
func volatileTempDir(name string, who *syscall.Credential) (string, error) {
	if freeInMemory() >= minFreeForServer {
		return tempDirOf(sharedMemoryDir, name, who)
	}
	return durableTempDir(name, who)
}

func tempDirOf(base, name string, who *syscall.Credential) (string, error) {
	dir, err := os.MkdirTemp(base, "cartwright-"+name+"-")
	if err != nil || who == nil {
		return dir, err
	}
	return dir, os.Chown(dir, int(who.Uid), int(who.Gid))
}

// unprivilegedCredential is the user servers run as when we are root, who may not run Postgres; nil is ourselves.
func unprivilegedCredential() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("no unprivileged user to run Postgres as")
}
