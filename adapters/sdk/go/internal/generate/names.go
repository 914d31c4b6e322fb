package main

import (
	"slices"
	"strings"
	"unicode"
)

// Names that would come out clumsy, or should be one for what has one meaning. Nested objects are known by
// their members.
var (
	objects = map[string]string{
		"amount clientKey customerKey failUrl orderId orderName provider setAmount successUrl taxFreeAmount type version":                                                     "WidgetAction",
		"channelKey currency customer orderName payMethod paymentId productType redirectUrl storeId taxFreeAmount totalAmount transfer type vatAmount version virtualAccount": "RequestPaymentAction",
		"amount currency": "Money", // written by hand
		"average currency net ordered orders ordersCanceled payments refunds revenue units unitsCanceled": "ReportFigures",
		"number type":                                                    "CashReceiptRequest",
		"cashReceiptType customerIdentifier":                             "ActionCashReceipt",
		"email name phone phoneE164":                                     "CustomerSnapshot",
		"attributes email name phone phoneE164":                          "Admission",
		"account bank holder":                                            "RefundAccount",
		"currency max min":                                               "PriceRange",
		"discount shipping subtotal taxFree taxes total":                 "Totals",
		"amount applied code reason":                                     "AppliedCode",
		"amount base country jurisdiction name percent rate":             "TaxAmount",
		"amount included rates":                                          "LineTaxes",
		"amount estimated exemptShipping included rates shipping source": "Taxes",
		"quantity variantId":                                             "VariantQuantity",
		"admissions attributes quantity variantId":                       "CartItem",
		"orderLine quantity reason restock restockingFee":                "ReturnLine",
		"amount compareAtPrice currency marketId source":                 "ResolvedPrice",
		"errors id revision status":                                      "BulkResult",
		"field message reason":                                           "RecordError",
		"id name revision translations values":                           "CompleteOption",
		"brand categories category costPrice description discount id images lowStockThreshold metadata name options price publishAt revision seo shippingPolicy slug status tags taxClass translations variants videos": "CompleteProduct",
		"barcode compareAtPrice costPrice id images kind lowStockThreshold metadata optionValues price prices requiresShipping revision sku stock title trackInventory translations weight":                             "CompleteVariant",
		"barcode compareAtPrice costPrice expectedStock id images kind lowStockThreshold metadata optionValues price prices requiresShipping revision sku stock title trackInventory translations weight":               "CompleteVariantInput",
		"condition lineRefund orderLine quantity reason requestedQuantity restock restockingFee":                                                                                                                        "ReturnedLine",
		"amount currency paymentSession provider type": "PreviewMovement",
		"changes collection operation record":          "PreviewRecord",
		"description image noIndex title":              "SEO",
		"count id name":                                "FacetGroup",
		"count id name parent":                         "FacetCategory",
		"label name values":                            "FacetOption",
		"count label value":                            "FacetValue",
		"field from to":                                "PreviewChange",
	}
	enums = map[string]string{
		"environment": "Environment", "method": "PaymentMethod", "enabledMethod": "PaymentMethod", "operation": "EventOperation",
		"suggestedAction": "SuggestedAction", "provider": "Provider", "initialShippingRefund": "InitialShippingRefund", "role": "Role",
		"carrier": "Carrier", "cashReceiptType": "ActionCashReceiptType",
	}
	// Words are known by one of them, where different members hold the same.
	known = map[string]string{"physical": "VariantKind", "CARD_KR": "PaymentMethod", "personal": "CashReceiptType", "unchanged": "ChangeStatus"}
	// Of these numbers null says something else than zero does.
	keepsNull = []string{
		"lowStockThreshold", "usageLimit", "perCustomerLimit", "stock", "availableQuantity", "width", "height", "responseStatus",
	}
	initials = map[string]string{"Id": "ID", "Ids": "IDs", "Url": "URL", "Sku": "SKU", "Api": "API", "Vat": "VAT", "Seo": "SEO"}
)

// exported is a Go name for a name of the document: variantIds → VariantIDs, out-of-stock → OutOfStock,
// CARD_KR → CardKr.
func exported(name string) string {
	var out strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }) {
		if strings.ToUpper(part) == part {
			part = strings.ToLower(part)
		}
		for _, word := range camels(part) {
			word = strings.ToUpper(word[:1]) + word[1:]
			if short := initials[word]; short != "" {
				word = short
			}
			out.WriteString(word)
		}
	}
	return out.String()
}

// wordName is exported for one of a list of words: -price, an order that is turned around, becomes PriceDescending.
func wordName(word string) string {
	if by, down := strings.CutPrefix(word, "-"); down {
		return exported(by) + "Descending"
	}
	return exported(word)
}

// camels are the words of a name in camel case.
func camels(name string) (all []string) {
	from := 0
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			all = append(all, name[from:i])
			from = i
		}
	}
	return append(all, name[from:])
}

// singular is the name of one of them.
func singular(many string) string {
	switch {
	case strings.HasSuffix(many, "ies"):
		return strings.TrimSuffix(many, "ies") + "y"
	case strings.HasSuffix(many, "sses"), strings.HasSuffix(many, "ches"):
		return strings.TrimSuffix(many, "es")
	default:
		return strings.TrimSuffix(many, "s")
	}
}

// stem is what the parts of a type are named after: those of CartAddItemInput after CartAddItem.
func stem(owner string) string {
	for _, end := range []string{"Create", "Update", "Input", "Result"} {
		if cut := strings.TrimSuffix(owner, end); cut != "" && cut != owner {
			return cut
		}
	}
	return owner
}

// idName is the field for an {id} in a path: whose id it is stands before it.
func idName(path, name string) string {
	if name == "token" || name == "collection" { // they stand for no record
		return exported(name)
	}
	if name != "id" {
		return exported(name) + "ID"
	}
	parts := strings.Split(path, "/")
	at := slices.Index(parts, "{id}")
	if parts[at-1] == "aggregator" {
		at--
	}
	return exported(singular(parts[at-1])) + "ID"
}
