// Package shopify reads and writes the product CSV files of Shopify.
//
// Decisions where the format leaves room: a blank inventory tracker means that stock is not tracked, so that
// any quantity can be sold; the quantity is kept all the same. A policy of "continue" sells beyond the stock,
// which has the same effect. A negative quantity reads as 0. A product of which no variant is taxable is free of value
// added tax; where only some are not, the column is kept with these. Columns without a counterpart are kept in the
// metadata of product and variant.
package shopify

// The columns with a counterpart in our catalog.
const (
	colHandle       = "Handle"
	colTitle        = "Title"
	colBody         = "Body (HTML)"
	colVendor       = "Vendor"
	colType         = "Type"
	colTags         = "Tags"
	colPublished    = "Published"
	colStatus       = "Status"
	colSKU          = "Variant SKU"
	colGrams        = "Variant Grams"
	colTracker      = "Variant Inventory Tracker"
	colQuantity     = "Variant Inventory Qty"
	colPolicy       = "Variant Inventory Policy"
	colPrice        = "Variant Price"
	colCompareAt    = "Variant Compare At Price"
	colShips        = "Variant Requires Shipping"
	colBarcode      = "Variant Barcode"
	colImage        = "Image Src"
	colPosition     = "Image Position"
	colAlt          = "Image Alt Text"
	colGiftCard     = "Gift Card"
	colFulfillment  = "Variant Fulfillment Service"
	colTaxable      = "Variant Taxable"
	colVariantImage = "Variant Image"
	colCost         = "Cost per item"
	colSEOTitle     = "SEO Title"
	colSEOText      = "SEO Description"
)

// exportColumns is the column order of an export.
var exportColumns = []string{
	colHandle, colTitle, colBody, colVendor, colType, colTags, colPublished,
	"Option1 Name", "Option1 Value", "Option2 Name", "Option2 Value", "Option3 Name", "Option3 Value",
	colSKU, colGrams, colTracker, colQuantity, colPolicy, colFulfillment, colPrice, colCompareAt, colShips, colTaxable, colBarcode,
	colImage, colPosition, colAlt, colGiftCard, colSEOTitle, colSEOText,
	"Google Shopping / Google Product Category", "Google Shopping / Gender", "Google Shopping / Age Group", "Google Shopping / MPN",
	"Google Shopping / AdWords Grouping", "Google Shopping / AdWords Labels", "Google Shopping / Condition",
	"Google Shopping / Custom Product", "Google Shopping / Custom Label 0", "Google Shopping / Custom Label 1",
	"Google Shopping / Custom Label 2", "Google Shopping / Custom Label 3", "Google Shopping / Custom Label 4", colVariantImage,
	"Variant Weight Unit", "Variant Tax Code", colCost,
}

// mappedColumns are the columns that the mapping reads; all others are extra.
var mappedColumns = map[string]bool{
	colHandle: true, colTitle: true, colBody: true, colVendor: true, colType: true, colTags: true, colPublished: true, colStatus: true,
	"Option1 Name": true, "Option1 Value": true, "Option2 Name": true, "Option2 Value": true, "Option3 Name": true, "Option3 Value": true,
	colSKU: true, colGrams: true, colTracker: true, colQuantity: true, colPolicy: true, colPrice: true, colCompareAt: true, colShips: true,
	colBarcode: true, colCost: true, colImage: true, colPosition: true, colAlt: true, colVariantImage: true,
	colSEOTitle: true, colSEOText: true,
}

// defaultValues are the values that nearly every row has; an export writes them unless an import had other
// ones.
var defaultValues = map[string]string{colFulfillment: "manual", colTaxable: "true", colGiftCard: "false"}

const (
	trackerShopify = "shopify"  // Shopify tracks the stock
	policyContinue = "continue" // out-of-stock variants can still be sold
	maxOptions     = 3
	defaultTitle   = "Default Title" // the value of the only variant of a product without options
)
