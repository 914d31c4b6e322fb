package collection

import "math"

// Room is how many bytes of records, as they are stored, the rest of an answer may take. A nil Room has no end. It is for
// one goroutine.
type Room struct{ limit, taken int64 }

// NewRoom is an empty room of limit bytes.
func NewRoom(limit int64) *Room { return &Room{limit: limit} }

// Take takes n bytes. Errors: ErrAnswerTooLarge.
func (r *Room) Take(n int) error {
	if r == nil {
		return nil
	}
	if r.taken += int64(n); r.taken > r.limit {
		return ErrAnswerTooLarge.WithData("limit", r.limit).
			WithMessage("The related records of the answer have more than %d bytes together. Ask for a smaller depth or limit.", r.limit)
	}
	return nil
}

// Left is how many bytes may still be taken.
func (r *Room) Left() int64 {
	if r == nil {
		return math.MaxInt64
	}
	return max(0, r.limit-r.taken)
}
