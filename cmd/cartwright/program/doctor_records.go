package program

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// errDamagedRecords ends doctor --records with a failure; the records are in its output.
var errDamagedRecords = errors.New("the database holds damaged records: restore them from a backup, or delete their rows")

// checkRecords prints the records that cannot be read, and how many there are.
func (k *core) checkRecords(ctx context.Context, out io.Writer) error {
	var printErr error
	damaged := 0
	n, err := k.store.FindDamaged(ctx, func(d *collection.DamagedError) {
		damaged++
		_, err := fmt.Fprintf(out, "DAMAGED  tenant %s  %s %s: %v\n", d.Tenant, d.Collection, d.ID, d.Err)
		printErr = errors.Join(printErr, err)
	})
	if err := errors.Join(err, printErr); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "%d records were read, %d are damaged.\n", n, damaged); err != nil {
		return err
	}
	if damaged > 0 {
		return errDamagedRecords
	}
	return nil
}
