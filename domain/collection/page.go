package collection

import (
	"errors"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Page is the result of a Query. Rule collections-2.
type Page struct {
	Docs      []Record
	TotalDocs int64
	Bytes     int64           // of Docs as they are stored
	Damaged   []*DamagedError // instead of Docs; see Query.LeaveOutDamaged
}

// Found is how many records the page has, with those that are damaged.
func (p *Page) Found() int { return len(p.Docs) + len(p.Damaged) }

// LastID is the greatest id of a page that is sorted by id; "" if it has none.
func (p *Page) LastID() (id string) {
	if len(p.Docs) > 0 {
		id = p.Docs[len(p.Docs)-1].ID()
	}
	for _, d := range p.Damaged {
		id = max(id, d.ID)
	}
	return id
}

// AddRecord adds a record of the page of q, or what was wrong with it. Errors: err, unless q leaves such records out.
func (p *Page) AddRecord(q Query, r Record, err error) error {
	damaged, is := errors.AsType[*DamagedError](err)
	switch {
	case err == nil:
		p.Docs = append(p.Docs, r)
	case is && q.LeaveOutDamaged:
		p.Damaged = append(p.Damaged, damaged)
	default:
		return err
	}
	return nil
}

// AddBytes counts the bytes of one more record of the page of q. Errors: ErrAnswerTooLarge.
func (p *Page) AddBytes(q Query, n int) error {
	if p.Bytes += int64(n); q.MaxBytes > 0 && p.Bytes > q.MaxBytes {
		return ErrAnswerTooLarge.WithData("limit", q.MaxBytes).
			WithMessage("The records of the answer have more than %d bytes together. Ask for a smaller limit.", q.MaxBytes)
	}
	return nil
}

// ErrAnswerTooLarge says that an answer would hold more records, or larger ones, than fit.
var ErrAnswerTooLarge = fault.NewInvalid("limit", "answer_too_large",
	"The answer would embed too many related records. Ask for a smaller depth or limit.")

// DamagedError says that a stored record cannot be read: something else than this product has changed it.
type DamagedError struct {
	Collection string // its slug
	Tenant, ID string // "" if these cannot be read either
	Err        error  // what is wrong
}

// Error implements error.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("record %q of %s (tenant %q) is damaged: %v", e.ID, e.Collection, e.Tenant, e.Err)
}

// Unwrap is what is wrong.
func (e *DamagedError) Unwrap() error { return e.Err }
