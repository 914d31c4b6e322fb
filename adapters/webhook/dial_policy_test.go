package webhook

import (
	"context"
	"errors"
	"net/netip"
	"testing"
)

// A test inside the package, since no test can dial the internet.

func public() dialPolicy { return dialPolicy{} }

// Rule webhooks-13.
func TestOnlyPublicAddressesAreDialed(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]error{
		"93.184.216.34:443": nil, "93.184.216.34:80": nil, "8.8.8.8:8443": nil, "[2606:4700::1111]:443": nil,
		"[::ffff:93.184.216.34]:443": nil, "172.15.255.255:443": nil, "172.32.0.0:443": nil, "100.63.255.255:443": nil,
		"100.128.0.0:443": nil, "223.255.255.255:443": nil,

		"0.0.0.0:443": errPrivate, "0.1.2.3:443": errPrivate, "10.0.0.1:443": errPrivate, "100.64.0.1:443": errPrivate,
		"100.127.255.255:443": errPrivate, "127.0.0.1:443": errPrivate, "127.255.255.254:443": errPrivate,
		"169.254.169.254:443": errPrivate, "172.16.0.1:443": errPrivate, "172.31.255.255:443": errPrivate, "192.0.0.8:443": errPrivate,
		"192.0.2.1:443": errPrivate, "192.168.1.1:443": errPrivate, "198.18.0.1:443": errPrivate, "198.19.255.255:443": errPrivate,
		"224.0.0.1:443": errPrivate, "240.0.0.1:443": errPrivate, "255.255.255.255:443": errPrivate,
		"[::]:443": errPrivate, "[::1]:443": errPrivate, "[::7f00:1]:443": errPrivate,
		"[::ffff:127.0.0.1]:443": errPrivate, "[::ffff:10.0.0.1]:443": errPrivate, "[::ffff:a9fe:a9fe]:443": errPrivate,
		"[64:ff9b::7f00:1]:443": errPrivate, "[64:ff9b::5db8:d822]:443": errPrivate, "[64:ff9b:1::1]:443": errPrivate, // NAT64
		"[2002:7f00:1::]:443": errPrivate, "[2001:0:4136:e378::]:443": errPrivate, "[2001:db8::1]:443": errPrivate,
		"[fc00::1]:443": errPrivate, "[fd12:3456::1]:443": errPrivate, "[fe80::1]:443": errPrivate, "[fe80::1%eth0]:443": errPrivate,
		"[fec0::1]:443": errPrivate, "[ff02::1]:443": errPrivate,

		"93.184.216.34:22": errPort, "93.184.216.34:6379": errPort, "93.184.216.34:25": errPort, "93.184.216.34:5432": errPort,
		"no address": errPrivate, "": errPrivate,
	} {
		if err := public().checkDial(context.Background(), "tcp", address, nil); !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("%s: %v, want %v", address, err, want)
		}
	}
	if err := public().checkDial(context.Background(), "unix", "/run/docker.sock", nil); err == nil {
		t.Error("a Unix socket may be dialed")
	}
}

func TestOwnAddressesAreNotDialed(t *testing.T) {
	t.Parallel()
	r := public()
	r.ownAddresses = []netip.Prefix{netip.MustParsePrefix("93.184.216.34/32")}
	if err := r.checkDial(context.Background(), "tcp4", "93.184.216.34:443", nil); !errors.Is(err, errPrivate) {
		t.Errorf("our own public address: %v", err)
	}
	if err := r.checkDial(context.Background(), "tcp6", "[::ffff:93.184.216.34]:443", nil); !errors.Is(err, errPrivate) {
		t.Errorf("our own public address, mapped: %v", err)
	}
}

func TestAddressesAreReadStrictly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"https://hooks.shop.example/in?x=1": nil, "https://hooks.shop.example:8443": nil, "https://93.184.216.34/": nil,
		"https://[2606:4700::1111]/": nil, "https://3com.example": nil,
		"HTTPS://HOOKS.shop.example/": nil, "https://hooks.shop.example./": nil,

		"http://hooks.shop.example": errScheme, "ftp://hooks.shop.example": errScheme, "file:///etc/passwd": errHost,
		"gopher://hooks.shop.example": errScheme, "//hooks.shop.example": errScheme, "hooks.shop.example": errHost,
		"https:hooks.shop.example": errHost, "https://": errHost, "": errHost, "https:///in": errHost, "https://:443/": errHost,
		"https://me:secret@hooks.shop.example": errUser, "https://hooks.shop.example@127.0.0.1/": errUser,
		"https://@hooks.shop.example": errUser, "https://hooks.shop.example/#a": errFragment, "https://hooks.shop.example/#": errFragment,
		"https://hooks.shop.example:22": errPort, "https://hooks.shop.example:5432": errPort, "https://hooks.shop.example:0": errPort,
		"https://hooks.shop.example:70000": errPort, "https://127.0.0.1": errPrivate, "https://[::1]": errPrivate,
		"https://[::ffff:127.0.0.1]": errPrivate, "https://[::ffff:7f00:1]": errPrivate, "https://[64:ff9b::7f00:1]": errPrivate,
		"https://169.254.169.254/latest/meta-data": errPrivate,
		// forms that some resolvers read as 127.0.0.1
		"https://2130706433": errHost, "https://017700000001": errHost, "https://0x7f000001": errHost, "https://0x7f.1": errHost,
		"https://127.1": errHost, "https://0177.0.0.1": errHost, "https://127.0.0.01": errHost,
		"https://127.0.0.1.": errHost, "https://0X7F000001": errHost, "https://hooks.0x7f": errHost,
		"https://[fe80::1%25eth0]": errHost, "https://a b.example": errHost, "https://a%5c.example": errHost,
	} {
		if _, err := public().parse(text); !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
}

func TestAllowPrivateOpensPrivateNetworks(t *testing.T) {
	t.Parallel()
	open := dialPolicy{allowPrivate: true}
	for _, text := range []string{"http://127.0.0.1:9000/in", "http://hooks.internal:8080", "https://10.0.0.1"} {
		if _, err := open.parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]error{
		"http://me:secret@127.0.0.1:9000": errUser, "ftp://127.0.0.1": errScheme, "http://2130706433": errHost,
	} {
		if _, err := open.parse(text); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
	if err := open.checkDial(context.Background(), "tcp4", "127.0.0.1:9000", nil); err != nil {
		t.Error(err)
	}
}
