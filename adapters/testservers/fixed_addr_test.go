package testservers_test

import (
	"errors"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

func TestFixedAddrsAreTheSameForAFolder(t *testing.T) {
	t.Parallel()
	var first []string
	var release func() error
	err := errors.New("none tried")
	folder := ""
	for try := 0; err != nil && try < 100; try++ { // the addresses of a folder may be in use
		folder = filepath.Join(t.TempDir(), strconv.Itoa(try))
		first, release, err = testservers.FixedAddrs(folder, 2)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := testservers.FixedAddrs(folder, 2); err == nil {
		t.Error("two callers got the same addresses")
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	again, release, err := testservers.FixedAddrs(folder, 2)
	if err != nil || !slices.Equal(first, again) {
		t.Fatalf("got %v, then %v, %v", first, again, err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", first[1])
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, _, err := testservers.FixedAddrs(folder, 2); err == nil {
		t.Error("an address in use was handed out")
	}
}
