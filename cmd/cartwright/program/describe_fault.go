package program

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// describeFault is a fault as a sentence for a terminal; other errors are returned unchanged. Who runs commands may see
// why something is unavailable, and repair it.
func describeFault(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind == fault.Internal {
		return err
	}
	if f.Kind == fault.Unavailable && errors.Unwrap(f) != nil {
		return fmt.Errorf("%s (%w)", f.Message, err)
	}
	parts := []string{f.Message}
	for _, p := range f.Fields {
		parts = append(parts, fmt.Sprintf("%s: %s", p.Field, p.Message))
	}
	return errors.New(strings.Join(parts, " "))
}
