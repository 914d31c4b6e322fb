package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// What a machine should have.
const (
	gib         = 1 << 30
	mib         = 1 << 20
	leastSpace  = gib       // bytes free on the disk of the data folder
	noSpace     = 128 * mib // below this a database does not get through the day
	leastShare  = 20        // a twentieth of the disk should be free
	fewestFiles = 4096      // open at once: a connection each, and those of the database
)

// examineMachine looks at the disk of the data folder and at what the system lets a process have.
func (c Config) examineMachine(found *findings) {
	free, all, err := diskSpace(c.Data)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		found.look("disk", nil, "not looked at: that is known for Linux only")
	case err != nil:
		found.look("disk", fmt.Errorf("the space of %s cannot be asked for: %w", c.Data, err), "")
	default:
		*found = append(*found, roomFor(free, all))
	}
	files, err := openFiles()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		found.look("open files", nil, "not looked at: that is known for Linux only")
	case err != nil:
		found.look("open files", err, "")
	default:
		*found = append(*found, filesFor(files))
	}
}

// roomFor judges a disk by its bytes.
func roomFor(free, all uint64) finding {
	detail := fmt.Sprintf("%d MiB of %d MiB are free", free/mib, all/mib)
	remedy := ": make room, or move CARTWRIGHT_DATA to a larger disk; a full one refuses every change"
	switch {
	case free < noSpace:
		return finding{"disk", failed, detail + remedy}
	case free < leastSpace || free < all/leastShare:
		return finding{"disk", doubtful, detail + remedy}
	}
	return finding{"disk", wellFound, detail}
}

// filesFor judges how many files and connections a process may have open.
func filesFor(limit uint64) finding {
	detail := fmt.Sprintf("up to %d at once", limit)
	if limit < fewestFiles {
		return finding{"open files", doubtful, detail + fmt.Sprintf(", and every connection is one: raise it to %d or more with ulimit -n, LimitNOFILE= of systemd or --ulimit nofile of Docker", fewestFiles)}
	}
	return finding{"open files", wellFound, detail}
}

// examinePlainDatabase warns of a production database that may be spoken to in the clear beyond one's own network.
func (c Config) examinePlainDatabase(ctx context.Context, found *findings) {
	if c.Mode != Production || c.Database == "" {
		return
	}
	resolve := func(host string) []netip.Addr {
		all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		if err != nil {
			return nil // then it cannot be connected to, which is told elsewhere
		}
		return all
	}
	for _, host := range inTheClear(c.Database, resolve) {
		found.doubt("database", "CARTWRIGHT_DATABASE_URL: passwords and data may go to "+host+" unencrypted through networks that are not yours; add sslmode=verify-full to the URL, or at least sslmode=require.")
	}
}

// inTheClear are the hosts outside of private networks to which a connection may be made without TLS.
func inTheClear(url string, resolve func(host string) []netip.Addr) (hosts []string) {
	o, err := pgx.ParseConfig(url)
	if err != nil {
		return nil // told by the database
	}
	seen := map[string]bool{}
	look := func(host string, plain bool) {
		if plain && !seen[host] && !filepath.IsAbs(host) && abroad(host, resolve) {
			seen[host] = true
			hosts = append(hosts, host)
		}
	}
	look(o.Host, o.TLSConfig == nil)
	for _, f := range o.Fallbacks {
		look(f.Host, f.TLSConfig == nil)
	}
	return hosts
}

func abroad(host string, resolve func(host string) []netip.Addr) bool {
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
