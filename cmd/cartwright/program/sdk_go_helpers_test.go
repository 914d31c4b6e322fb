package program

import (
	"strings"
	"testing"

	cartwright "github.com/cartwright-dev/cartwright/adapters/sdk/go"
)

// where is a filter by one field.
func where(field string, value any) cartwright.Where {
	return cartwright.Where{field: cartwright.Where{"equals": value}}
}

func (s *goShop) checkProducts() {
	ctx := s.Context()
	found := callResult(s.Products.ListingPage(ctx, cartwright.ProductListingInput{Limit: 1, Where: where("name", "Tea")})).ok(s)
	if len(found.Docs) != 1 || found.Docs[0].Price != "12000" || found.TotalDocs != 1 {
		s.Fatalf("%+v", found)
	}
	tea := found.Docs[0]
	detail := callResult(s.Products.Detail(ctx, cartwright.ProductDetailInput{Slug: tea.Slug})).ok(s)
	if !detail.Found || detail.Product == nil || detail.Product.Variants[0].ResolvedPrice.Amount != "12000" ||
		*detail.Product.Variants[0].AvailableQuantity < 1 {
		s.Errorf("%+v", detail)
	}
	missing := callResult(s.Products.Detail(ctx, cartwright.ProductDetailInput{Slug: "no-such-tea"})).ok(s)
	if missing.Found || missing.Reason != cartwright.ProductDetailReasonMissing || missing.Product != nil {
		s.Errorf("%+v", missing)
	}
	callResult(s.Products.Detail(ctx, cartwright.ProductDetailInput{Slug: tea.Slug, Market: "atlantis"})).refused(s,
		cartwright.ReasonMarketNotFound)
	if shop := callResult(s.Shop.Retrieve(ctx)).ok(s); shop.Name == "" || shop.BusinessName == "" {
		s.Errorf("%+v", shop)
	}
	if form := callResult(s.Addresses.Format(ctx, cartwright.AddressFormatInput{Country: "JP", Locale: "en"})).ok(s); form.Country != "JP" ||
		len(form.Countries) == 0 || len(form.Fields) == 0 || form.Fields[0].Name != "recipientName" {
		s.Errorf("%+v", form)
	}
	if found := callResult(s.Search.All(ctx, cartwright.SearchInput{Q: "Tea", Limit: 1})).ok(s); len(found.Groups) == 0 || found.Groups[0].Collection == "" {
		s.Errorf("%+v", found)
	}
	search := cartwright.ProductSearchInput{Q: "tea", Sort: cartwright.ProductSearchSortPrice, Limit: 1}
	if found := callResult(s.Products.Search(ctx, search)).ok(s); found.Page != 1 || found.Facets == nil {
		s.Errorf("%+v", found)
	}
	if sold := callResult(s.Reports.Summary(ctx, cartwright.ReportSummaryInput{By: "day"})).ok(s); sold.From == "" || sold.Totals == nil {
		s.Errorf("%+v", sold)
	}
	if owed := callResult(s.Reports.Settlement(ctx, cartwright.ReportSettlementInput{})).ok(s); owed.Days == nil || owed.Totals == nil {
		s.Errorf("%+v", owed)
	}
	if catalog := callResult(s.Products.DetailCatalog(ctx, cartwright.ProductDetailCatalogInput{ID: tea.ID})).ok(s); !catalog.Found ||
		catalog.Product.Name != "Tea" {
		s.Errorf("%+v", catalog)
	}
	if missing := callResult(s.Products.DetailCatalog(ctx, cartwright.ProductDetailCatalogInput{Slug: "no-such-tea"})).ok(s); missing.Found {
		s.Errorf("%+v", missing)
	}
	callResult(s.Products.ListingGroupsCatalog(ctx, cartwright.ProductListingGroupsInput{ProductIDs: []string{tea.ID}})).ok(s)
	stock := callResult(s.Products.StockCheck(ctx, cartwright.ProductStockCheckInput{
		Items: []cartwright.VariantQuantity{{VariantID: s.variant, Quantity: 1}, {VariantID: s.variant, Quantity: 9000}},
	})).ok(s)
	if stock.AllAvailable || len(stock.Items) != 1 || stock.Items[0].Requested != 9001 || *stock.Items[0].AvailableQuantity < 1 ||
		stock.CheckedAt.IsZero() {
		s.Errorf("%+v", stock)
	}
	arrived := callResult(s.Products.AdjustStock(ctx,
		cartwright.ProductVariantStockInput{ProductVariantID: s.variant, Delta: new(int64(2)), Reason: "received"})).ok(s)
	if arrived.Movement.Delta != 2 || *arrived.Stock != arrived.Movement.StockBefore+2 || arrived.Movement.Reason != "received" {
		s.Errorf("%+v", arrived)
	}
	callResult(s.Products.AdjustStock(ctx, cartwright.ProductVariantStockInput{
		ProductVariantID: s.variant, Count: new(int64(1)), Expected: new(*arrived.Stock + 1), Reason: "recount",
	})).refused(s, cartwright.ReasonStockChanged)
	if price := callResult(s.Shipping.Calculate(ctx, cartwright.ShippingCalculateInput{PostalCode: "63100", OrderAmount: "10000"})).
		ok(s); price.ShippingAmount != "6000" || price.Currency != "KRW" {
		s.Errorf("%+v", price)
	}
	code := s.code("TEN")
	if worth := callResult(s.Discounts.Validate(ctx, cartwright.DiscountValidateInput{Code: code, OrderAmount: "12345"})).ok(s); !worth.Valid ||
		worth.DiscountAmount != "1235" {
		s.Errorf("%+v", worth)
	}
	if worth := callResult(s.Discounts.Validate(ctx, cartwright.DiscountValidateInput{Code: "NONE", OrderAmount: "1"})).ok(s); worth.Valid ||
		string(worth.Reason) != string(cartwright.ReasonDiscountNotFound) {
		s.Errorf("%+v", worth)
	}
}

