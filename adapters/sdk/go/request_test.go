package cartwright

import (
	"strings"
	"testing"
)

func TestInputsBecomePathQueryAndBody(t *testing.T) {
	t.Parallel()
	r, err := opCartUpdateItem.request(CartUpdateItemInput{
		CartID: "a/b", LineID: "l?1", Quantity: new(int64(0)), ExpectedRevision: new(int64(4)),
	})
	if err != nil || r.path != "/server/commerce/carts/a%2Fb/items/l%3F1" || string(r.body) != `{"expectedRevision":4,"quantity":0}` {
		t.Errorf("%s %s, %v", r.path, r.body, err)
	}
	r, err = opProductListing.request(ProductListingInput{
		Market: "kr", Limit: 5, Where: Where{"price": Where{"less_than": Amount("19.90")}},
	})
	if err != nil ||
		r.path != "/server/commerce/products/listing?limit=5&market=kr&where=%7B%22price%22%3A%7B%22less_than%22%3A19.90%7D%7D" ||
		r.body != nil {
		t.Errorf("%s %s, %v", r.path, r.body, err)
	}
	r, err = operation{path: "/brands"}.request(Query{Depth: 1, Select: []string{"name", "slug"}})
	if err != nil || r.path != "/brands?depth=1&select%5Bname%5D=true&select%5Bslug%5D=true" {
		t.Errorf("%s, %v", r.path, err)
	}
	r, err = opProductSearch.request(ProductSearchInput{Q: "tea", Brands: []string{"b1", "b2"}, MinPrice: "9.50", InStock: true})
	if err != nil || r.path != "/server/commerce/products/search?brands=b1&brands=b2&inStock=true&minPrice=9.50&q=tea" {
		t.Errorf("%s, %v", r.path, err)
	}
	r, err = opCartUpdateDiscountCodes.request(CartUpdateDiscountCodesInput{CartID: "c1"})
	if err != nil || string(r.body) != `{"discountCodes":[]}` {
		t.Errorf("%s, %v", r.body, err)
	}
	r, err = opCartUpdateAttributes.request(CartUpdateAttributesInput{CartID: "c1"})
	if err != nil || string(r.body) != `{"attributes":{}}` {
		t.Errorf("%s, %v", r.body, err)
	}
	for _, id := range []string{"", ".", ".."} {
		if _, err := opCheckoutRetrieve.request(byID{id}); err == nil {
			t.Errorf("the id %q is sent", id)
		}
	}
	if _, err := opProductListing.request(ProductListingInput{Where: Where{"f": func() {}}}); err == nil {
		t.Error("a filter that is no JSON is sent")
	}
	if _, err := opShippingCalculate.request(ShippingCalculateInput{OrderAmount: "many"}); err == nil {
		t.Error("an amount that is no number is sent")
	}
}

// The same input is the same operation, whatever revision it expects; anything else is another one.
func TestInputsAreToldApart(t *testing.T) {
	t.Parallel()
	match := func(o operation, in any) string {
		t.Helper()
		r, err := o.request(in)
		if err != nil {
			t.Fatal(err)
		}
		return r.match
	}
	add := CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1, Attributes: map[string]string{"a": "1", "b": "2"}}
	was := match(opCartAddItem, add)
	add.ExpectedRevision = new(int64(7))
	if match(opCartAddItem, add) != was {
		t.Error("the expected revision makes it another operation")
	}
	line := CartRemoveItemInput{CartID: "c1", LineID: "l1"}
	later := line
	later.ExpectedRevision = 7
	if match(opCartRemoveItem, line) != match(opCartRemoveItem, later) {
		t.Error("the expected revision in the query makes it another operation")
	}
	buy := CheckoutCreateInput{CartID: "c1", Email: "a"}
	past := match(opCheckoutCreate, buy)
	if buy.ExpectedRevision = new(int64(7)); match(opCheckoutCreate, buy) == past {
		t.Error("the order of another revision is the same order")
	}
	seen := map[string]string{was: "the first"}
	more, elsewhere, marked := add, add, add
	more.Quantity, elsewhere.CartID, marked.Attributes = 2, "c2", map[string]string{"a": "1"}
	for name, m := range map[string]string{
		"quantity": match(opCartAddItem, more), "cart": match(opCartAddItem, elsewhere), "attributes": match(opCartAddItem, marked),
		"helper": match(opPreviousCartAddItem, PreviousCartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1}),
		"line":   match(opCartRemoveItem, line), "id": match(opCheckoutComplete, byID{"c1"}),
		"other id": match(opCheckoutComplete, byID{"c2"}),
	} {
		if seen[m] != "" {
			t.Errorf("another %s is the same operation as %s", name, seen[m])
		}
		seen[m] = name
	}
}

func TestNoOperationLeavesTheServersTransport(t *testing.T) {
	t.Parallel()
	for _, o := range []operation{
		opCartAddItem, opCheckoutCreate, opPaymentSessionConfirm, opProductDetail, opPreviousCartGet, opDiscountValidate,
		opShippingCalculate, opOrderCheckout,
	} {
		if !strings.HasPrefix(o.path, "/server/commerce/") {
			t.Error(o.name, o.path)
		}
	}
}
