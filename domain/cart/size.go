package cart

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// Bytes of JSON that shoppers may put into a cart, and into one line of it: attributes, admissions and codes. What the
// catalog says of the goods is not counted: there are at most MaxLines lines, and the catalog bounds its texts. So a
// cart of many ordinary lines is never too large.
const (
	MaxBytes     = 128 << 10
	MaxLineBytes = 16 << 10
)

// Size is how many bytes of JSON the shopper put into c.
func (c Cart) Size() int {
	size := sale.AttributesSize(c.Attributes)
	for _, x := range c.Codes {
		size += collection.StringSize(x.Code) + 1
	}
	for _, l := range c.Lines {
		size += sale.ContentSize(l.Admissions, l.Attributes)
	}
	return size
}

// StoredSize is roughly how many bytes the JSON of c has, what the catalog and the server add included.
func (c Cart) StoredSize() int {
	const fixed, ofLine = 1 << 10, 512 // names, ids, numbers, times
	size := fixed + c.Size()
	for _, l := range c.Lines {
		size += ofLine + len(l.Title) + len(l.VariantTitle) + len(l.SKU)
	}
	return size
}

// checkSize refuses a change from before to c that makes a line or the cart larger than it may be. One that is larger
// already, because it is older than the limit, may still be made smaller. Errors: ErrTooLarge.
func (c Cart) checkSize(before Cart) error {
	for _, l := range c.Lines {
		size := sale.ContentSize(l.Admissions, l.Attributes)
		if size <= MaxLineBytes {
			continue
		}
		was, _ := before.Line(l.ID)
		if size > sale.ContentSize(was.Admissions, was.Attributes) {
			return lineTooLarge(l.Variant)
		}
	}
	if size := c.Size(); size > MaxBytes && size > before.Size() {
		return ErrTooLarge.WithData("limit", int64(MaxBytes))
	}
	return nil
}

func lineTooLarge(variant string) error {
	return ErrTooLarge.WithMessage("The attributes and admissions of a line are larger than %d bytes.", MaxLineBytes).
		WithData("limit", int64(MaxLineBytes)).WithData("variantId", variant)
}
