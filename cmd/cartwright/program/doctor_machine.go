package program

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// Requirements of the machine.
const (
	gib              = 1 << 30
	mib              = 1 << 20
	minFreeDisk      = gib       // bytes free on the disk of the data folder
	criticalFreeDisk = 128 * mib // below this the database may soon fail to write
	minFreeShare     = 20        // a twentieth of the disk should be free
	minOpenFiles     = 4096      // open files: one for each connection, and those of the database
)

// checkMachine checks the disk of the data folder and the limits of the process.
func (c Config) checkMachine(found *findings) {
	free, all, err := diskSpace(c.Data)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		found.record("disk", nil, "not checked: available on Linux only")
	case err != nil:
		found.record("disk", fmt.Errorf("cannot read the free space of %s: %w", c.Data, err), "")
	default:
		*found = append(*found, diskFinding(free, all))
	}
	files, err := openFiles()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		found.record("open files", nil, "not checked: available on Linux only")
	case err != nil:
		found.record("open files", err, "")
	default:
		*found = append(*found, openFilesFinding(files))
	}
}

// diskFinding judges a disk by its free bytes.
func diskFinding(free, all uint64) finding {
	detail := fmt.Sprintf("%d MiB of %d MiB are free", free/mib, all/mib)
	remedy := ": free some space, or move CARTWRIGHT_DATA to a larger disk; a full disk fails every write"
	switch {
	case free < criticalFreeDisk:
		return finding{"disk", statusFailed, detail + remedy}
	case free < minFreeDisk || free < all/minFreeShare:
		return finding{"disk", statusWarning, detail + remedy}
	}
	return finding{"disk", statusOK, detail}
}

// openFilesFinding judges the limit of open files and connections.
func openFilesFinding(limit uint64) finding {
	detail := fmt.Sprintf("limit %d", limit)
	if limit < minOpenFiles {
		return finding{"open files", statusWarning, detail +
			fmt.Sprintf("; every connection needs one: raise the limit to %d or more with ulimit -n, LimitNOFILE= in systemd or --ulimit nofile in Docker",
				minOpenFiles)}
	}
	return finding{"open files", statusOK, detail}
}

// checkDatabaseTLS warns of a production database that may be reached without TLS outside of private
// networks.
func (c Config) checkDatabaseTLS(ctx context.Context, found *findings) {
	if c.Mode != Production || c.Database == "" {
		return
	}
	resolve := func(host string) []netip.Addr {
		all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		if err != nil {
			return nil // connecting fails, and another check reports it
		}
		return all
	}
	for _, host := range unencryptedHosts(c.Database, resolve) {
		found.warn("database", "CARTWRIGHT_DATABASE_URL: passwords and data may be sent to "+host+
			" unencrypted over public networks; add sslmode=verify-full to the URL, or at least sslmode=require.")
	}
}

// unencryptedHosts are the hosts outside of private networks to which a connection may be unencrypted.
func unencryptedHosts(url string, resolve func(host string) []netip.Addr) (hosts []string) {
	o, err := pgx.ParseConfig(url)
	if err != nil {
		return nil // the database check reports it
	}
	seen := map[string]bool{}
	check := func(host string, plain bool) {
		if plain && !seen[host] && !filepath.IsAbs(host) && isPublicHost(host, resolve) {
			seen[host] = true
			hosts = append(hosts, host)
		}
	}
	check(o.Host, o.TLSConfig == nil)
	for _, f := range o.Fallbacks {
		check(f.Host, f.TLSConfig == nil)
	}
	return hosts
}

func isPublicHost(host string, resolve func(host string) []netip.Addr) bool {
	var all []netip.Addr
	if ip, err := netip.ParseAddr(host); err == nil {
		all = append(all, ip)
	} else {
		all = resolve(host)
	}
	for _, ip := range all {
		if ip = ip.Unmap(); !ip.IsLoopback() && !ip.IsPrivate() && !ip.IsLinkLocalUnicast() {
			return true
		}
	}
	return false
}
