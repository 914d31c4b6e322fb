package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// helpers are the operations of the SDK: the helper, the operation of the document, and the name of the
// answer's type where it is not made from the operation's.
var helpers = []struct{ helper, operation, result string }{
	{"shop.retrieve", "serverShop", ""},
	{"addresses.format", "serverAddressFormat", ""},
	{"search.all", "search", ""},
	{"reports.summary", "reportSummary", ""},
	{"reports.settlement", "reportSettlement", ""},
	{"products.detail", "serverProductDetail", ""},
	{"products.detailCatalog", "serverProductDetailCatalog", ""},
	{"products.listingPage", "serverProductListing", ""},
	{"products.listingGroupsCatalog", "serverProductListingGroups", ""},
	{"products.search", "serverProductSearch", ""},
	{"products.stockCheck", "serverProductStockCheck", ""},
	{"products.adjustStock", "productVariantStock", ""},
	{"products.complete", "productComplete", "productAnswer"},
	{"products.createComplete", "productCreateComplete", "productAnswer"},
	{"products.replaceComplete", "productReplaceComplete", "productAnswer"},
	{"products.duplicate", "productDuplicate", "productAnswer"},
	{"products.adjustPrices", "productAdjustPrices", ""},
	{"collections.updateEach", "bulkUpdate", "BulkUpdates"},
	{"carts.create", "serverCartCreate", ""},
	{"carts.retrieve", "serverCartRetrieve", ""},
	{"carts.mine", "serverCartMine", ""},
	{"carts.merge", "serverCartMerge", ""},
	{"carts.addItem", "serverCartAddItem", "cartAnswer"},
	{"carts.updateItem", "serverCartUpdateItem", "cartAnswer"},
	{"carts.removeItem", "serverCartRemoveItem", "cartAnswer"},
	{"carts.updateDiscountCodes", "serverCartUpdateDiscountCodes", "cartAnswer"},
	{"carts.updateAttributes", "serverCartUpdateAttributes", "cartAnswer"},
	{"carts.clear", "serverCartClear", "cartAnswer"},
	{"cart.create", "serverPreviousCartCreate", "NewPreviousCart"},
	{"cart.get", "serverPreviousCartGet", "PreviousCart"},
	{"cart.addItem", "serverPreviousCartAddItem", "PreviousCart"},
	{"cart.updateItem", "serverPreviousCartUpdateItem", "PreviousCart"},
	{"cart.removeItem", "serverPreviousCartRemoveItem", "PreviousCart"},
	{"cart.updateDiscountCodes", "serverPreviousCartUpdateDiscountCodes", "PreviousCart"},
	{"cart.clear", "serverPreviousCartClear", "PreviousCart"},
	{"cart.applyDiscount", "serverPreviousCartApplyDiscount", "PreviousCart"},
	{"cart.removeDiscount", "serverPreviousCartRemoveDiscount", "PreviousCart"},
	{"discounts.validate", "serverDiscountValidate", ""},
	{"shipping.calculate", "serverShippingCalculate", ""},
	{"checkouts.create", "serverCheckoutCreate", ""},
	{"checkouts.retrieve", "serverCheckoutRetrieve", ""},
	{"checkouts.update", "serverCheckoutUpdate", "checkoutAnswer"},
	{"checkouts.complete", "serverCheckoutComplete", ""},
	{"checkouts.query", "serverCheckoutQuery", ""},
	{"paymentSessions.create", "serverPaymentSessionCreate", ""},
	{"paymentSessions.retrieve", "serverPaymentSessionRetrieve", "paymentSessionAnswer"},
	{"paymentSessions.cancel", "serverPaymentSessionCancel", "paymentSessionAnswer"},
	{"paymentSessions.confirm", "serverPaymentSessionConfirm", ""},
	{"paymentSessions.release", "serverPaymentSessionRelease", "paymentSessionAnswer"},
	{"paymentSessions.createAggregator", "serverPaymentSessionCreateAggregator", ""},
	{"paymentSessions.retrieveAggregator", "serverPaymentSessionRetrieveAggregator", ""},
	{"paymentSessions.cancelAggregator", "serverPaymentSessionCancelAggregator", "paymentSessionAnswer"},
	{"paymentSessions.findAggregator", "serverPaymentSessionFindAggregator", ""},
	{"paymentSessions.reconcileAggregator", "serverPaymentSessionReconcileAggregator", ""},
	{"paymentSessions.custom.create", "serverPaymentSessionCustomCreate", "paymentSessionAnswer"},
	{"paymentSessions.custom.retrieve", "serverPaymentSessionCustomRetrieve", ""},
	{"paymentSessions.custom.confirm", "serverPaymentSessionCustomConfirm", ""},
	{"orders.checkout", "serverOrderCheckout", ""},
	{"orders.cancel", "orderCancel", "orderAnswer"},
	{"orders.capture", "orderCapture", ""},
	{"orders.transition", "orderTransition", "orderAnswer"},
	{"draftOrders.calculate", "draftOrderCalculate", ""},
	{"draftOrders.finalize", "draftOrderFinalize", ""},
	{"draftOrders.discard", "draftOrderDiscard", "draftOrderAnswer"},
	{"returnRequests.returnable", "orderReturnable", ""},
	{"returnRequests.preview", "returnRequestPreview", ""},
	{"returnRequests.create", "returnRequestCreate", ""},
	{"returnRequests.approve", "returnRequestApprove", "ReturnRequestResult"},
	{"returnRequests.reject", "returnRequestReject", "ReturnRequestResult"},
	{"returnRequests.receive", "returnRequestReceive", "ReturnRequestResult"},
	{"returnRequests.refund", "returnRequestRefund", "ReturnRequestResult"},
	{"returnRequests.cancel", "returnRequestCancel", "ReturnRequestResult"},
	{"exports.start", "exportStart", "exportAnswer"},
	{"exports.cancel", "exportCancel", "exportAnswer"},
	{"exports.download", "exportsFile", ""},
	{"imports.cancel", "importCancel", "importAnswer"},
	{"imports.rows", "importRows", ""},
	{"imports.rejected", "importsReport", ""},
	{"prints.invoice", "ordersPrintInvoice", ""},
	{"prints.packingSlip", "fulfillmentsPrintPackingSlip", ""},
	{"prints.label", "fulfillmentsPrintLabel", ""},
	{"prints.toBePacked", "fulfillmentOrdersPrintPackingSlip", ""},
	{"prints.many", "fulfillmentsPrint", ""},
	{"invitations.retrieve", "invitation", "Invitation"},
	{"invitations.accept", "invitationsAccept", "UserSession"},
}

