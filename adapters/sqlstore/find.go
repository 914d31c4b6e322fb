package sqlstore

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Find implements ports.Reader.
func (v *view) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	return collection.Page{}, errors.New("queries are compiled in the next commit")
}