// checkCompleteProducts writes a product in one piece, and changes its price as a preview showed.
func (s *goShop) checkCompleteProducts() {
	ctx := s.Context()
	made := callResult(s.Products.CreateComplete(ctx, cartwright.ProductCreateCompleteInput{
		Name: "Teapot", Status: cartwright.ProductStatusDraft, Price: "1000",
		Options: []cartwright.CompleteOptionInput{{Name: "Size", Values: []cartwright.CompleteOptionValue{{Label: "S"}, {Label: "L"}}}},
		Variants: []cartwright.CompleteVariantInput{
			{OptionValues: []cartwright.CompleteVariantOptionValue{{Option: "Size", Value: "S"}}, Stock: new(int64(3))},
			{OptionValues: []cartwright.CompleteVariantOptionValue{{Option: "Size", Value: "L"}}, Stock: new(int64(2))},
		},
	})).ok(s)
	if read := callResult(s.Products.Complete(ctx, made.ID)).ok(s); read.Revision != made.Revision || len(read.Variants) != 2 || read.Variants[1].Title != "L" {
		s.Errorf("%+v", read)
	}
	changed := callResult(s.Products.ReplaceComplete(ctx, cartwright.ProductReplaceCompleteInput{
		ProductID: made.ID, Revision: new(made.Revision), Price: "2000", Variants: []cartwright.CompleteVariantInput{{ID: made.Variants[1].ID}},
	})).ok(s)
	if changed.Price != "2000" || len(changed.Variants) != 1 || *changed.Variants[0].Stock != 2 {
		s.Errorf("%+v", changed)
	}
	callResult(s.Products.ReplaceComplete(ctx, cartwright.ProductReplaceCompleteInput{
		ProductID: made.ID, Revision: new(made.Revision), Price: "3000",
	})).refused(s, cartwright.ReasonChangedMeanwhile)
	if draft := callResult(s.Products.Duplicate(ctx, cartwright.ProductDuplicateInput{ProductID: made.ID, Name: "Kettle"})).ok(s); draft.Slug != "kettle" ||
		draft.ID == made.ID || *draft.Variants[0].Stock != 0 {
		s.Errorf("%+v", draft)
	}
	rise := cartwright.ProductAdjustPricesInput{Products: []string{made.ID}, BasisPoints: 2500, RoundTo: "500", Preview: new(true)}
	shown := callResult(s.Products.AdjustPrices(ctx, rise)).ok(s)
	if !shown.Preview || len(shown.Prices) != 1 || shown.Prices[0].From != "2000" || shown.Prices[0].To != "2500" {
		s.Fatalf("%+v", shown)
	}
	rise.Preview, rise.Expected = nil, []cartwright.ProductAdjustPricesExpected{{ID: shown.Prices[0].ID, Revision: shown.Prices[0].Revision}}
	if risen := callResult(s.Products.AdjustPrices(ctx, rise)).ok(s); risen.Updated != 1 || risen.Prices[0].Status != cartwright.ChangeStatusUpdated {
		s.Errorf("%+v", risen)
	}
}

