package cart_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// engraved is a line whose attributes have about so many bytes.
func engraved(line string, size int) cart.LineInput {
	attributes := map[string]string{"n": line}
	for i := 0; size > 0; i++ {
		attributes[fmt.Sprint(i)] = strings.Repeat("가", min(size, 2000)/3)
		size -= 2000
	}
	return cart.LineInput{LineID: line, Variant: "mug", Quantity: 1, Attributes: attributes}
}

// seated are n admissions, each with attributes of so many bytes.
func seated(n, size int) []sale.Admission {
	guests := admissions(n)
	for i := range guests {
		guests[i].Attributes = map[string]string{"seat": strings.Repeat("x", size/2), "meal": strings.Repeat("y", size/2)}
	}
	return guests
}

// refusedAt is the limit that err names; 0 for another error.
func refusedAt(err error) any {
	if !errors.Is(err, cart.ErrTooLarge) {
		return err
	}
	return fault.From(err).Data["limit"]
}

// Whoever keeps adding to a cart is refused at its limit, and can still remove.
func TestGrowingCartIsRefusedAtItsLimit(t *testing.T) {
	t.Parallel()
	c := begin(t, "")
	var err error
	for n := 0; err == nil && n < cart.MaxLines; n++ {
		c, err = cart.Decide(c, 0, cart.AddLine{Line: engraved(fmt.Sprint("l", n), 15_000), Facts: shop("")}, now)
	}
	if refusedAt(err) != int64(cart.MaxBytes) || len(c.Lines) != 8 || c.Size() > cart.MaxBytes {
		t.Fatalf("%d lines of %d bytes: %v", len(c.Lines), c.Size(), err)
	}
	stored := len(collection.AppendJSON(nil, cart.Schema, c.Record(), collection.View{Audience: collection.ServerOnly}))
	if at := c.StoredSize(); at < stored || at > 2*stored {
		t.Errorf("stored are %d bytes, %d were expected", stored, at)
	}
	for name, cmd := range map[string]cart.Command{
		"attributes of the cart": cart.SetAttributes{Attributes: numbered(10), Facts: shop("")},
		"a line with admissions": cart.AddLine{
			Line: cart.LineInput{LineID: "g", Variant: "concert", Quantity: 4, Admissions: seated(4, 3000)}, Facts: shop(""),
		},
	} {
		if _, err := cart.Decide(c, 0, cmd, now); refusedAt(err) != int64(cart.MaxBytes) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, cmd := range map[string]cart.Command{
		"removing":         cart.RemoveLine{Line: "l0", Facts: shop("")},
		"another quantity": cart.UpdateLine{Line: "l1", Quantity: new(int64(2)), Facts: shop("")},
	} {
		if _, err := cart.Decide(c, 0, cmd, now); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLargeLinesAreRefused(t *testing.T) {
	t.Parallel()
	guests := seated(5, 4000)
	add := func(it cart.LineInput) cart.AddLine { return cart.AddLine{Line: it, Facts: shop("")} }
	attend := func(line string, guests []sale.Admission) cart.LineInput {
		return cart.LineInput{LineID: line, Variant: "concert", Quantity: int64(len(guests)), Admissions: guests}
	}
	escaped := item("l", "mug", 1)
	escaped.Attributes = map[string]string{"a": strings.Repeat("\x01", 2000), "b": strings.Repeat("\x02", 1000)}
	empty, two := begin(t, ""), begin(t, "", cart.LineInput{LineID: "a", Variant: "concert", Quantity: 3, Admissions: guests[:3]})
	for name, c := range map[string]struct {
		to  cart.Cart
		cmd cart.Command
	}{
		"attributes":                      {empty, add(engraved("l", 17_000))},
		"admissions":                      {empty, add(attend("l", guests))},
		"admissions that add up":          {two, add(attend("l", guests[3:]))},
		"new admissions":                  {two, cart.UpdateLine{Line: "a", Quantity: new(int64(5)), Admissions: &guests, Facts: shop("")}},
		"attributes written with escapes": {empty, add(escaped)},
		"a line of a new cart": {
			cart.Cart{}, cart.Create{ID: "c", Lines: []cart.LineInput{item("a", "mug", 1), engraved("l", 17_000)}, Facts: shop("")},
		},
	} {
		if _, err := cart.Decide(c.to, 0, c.cmd, now); refusedAt(err) != int64(cart.MaxLineBytes) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Two hundred lines whose goods have the longest names that the catalog takes are a cart like any other.
func TestManyOrdinaryLinesAreNeverTooLarge(t *testing.T) {
	t.Parallel()
	f := shop("")
	mug := f.Offers["mug"]
	mug.Title, mug.VariantTitle, mug.SKU = strings.Repeat("컵", 500), strings.Repeat("컵", 500), strings.Repeat("x", 255)
	f.Offers["mug"] = mug
	lines := make([]cart.LineInput, cart.MaxLines)
	for i := range lines {
		lines[i] = cart.LineInput{
			LineID: fmt.Sprint("l", i), Variant: "mug", Quantity: 1,
			Attributes: map[string]string{"name": fmt.Sprint("새벽 ", i), "wish": strings.Repeat("축", 100)},
		}
	}
	if _, err := cart.Decide(cart.Cart{}, 0, cart.Create{ID: "c", Lines: lines, Facts: f}, now); err != nil {
		t.Error(err)
	}
}

// Carts that are older than the limit can be made smaller, and not larger.
func TestOversizedCartCanBeMadeSmaller(t *testing.T) {
	t.Parallel()
	old := begin(t, "", item("a", "mug", 1), item("b", "mug", 1), item("s", "shirt", 1))
	for i := range old.Lines {
		old.Lines[i].Attributes = numbered(40)
	}
	for name, c := range map[string]struct {
		cmd   cart.Command
		limit any
	}{
		"removing a line":     {cmd: cart.RemoveLine{Line: "a", Facts: shop("")}},
		"fewer attributes":    {cmd: cart.UpdateLine{Line: "a", Attributes: &map[string]string{"n": "x"}, Facts: shop("")}},
		"a quantity":          {cmd: cart.UpdateLine{Line: "s", Quantity: new(int64(2)), Facts: shop("")}},
		"attributes":          {cmd: cart.SetAttributes{Attributes: map[string]string{"a": "b"}, Facts: shop("")}, limit: int64(cart.MaxBytes)},
		"clearing everything": {cmd: cart.Clear{Facts: shop("")}},
	} {
		if _, err := cart.Decide(old, 0, c.cmd, now); c.limit == nil && err != nil || c.limit != nil && refusedAt(err) != c.limit {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMergeIsRefusedAtTheLimit(t *testing.T) {
	t.Parallel()
	large := func(id string) cart.Cart {
		var lines []cart.LineInput
		for i := range 5 {
			lines = append(lines, engraved(fmt.Sprint(id, i), 15_000))
		}
		c := begin(t, "", lines...)
		c.ID = id
		return c
	}
	if _, err := cart.Merge(large("a"), large("b"), "", shop(""), now.Add(time.Hour)); refusedAt(err) != int64(cart.MaxBytes) {
		t.Error(err)
	}
	guests := seated(3, 4000)
	ticket := func(line string) cart.Cart {
		c := begin(t, "", cart.LineInput{LineID: line, Variant: "concert", Quantity: 3, Admissions: guests})
		c.ID = line
		return c
	}
	if _, err := cart.Merge(ticket("a"), ticket("b"), "", shop(""), now.Add(time.Hour)); refusedAt(err) != int64(cart.MaxLineBytes) {
		t.Error(err)
	}
}

// The size of what a shopper sent is that of its JSON.
func TestContentSizeIsThatOfJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain", "글씨", "a\"b\\c\n\t\r", "\x00\x1f", "\xff\xfe", "😀\u2028"} {
		got := sale.AttributesSize(map[string]string{text: text})
		want := len(collection.AppendJSONValue(nil, map[string]any{text: text})) + 1 // a comma
		if got != want || collection.StringSize(text) != len(collection.AppendString(nil, text)) {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
