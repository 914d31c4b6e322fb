// Package testservers gives tests real servers: a throwaway Postgres, a throwaway Redis, and our own binary
// as a process that can be killed and restarted. It is imported by tests, benchmarks and cmd/testenv, never
// by the product.
//
// Servers run in a temporary folder on a real disk, listen on loopback only and end with the process that
// started them. Those for durability tests have fsync on (StartPostgres, DurablePostgres); the one that all
// other tests share has it off, and runs in memory where there is room. Nothing is skipped when a server
// program is missing: the error says what to install.
package testservers

import (
	"context"
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

// Packages are the Debian or Ubuntu packages of the servers, and of strace, which counts their fsyncs.
var Packages = []string{"postgresql", "redis-server", "strace"}

// ErrServersMissing has the command that installs the servers.
var ErrServersMissing = errors.New("postgres, redis-server and strace are needed for the tests; install them with: apt-get install -y " +
	strings.Join(Packages, " "))

// findBinary finds a server's binary in PATH or where distributions install it. Errors: ErrServersMissing.
func findBinary(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin/", "/usr/pgsql-*/bin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/",
	} {
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

// Versions are the versions of the servers in one line. Errors: ErrServersMissing.
func Versions(ctx context.Context) (string, error) {
	var all []string
	for _, name := range []string{"postgres", "redis-server"} {
		binary, err := findBinary(name)
		if err != nil {
			return "", err
		}
		version, err := exec.CommandContext(ctx, binary, "--version").Output()
		if err != nil {
			return "", fmt.Errorf("%s --version: %w", binary, err)
		}
		all = append(all, strings.TrimSpace(string(version)))
	}
	return strings.Join(all, ", "), nil
}

// tmpfsMagic is the statfs type of a file system in memory.
const tmpfsMagic = 0x01021994

// durableTempDir makes a temporary folder on a real disk, writable by the given user.
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

// minFreeForServer is the free memory needed for the databases of all tests.
const minFreeForServer = 4 << 30

// volatileTempDir makes a temporary folder in memory where there is room, else on a real disk. A server
// without fsync is no less safe there, and ext4 is slow to create files while others are being deleted, which
// took most of the processor time of a Postgres with many short-lived databases.
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

// unprivilegedCredential is the user that runs the servers when we are root, as which Postgres refuses to
// run; nil is the current user.
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