// code creates a discount code of ten percent.
func (s *goShop) code(name string) string {
	s.Helper()
	callResult(s.Collections.Discounts.Create(s.Context(), cartwright.DiscountCreate{
		Code: name, Type: cartwright.DiscountTypePercentage, Value: "10",
	})).ok(s)
	return name
}

func (s *goShop) checkCarts() {
	ctx := s.Context()
	customer := callResult(s.Collections.Customers.Create(ctx, cartwright.CustomerCreate{Email: "kim@shopper.example", Name: "Kim"})).ok(s).Doc
	created := callResult(s.Carts.Create(ctx, cartwright.CartCreateInput{
		CustomerID: customer.ID, Attributes: map[string]string{"gift": "yes"},
	})).ok(s)
	id := created.Cart.ID
	if !strings.HasPrefix(created.CartToken, "ct_") || created.Cart.Revision != 1 || created.Cart.Attributes["gift"] != "yes" ||
		created.Cart.Customer.ID != customer.ID {
		s.Errorf("%+v", created.Cart)
	}
	if mine := callResult(s.Carts.Mine(ctx, cartwright.CartMineInput{CustomerID: customer.ID})).ok(s); mine.Cart == nil ||
		mine.Cart.ID != id {
		s.Errorf("%+v", mine)
	}
	added := callResult(s.Carts.AddItem(ctx, cartwright.CartAddItemInput{
		CartID: id, VariantID: s.variant, Quantity: 1, ExpectedRevision: new(int64(1)),
	})).ok(s)
	line := added.Cart.Lines[0]
	if added.Cart.Revision != 2 || line.UnitPrice != "12000" || added.Cart.Totals.Total != "12000" || line.RequiresShipping ||
		added.Replayed {
		s.Errorf("%+v", added)
	}
	changed := callResult(s.Carts.UpdateItem(ctx, cartwright.CartUpdateItemInput{CartID: id, LineID: line.ID, Quantity: new(int64(3))})).ok(s)
	if changed.Receipt.Totals.Total != "36000" {
		s.Errorf("%+v", changed)
	}
	coded := callResult(s.Carts.UpdateDiscountCodes(ctx,
		cartwright.CartUpdateDiscountCodesInput{CartID: id, DiscountCodes: []string{s.code("CART")}})).ok(s)
	if len(coded.Cart.DiscountCodes) != 1 || !coded.Cart.DiscountCodes[0].Applied || coded.Cart.Totals.Total != "32400" {
		s.Errorf("%+v", coded.Cart.DiscountCodes)
	}
	if bare := callResult(s.Carts.UpdateDiscountCodes(ctx, cartwright.CartUpdateDiscountCodesInput{CartID: id, DiscountCodes: []string{}})).
		ok(s); len(bare.Cart.DiscountCodes) != 0 {
		s.Errorf("%+v", bare.Cart.DiscountCodes)
	}
	if named := callResult(s.Carts.UpdateAttributes(ctx, cartwright.CartUpdateAttributesInput{
		CartID: id, Attributes: map[string]string{"note": "<ring> & \"knock\""},
	})).ok(s); named.Cart.Attributes["note"] != `<ring> & "knock"` || len(named.Cart.Attributes) != 1 {
		s.Errorf("%+v", named.Cart.Attributes)
	}
	if emptied := callResult(s.Carts.RemoveItem(ctx, cartwright.CartRemoveItemInput{CartID: id, LineID: line.ID, ExpectedRevision: 6})).
		ok(s); len(emptied.Cart.Lines) != 0 || emptied.Cart.Revision != 7 {
		s.Errorf("%+v", emptied)
	}
	guest := callResult(s.Carts.Create(ctx,
		cartwright.CartCreateInput{Items: []cartwright.CartItem{{VariantID: s.variant, Quantity: 2}}})).ok(s)
	merged := callResult(s.Carts.Merge(ctx, cartwright.CartMergeInput{
		SourceCartID: guest.Cart.ID, SourceCartToken: guest.CartToken, TargetCartID: id,
	})).ok(s)
	if merged.Cart.ID != id || merged.Cart.Lines[0].Quantity != 2 || len(merged.Warnings) != 0 {
		s.Errorf("%+v", merged)
	}
	cleared := callResult(s.Carts.Clear(ctx, cartwright.CartClearInput{CartID: id})).ok(s)
	now := callResult(s.Carts.Retrieve(ctx, cartwright.CartRetrieveInput{CartID: id})).ok(s)
	cached, seen := s.Carts.Cached(id)
	if len(cleared.Cart.Lines) != 0 || now.Cart.Revision != cleared.Cart.Revision || !seen || cached.Revision != now.Cart.Revision {
		s.Errorf("%+v %+v", cleared, now)
	}
	callResult(s.Carts.Retrieve(ctx, cartwright.CartRetrieveInput{CartID: "0190b5a0-0000-7000-8000-000000000000"})).
		refused(s, cartwright.ReasonNotFound)
}

