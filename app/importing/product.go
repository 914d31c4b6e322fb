// Package importing brings the catalogs of other shop systems in, and takes ours out in their form.
package importing

// Product is one product as another shop system describes it: a common denominator, all numbers still text.
type Product struct {
	Row         int    `json:"-"` // where it begins in its file; the header is row 1
	Handle      string // becomes the slug; products are recognised by it
	Title       string
	Description string // may be HTML
	Brand       string // name; "" is none
	Category    string // name; "" is none
	Tags        []string
	Status      string            // "published", "unlisted" or "draft"
	Discount    string            `json:",omitempty"` // percent off; "" leaves the product's own alone
	Options     []string          // names, such as Size; empty: one variant without a choice
	Variants    []Variant         // at least one
	Images      []Image           // in order; the first is the featured one
	Extra       map[string]string `json:",omitempty"` // columns nobody here reads, kept for the way back
}

// Variant is one version of a Product that can be bought.
type Variant struct {
	Row              int      `json:"-"`
	Values           []string `json:",omitempty"` // one per option of the product
	SKU              string   `json:",omitempty"`
	Barcode          string   `json:",omitempty"`
	Price            string   // decimal text in major units
	CompareAt        string   `json:",omitempty"`
	Kind             string   `json:",omitempty"` // "": physical or digital, by RequiresShipping
	RequiresShipping bool
	Tracked          bool // false: any quantity can be sold
	Stock            int64
	Grams            string            `json:",omitempty"`
	Image            string            `json:",omitempty"` // URL
	Extra            map[string]string `json:",omitempty"`
}

// Image is a picture by its address.
type Image struct {
	URL string
	Alt string `json:",omitempty"`
}

// Rejection says which row of a file was not taken, and why.
type Rejection struct {
	Row    int // the header is row 1
	Handle string
	Reason string // a sentence
}

// File is what a codec read: products in file order, and the rows it had to refuse. A product with a refused row is not
// among the products, since half a product is worse than none.
type File struct {
	Products []Product
	Rejected []Rejection
}