// operations declares the operations with what they take and answer.
func (p *printer) operations() (string, error) {
	out := "// The operations of the server.\nvar (\n"
	for _, h := range helpers {
		method, path, r, err := p.doc.find(h.operation)
		if err != nil {
			return "", err
		}
		in, query, keyed := p.doc.parameters(r)
		name := exported(strings.TrimPrefix(h.operation, "server"))
		out += fmt.Sprintf("op%s = operation{name: %q, method: %q, path: %q, keyed: %t}\n", name, h.helper, method, path, keyed)
		p.input(name, path, in, query, r)
		if err := p.result(name, h.result, r); err != nil {
			return "", err
		}
	}
	return out + ")\n\n", nil
}

// input declares what an operation takes, unless that is an id and nothing else, or a list's query.
func (p *printer) input(name, path string, in, query []parameter, r *route) {
	body := p.doc.resolved(r.Body.json())
	bare := body == nil || len(body.Properties) == 0
	listing := slices.ContainsFunc(query, func(q parameter) bool { return q.Name == "depth" })
	if bare && len(query) == 0 || listing {
		return
	}
	name += "Input"
	var fields strings.Builder
	for _, q := range in {
		fmt.Fprintf(&fields, "%s\t%s string `json:\"-\" path:%q`\n", comment("", q.Text), idName(path, q.Name), q.Name)
	}
	for _, q := range query {
		is := "Where"
		if q.Schema != nil && len(q.Schema.Type) > 0 { // a filter is described as JSON
			is = strings.TrimPrefix(p.goType(q.Schema, spot{owner: name, member: q.Name, input: true}), "*")
		}
		fmt.Fprintf(&fields, "%s\t%s %s `json:\"-\" query:%q`\n", comment("", q.Text), exported(q.Name), is, q.Name)
	}
	p.types[name] = "being printed"
	if !bare {
		fields.WriteString(p.fields(body, name, true))
	}
	p.declare(name, r.Summary+".", fields.String())
}

// result declares what an operation answers, unless that is a file.
func (p *printer) result(name, given string, r *route) error {
	if r.file() {
		return nil
	}
	s := p.doc.resolved(r.success())
	if s == nil || s.kind() != "object" {
		return fmt.Errorf("%s answers no object", r.ID)
	}
	if given == "" {
		given = name + "Result"
	}
	if s.Properties["pagingCounter"] == nil {
		p.record(given, s, false)
		return nil
	}
	page := "List[" + p.goType(s.Properties["docs"].Items, spot{owner: name, member: "item"}) + "]"
	more := *s
	more.Properties = maps.Clone(s.Properties)
	maps.DeleteFunc(more.Properties, func(member string, _ *schema) bool { return slices.Contains(pageMembers, member) })
	if len(more.Properties) == 0 {
		p.types[given] = comment(given, "is a page of them.") + "type " + given + " = " + page + "\n"
		return nil
	}
	p.types[given] = "being printed"
	p.declare(given, "A page of them.", page+"\n\n"+p.fields(&more, given, false))
	return nil
}

// pageMembers are those of the List that is written by hand.
var pageMembers = []string{
	"docs", "totalDocs", "limit", "totalPages", "page", "pagingCounter", "hasPrevPage", "hasNextPage", "prevPage", "nextPage",
}