func (s *goShop) checkPreviousCarts() {
	ctx := s.Context()
	created := callResult(s.Cart.Create(ctx, cartwright.PreviousCartCreateInput{})).ok(s)
	id := created.ID
	if !strings.HasPrefix(created.CartToken, "ct_") {
		s.Errorf("%+v", created)
	}
	added := callResult(s.Cart.AddItem(ctx, cartwright.PreviousCartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 2})).ok(s)
	if added.ItemsTotal != "24000" || added.TotalAmount != "24000" || len(added.Lines) != 1 {
		s.Errorf("%+v", added)
	}
	line := added.Lines[0].ID
	if changed := callResult(s.Cart.UpdateItem(ctx, cartwright.PreviousCartUpdateItemInput{
		CartID: id, LineID: line, Quantity: new(int64(1)),
	})).ok(s); changed.ItemsTotal != "12000" {
		s.Errorf("%+v", changed)
	}
	code := s.code("OLD")
	if applied := callResult(s.Cart.ApplyDiscount(ctx, cartwright.PreviousCartApplyDiscountInput{CartID: id, DiscountCode: code})).
		ok(s); applied.DiscountAmount != "1200" {
		s.Errorf("%+v", applied)
	}
	callResult(s.Cart.ApplyDiscount(ctx, cartwright.PreviousCartApplyDiscountInput{CartID: id, DiscountCode: "NONE"})).
		refused(s, cartwright.ReasonDiscountNotFound)
	if bare := callResult(s.Cart.RemoveDiscount(ctx, cartwright.PreviousCartRemoveDiscountInput{CartID: id, DiscountCode: code})).
		ok(s); bare.DiscountAmount.Cmp("0") != 0 {
		s.Errorf("%+v", bare)
	}
	if coded := callResult(s.Cart.UpdateDiscountCodes(ctx, cartwright.PreviousCartUpdateDiscountCodesInput{
		CartID: id, DiscountCodes: []string{code},
	})).ok(s); coded.TotalAmount != "10800" {
		s.Errorf("%+v", coded)
	}
	callResult(s.Cart.RemoveItem(ctx, id, line)).ok(s)
	callResult(s.Cart.AddItem(ctx, cartwright.PreviousCartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1})).ok(s)
	callResult(s.Cart.Clear(ctx, id)).ok(s)
	if got := callResult(s.Cart.Get(ctx, id)).ok(s); len(got.Lines) != 0 {
		s.Errorf("%+v", got)
	}
}

// cart creates a cart with one unit of a variant.
func (s *goShop) cart(variant string) string {
	s.Helper()
	return callResult(s.Carts.Create(s.Context(),
		cartwright.CartCreateInput{Items: []cartwright.CartItem{{VariantID: variant, Quantity: 1}}})).ok(s).Cart.ID
}

// checkout creates a checkout of 12000 KRW.
func (s *goShop) checkout() cartwright.Checkout {
	s.Helper()
	return callResult(s.Checkouts.Create(s.Context(),
		cartwright.CheckoutCreateInput{CartID: s.cart(s.variant), Email: "kim@shopper.example"})).ok(s).Checkout
}

