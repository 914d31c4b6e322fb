package sqlstore

import "github.com/cartwright-dev/cartwright/ports"

// parts are the ports that one transaction offers.
func parts(t *txn) ports.Tx {
	return ports.Tx{Records: t}
}
