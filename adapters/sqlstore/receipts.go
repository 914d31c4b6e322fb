package sqlstore

import (
	"context"

	"github.com/cartwright-dev/cartwright/ports"
)

// Receipt implements ports.Reader.
func (v *view) Receipt(context.Context, ports.ReceiptKey) (ports.Receipt, error) {
	return ports.Receipt{}, ports.ErrAbsent
}