func (s *goShop) checkCheckouts() {
	ctx := s.Context()
	created := callResult(s.Checkouts.Create(ctx, cartwright.CheckoutCreateInput{
		CartID: s.cart(s.createProduct("Song", "0")), Email: "kim@shopper.example", Notes: "Loud",
	})).ok(s)
	id := created.Checkout.ID
	if !strings.HasPrefix(created.CheckoutToken, "co_") || created.Checkout.Status != cartwright.CheckoutStatusOpen ||
		created.Checkout.RequiresShipping || created.Checkout.Totals.Total != "0" {
		s.Errorf("%+v", created.Checkout)
	}
	moved := callResult(s.Checkouts.Update(ctx, cartwright.CheckoutUpdateInput{CheckoutID: id, Email: "lee@shopper.example"})).ok(s)
	if moved.Email != "lee@shopper.example" || moved.Status != cartwright.CheckoutStatusOpen {
		s.Errorf("%+v", moved)
	}
	if open := callResult(s.Checkouts.Retrieve(ctx, id)).ok(s); string(open.Status) != "open" || open.Order != nil ||
		open.PaymentSession != nil {
		s.Errorf("%+v", open)
	}
	done := callResult(s.Checkouts.Complete(ctx, id)).ok(s)
	if done.Order.Status != cartwright.OrderStatusPaid || done.Order.TotalAmount != "0" || done.Order.Email != "lee@shopper.example" {
		s.Errorf("%+v", done)
	}
	if complete := callResult(s.Checkouts.Retrieve(ctx, id)).ok(s); string(complete.Status) != "completed" || complete.Order == nil ||
		complete.Order.ID != done.Order.ID {
		s.Errorf("%+v", complete)
	}
	callResult(s.Checkouts.Complete(ctx, s.checkout().ID)).refused(s, cartwright.ReasonPaymentRequired)
	listed := callResult(s.Checkouts.Query(ctx, cartwright.Query{
		Where: cartwright.Where{"and": []cartwright.Where{where("status", "completed"), where("email", "lee@shopper.example")}}, Limit: 5,
		Depth: 1,
	})).ok(s)
	if len(listed.Docs) != 1 || listed.Docs[0].ID != id || listed.Docs[0].Order.Doc == nil ||
		listed.Docs[0].Order.Doc.OrderNumber != done.Order.OrderNumber {
		s.Errorf("%+v", listed)
	}
	started := callResult(s.Orders.Checkout(ctx, cartwright.OrderCheckoutInput{
		CartID: s.cart(s.variant), CustomerSnapshot: cartwright.CustomerSnapshot{Email: "kim@shopper.example", Name: "Kim"},
	})).ok(s)
	if started.Order != nil || started.Checkout == nil || started.CheckoutToken == "" {
		s.Errorf("%+v", started)
	}
}

func (s *goShop) checkDrafts() {
	ctx := s.Context()
	draft := callResult(s.DraftOrders.Create(ctx,
		cartwright.DraftOrderCreate{Lines: []cartwright.DraftOrderLineInput{{Variant: s.variant, Quantity: 2}}})).ok(s)
	callResult(s.DraftOrders.Finalize(ctx, draft.ID)).refused(s, cartwright.ReasonCustomerEmailInvalid)
	edited := callResult(s.DraftOrders.Update(ctx, draft.ID, cartwright.DraftOrderUpdate{
		CustomerSnapshot: &cartwright.CustomerSnapshot{Name: "Lee Minji", Email: "minji@example.com"}, OperatorNotes: new("By telephone"),
	})).ok(s)
	if edited.Status != cartwright.DraftOrderStatusDraft || edited.CustomerSnapshot.Email != "minji@example.com" {
		s.Errorf("%+v", edited)
	}
	if sum := callResult(s.DraftOrders.Calculate(ctx, cartwright.DraftOrderCalculateInput{DraftOrderID: draft.ID})).ok(s); sum.Total != "24000" ||
		sum.Currency != "KRW" || len(sum.Unavailable) != 0 {
		s.Errorf("%+v", sum)
	}
	final := callResult(s.DraftOrders.Finalize(ctx, draft.ID)).ok(s)
	if final.Order.Source != cartwright.OrderSourceManual || final.Order.Status != cartwright.OrderStatusPending ||
		final.DraftOrder.Order.ID != final.Order.ID {
		s.Errorf("%+v", final)
	}
	if paid := callResult(s.Orders.Transition(ctx, cartwright.OrderTransitionInput{
		OrderID: final.Order.ID, To: cartwright.OrderStatusPaid, Note: "By bank transfer",
	})).ok(s); paid.Status != cartwright.OrderStatusPaid {
		s.Errorf("%+v", paid)
	}
	callResult(s.DraftOrders.Update(ctx, draft.ID, cartwright.DraftOrderUpdate{OperatorNotes: new("Late")})).
		refused(s, cartwright.ReasonDraftNotEditable)
	other := callResult(s.DraftOrders.Create(ctx, cartwright.DraftOrderCreate{})).ok(s)
	if gone := callResult(s.DraftOrders.Discard(ctx, other.ID)).ok(s); gone.Status != cartwright.DraftOrderStatusDiscarded {
		s.Errorf("%+v", gone)
	}
}

