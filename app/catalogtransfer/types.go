// Package catalogtransfer imports catalogs of other shop systems, and exports ours in their format.
package catalogtransfer

// Product is a product of another shop system in a common format; all numbers are still text.
type Product struct {
	Row         int    `json:"-"` // where it begins in its file; the header is row 1
	Handle      string // becomes the slug; products are identified by it
	Title       string
	Description string // may be HTML
	Brand       string // name; "": none
	Category    string // name; "": none
	Tags        []string
	Status      string            // "published", "unlisted" or "draft"
	Discount    string            `json:",omitempty"` // percent off; "": unchanged
	TaxFree     *bool             `json:",omitempty"` // sold free of taxes, or not; nil: unchanged
	SEO         *SEO              `json:",omitempty"` // what search engines show; nil: unchanged
	Options     []string          // names, such as Size; empty: one variant without options
	Variants    []Variant         // at least one
	Images      []Image           // in order; the first is the featured one
	Extra       map[string]string `json:",omitempty"` // unknown columns, stored for the export
}

// SEO is what search engines show of a product instead of its title and description; "": these.
type SEO struct{ Title, Description string }

// Variant is one version of a Product that can be bought.
type Variant struct {
	Row              int      `json:"-"`
	Values           []string `json:",omitempty"` // one per option of the product
	SKU              string   `json:",omitempty"`
	Barcode          string   `json:",omitempty"`
	Price            string   // decimal text in major units
	CompareAt        string   `json:",omitempty"`
	Cost             string   `json:",omitempty"` // what a unit costs the shop; "": unchanged
	Kind             string   `json:",omitempty"` // "": physical or digital, by RequiresShipping
	RequiresShipping bool
	Tracked          bool              // false: any quantity can be sold
	Stock            int64             // units; negative where more were sold than were there, or as a difference
	Grams            string            `json:",omitempty"`
	Image            string            `json:",omitempty"` // URL
	Extra            map[string]string `json:",omitempty"`
}

// Image is an image by its URL.
type Image struct {
	URL string
	Alt string `json:",omitempty"`
}

// Rejection is a row of a file that was not imported, and why.
type Rejection struct {
	Row    int // the header is row 1
	Handle string
	Reason string // a sentence
}

// File is what a codec read: products in file order, and the rejected rows. A product with a rejected row is
// not among the products, so that no product is imported partially.
type File struct {
	Products []Product
	Rejected []Rejection
}
