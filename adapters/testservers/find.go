// Package testservers gives tests real servers: a throwaway Postgres, a throwaway Redis, and our own binary as a process
// that can be killed and started again. It is imported by tests, benchmarks and cmd/testenv, never by the product.
//
// Servers run from a temporary folder on a real disk, listen on loopback only and end with whoever started them. Those
// that are asked what they keep have fsync on (StartPostgres, DurablePostgres); the one that all other tests share has
// not. Nothing is skipped when a server is missing: the caller is told what to install.
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

// ErrMissing says which command brings the servers.
var ErrMissing = errors.New("postgres, redis-server and strace are needed for the tests; install them with: apt-get install -y " + strings.Join(Packages, " "))

// program finds a server's binary in PATH or where the distributions put it. Errors: ErrMissing.
func program(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin/", "/usr/pgsql-*/bin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/"} {
		found, err := filepath.Glob(pattern + name)
		if err == nil && len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	return "", fmt.Errorf("%s not found: %w", name, ErrMissing)
}

// Tool finds a Postgres client program such as pgbench. Errors: ErrMissing.
func Tool(name string) (string, error) { return program(name) }

// Available reports whether all servers can be started. Errors: ErrMissing.
func Available() error {
	for _, name := range []string{"initdb", "postgres", "redis-server", "strace"} {
		if _, err := program(name); err != nil {
			return err
		}
	}
	return nil
}

// tmpfs is the statfs type of a file system in memory.
const tmpfs = 0x01021994

// folder makes a temporary folder on a real disk that the given user may write.
func folder(name string, who *syscall.Credential) (string, error) {
	for _, base := range []string{os.TempDir(), "/var/tmp", "."} {
		var fs syscall.Statfs_t
		if err := syscall.Statfs(base, &fs); err != nil || fs.Type == tmpfs {
			continue
		}
		dir, err := os.MkdirTemp(base, "cartwright-"+name+"-")
		if err != nil {
			continue
		}
		if who != nil {
			if err := os.Chown(dir, int(who.Uid), int(who.Gid)); err != nil {
				return "", err
			}
		}
		return dir, nil
	}
	return "", errors.New("no writable temporary folder on a real disk: a server on tmpfs would prove nothing about durability")
}

// unprivileged is the user servers run as when we are root, who may not run Postgres; nil is ourselves.
func unprivileged() (*syscall.Credential, error) {
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