func (s *goShop) checkReturns() {
	ctx := s.Context()
	order := s.pay()
	work := callResult(s.Collections.FulfillmentOrders.Find(ctx, cartwright.Query{Where: where("order", order.ID)})).ok(s).Docs[0]
	if status, body := requestJSON(s.T, "POST", s.url+"/api/fulfillment-orders/"+work.ID+"/complete", "",
		"X-API-Key: "+s.credentials.TestSecretKey); status != 200 {
		s.Fatal(body)
	}
	can := callResult(s.ReturnRequests.Returnable(ctx, order.ID)).ok(s)
	if len(can.Lines) != 1 || can.Lines[0].Remaining != 1 || can.Lines[0].UnitRefund != "12000" || can.Lines[0].Shippable {
		s.Fatalf("%+v", can)
	}
	lines := []cartwright.ReturnLine{{OrderLine: can.Lines[0].OrderLine, Quantity: 1, RestockingFee: "500", Reason: "Too loud"}}
	if preview := callResult(s.ReturnRequests.Preview(ctx, cartwright.ReturnRequestPreviewInput{Order: order.ID, Lines: lines})).
		ok(s); preview.RefundAmount != "11500" {
		s.Errorf("%+v", preview)
	}
	requestReturn := func() string {
		s.Helper()
		return callResult(s.ReturnRequests.Create(ctx, cartwright.ReturnRequestCreateInput{Order: order.ID, Lines: lines})).
			ok(s).ReturnRequest.ID
	}
	if no := callResult(s.ReturnRequests.Reject(ctx, cartwright.ReturnRequestRejectInput{
		ReturnRequestID: requestReturn(), Reason: "Used",
	})).ok(s); no.ReturnRequest.Status != cartwright.ReturnRequestStatusRejected {
		s.Errorf("%+v", no)
	}
	if no := callResult(s.ReturnRequests.Cancel(ctx, cartwright.ReturnRequestCancelInput{ReturnRequestID: requestReturn()})).
		ok(s); no.ReturnRequest.Status != cartwright.ReturnRequestStatusCanceled {
		s.Errorf("%+v", no)
	}
	id := requestReturn()
	callResult(s.ReturnRequests.Approve(ctx, id)).ok(s)
	arrived := []cartwright.ReturnRequestReceiveLine{{OrderLine: can.Lines[0].OrderLine, Condition: cartwright.ReturnedLineConditionDamaged}}
	came := callResult(s.ReturnRequests.Receive(ctx, cartwright.ReturnRequestReceiveInput{ReturnRequestID: id, Lines: arrived})).ok(s)
	if came.ReturnRequest.Lines[0].Condition != cartwright.ReturnedLineConditionDamaged {
		s.Errorf("%+v", came)
	}
	back := callResult(s.ReturnRequests.Refund(ctx, cartwright.ReturnRequestRefundInput{ReturnRequestID: id})).ok(s)
	if back.ReturnRequest.Status != cartwright.ReturnRequestStatusRefunded || back.ReturnRequest.RefundAmount != "11500" ||
		back.Order.RefundedAmount != "11500" {
		s.Errorf("%+v", back)
	}
}

var _ testing.TB = (*goShop)(nil)
