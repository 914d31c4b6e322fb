// Package catalog is what a shop sells: products with options and variants, how they are grouped, and what they cost in
// each market.
//
// Decisions beyond the contract: a variant stays with its product; option values are named by the ids of the rows in
// product-options; a product without explicit variants has one default variant, marked by a field nobody sees.
//
// A product or variant with a lowStockThreshold of its own is low while no more units than that are free: on hand and not
// promised to a checkout. A product counts all of its variants together, but for those whose units are not counted; a
// variant never takes the threshold of its product, so one threshold makes one alarm. Stock is per environment, and so is
// being low: a reader sees and filters lowStock as it sees stock. The record itself remembers it, written in the transaction
// that moved the stock, by sale, promise, its end, or edit: going low is one update event of the record with lowStock true in its data,
// recovering is one with false, and a sale that crosses nothing is none. These events belong to the environment of the
// stock, so that a test purchase alarms nobody in live; who reads one environment alone misses the record's number in
// between. An edit that makes the stock low is told by its own event first. A new record is low from the start or
// not; its create event says so.
package catalog

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// The statuses of a product. Spec 3.2: an editor may set any; nothing changes by itself.
const (
	Draft      = "draft"
	Published  = "published"
	Unlisted   = "unlisted"
	OutOfStock = "out-of-stock"
)

// The kinds of a variant.
const (
	Physical = "physical"
	Digital  = "digital"
	Service  = "service"
	Event    = "event"
)

// Kinds are the kinds of a variant, as fields list them.
var Kinds = []string{Physical, Digital, Service, Event}

var (
	all  = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	read = []collection.Verb{collection.Read}
)

// shop is the access row of the catalog: everyone reads, editors and above write. Contract 2.
func shop(where any) collection.Access {
	return collection.Access{Viewer: read, Editor: all, Admin: all, SecretKey: all, Public: true, PublicWhere: where}
}

// quietly is shop with a narrower condition for lists: who has the address of an unlisted product may open it, and
// nobody comes across it.
func quietly(where, listed any) collection.Access {
	a := shop(where)
	a.ListedWhere = listed
	return a
}

// listed admits what shoppers come across.
var listed = map[string]any{"equals": Published}

func oneOf(values ...any) any { return map[string]any{"in": values} }

// shown admits what shoppers may open. Contract 4.
var shown = oneOf(Published, Unlisted)

// Products is the collection of products. Contract 3.
var Products = &collection.Schema{
	Slug: "products", Singular: "Product", Plural: "Products", Lists: [][]string{{"status", "price"}},
	Doc:    "What the shop sells. Every product has at least one variant; price and stock belong to the variants in the end.",
	Access: quietly(map[string]any{"status": shown}, map[string]any{"status": listed}),
	Fields: slices.Concat([]collection.Field{
		{Name: "name", Alias: "title", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 500, Doc: "Name; `title` is accepted too."},
		{Name: "slug", Kind: collection.Text, Unique: true, Indexed: true, MaxLength: 255, Doc: "Handle in addresses, made from the name when missing."},
		{Name: "status", Kind: collection.Select, Required: true, Indexed: true, Options: []string{Draft, Published, Unlisted, OutOfStock}, Aliases: map[string]string{"active": Published}, Doc: "Listings show published products; detail pages open unlisted ones too."},
		{Name: "price", Kind: collection.Money, Required: true, Indexed: true, Min: collection.At(0), Doc: "Price in the tenant's currency, for variants without their own."},
		{Name: "discount", Kind: collection.Number, Min: collection.At(0), Max: collection.At(100), Doc: "Percent off; the undiscounted price becomes the compare-at price."},
		{Name: "description", Kind: collection.Textarea, MaxLength: 100_000, Doc: "Description, plain or HTML."},
		{Name: "category", Kind: collection.Relation, To: "categories", Indexed: true, Doc: "Main category."},
		{Name: "categories", Kind: collection.RelationMany, To: "categories", Indexed: true, Doc: "Further categories."},
		{Name: "tags", Kind: collection.RelationMany, To: "tags", Indexed: true, Doc: "Tags."},
		{Name: "brand", Kind: collection.Relation, To: "brands", Indexed: true, Doc: "Brand."},
		{Name: "images", Kind: collection.UploadMany, Doc: "Images in order; the first is the featured one."},
		{Name: "videos", Kind: collection.RelationMany, To: "videos", Doc: "Videos in order."},
		{Name: "options", Kind: collection.RelationMany, To: "product-options", Doc: "What a shopper chooses between, in order."},
		{Name: "stock", Kind: collection.Integer, Source: "stock.onHand", Read: collection.Staff, Min: collection.At(0), Doc: "Units on hand over all variants; writable while there is one default variant."},
		{Name: "lowStockThreshold", Kind: collection.Integer, Read: collection.Staff, Min: collection.At(0), Doc: "At or below so many free units the stock is low; null: never."},
		{Name: "shippingPolicy", Kind: collection.Relation, To: "shipping-policies", Doc: "Own shipping policy; the default one when missing."},
		{Name: "metadata", Kind: collection.JSON, Doc: "Anything of the shop's own."},
	}, lowFields()),
	Joins: []collection.Join{{Name: "variants", From: "product-variants", On: "product", Sort: "position", Inline: true, Doc: "Its variants, in order."}},
}

// Options is the collection of what shoppers choose between: size, colour.
var Options = &collection.Schema{
	Slug: "product-options", Singular: "ProductOption", Plural: "ProductOptions",
	Doc:    "A choice of a product, such as size, with its values.",
	Access: quietly(map[string]any{"product": map[string]any{"status": shown}}, map[string]any{"product": map[string]any{"status": listed}}),
	Fields: []collection.Field{
		{Name: "product", Kind: collection.Relation, To: "products", Required: true, Immutable: true, Indexed: true, Doc: "The product."},
		{Name: "name", Kind: collection.Text, Required: true, MaxLength: 255, Doc: "Name of the choice."},
		{Name: "position", Kind: collection.Integer, Default: int64(0), Doc: "Order among the product's options."},
		{Name: "values", Kind: collection.Array, Doc: "The values, in order.", Fields: []collection.Field{
			{Name: "id", Kind: collection.Text, Owned: true, Doc: "What variants name in optionValues."},
			{Name: "label", Kind: collection.Text, Required: true, MaxLength: 255, Doc: "What shoppers see."},
			{Name: "slug", Kind: collection.Text, MaxLength: 255, Doc: "Handle, made from the label when missing."},
		}},
	},
}

// Variants is the collection of what can be put into a cart.
var Variants = &collection.Schema{
	Slug: "product-variants", Singular: "ProductVariant", Plural: "ProductVariants",
	Doc:    "One buyable version of a product.",
	Access: quietly(map[string]any{"product": map[string]any{"status": shown}}, map[string]any{"product": map[string]any{"status": listed}}),
	Fields: slices.Concat([]collection.Field{
		{Name: "product", Kind: collection.Relation, To: "products", Required: true, Immutable: true, Indexed: true, Doc: "The product; a variant never moves to another."},
		{Name: "title", Kind: collection.Text, MaxLength: 500, Doc: "Title; made from the option values when missing."},
		{Name: "sku", Kind: collection.Text, Unique: true, Indexed: true, MaxLength: 255, Doc: "Stock keeping unit."},
		{Name: "barcode", Kind: collection.Text, Indexed: true, MaxLength: 255, Doc: "Barcode."},
		{Name: "optionValues", Kind: collection.Texts, Doc: "Ids of the chosen option values, at most one per option."},
		{Name: "price", Kind: collection.Money, Indexed: true, Min: collection.At(0), Doc: "Price in the tenant's currency; the product's when missing."},
		{Name: "compareAtPrice", Kind: collection.Money, Min: collection.At(0), Doc: "Former price."},
		{Name: "kind", Kind: collection.Select, Options: Kinds, Default: Physical, Indexed: true, Doc: "What is delivered; events ask for the names of those admitted."},
		{Name: "requiresShipping", Kind: collection.Boolean, Doc: "Whether it is shipped; true for physical variants when missing."},
		{Name: "trackInventory", Kind: collection.Boolean, Default: true, Doc: "False: any quantity can be sold."},
		{Name: "stock", Kind: collection.Integer, Source: "stock.onHand", Read: collection.Staff, Min: collection.At(0), Doc: "Units on hand in the environment of the request."},
		{Name: "reserved", Kind: collection.Integer, Source: "stock.reserved", Owned: true, Read: collection.Staff, Doc: "Units promised to running payments."},
		{Name: "lowStockThreshold", Kind: collection.Integer, Read: collection.Staff, Min: collection.At(0), Doc: "At or below so many free units the stock is low; null: never."},
		{Name: "weight", Kind: collection.Number, Min: collection.At(0), Doc: "Weight in grams."},
		{Name: "images", Kind: collection.UploadMany, Doc: "Images in order; the product's when missing."},
		{Name: "position", Kind: collection.Integer, Default: int64(0), Indexed: true, Doc: "Order among the product's variants."},
		{Name: "metadata", Kind: collection.JSON, Doc: "Anything of the shop's own."},
		{Name: "isDefault", Kind: collection.Boolean, Owned: true, Read: collection.Nobody, Doc: "Made by the system because the product had no variant."},
	}, lowFields()),
}

// groups declares brands, categories and tags alike.
func groups(slug, singular, plural, doc string, extra ...collection.Field) *collection.Schema {
	return &collection.Schema{
		Slug: slug, Singular: singular, Plural: plural, Doc: doc, Access: shop(nil),
		Fields: append([]collection.Field{
			{Name: "name", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 255, Doc: "Name."},
			{Name: "slug", Kind: collection.Text, Unique: true, Indexed: true, MaxLength: 255, Doc: "Handle, made from the name when missing."},
			{Name: "description", Kind: collection.Textarea, Doc: "Description."},
			{Name: "image", Kind: collection.Upload, Doc: "Image."},
		}, extra...),
	}
}

// Brands, Categories and Tags group products. Contract 3.
var (
	Brands     = groups("brands", "Brand", "Brands", "Who makes a product.")
	Tags       = groups("tags", "Tag", "Tags", "A word that products share.")
	Categories = groups("categories", "Category", "Categories", "Where a product stands in the shop.",
		collection.Field{Name: "parent", Kind: collection.Relation, To: "categories", Indexed: true, Doc: "The category above."},
		collection.Field{Name: "position", Kind: collection.Integer, Default: int64(0), Indexed: true, Doc: "Order among its siblings."},
	)
)

// The statuses of a market.
const (
	Active   = "active"
	Inactive = "inactive"
)

// Markets is the collection of markets: where the shop sells, in which currency.
var Markets = &collection.Schema{
	Slug: "markets", Singular: "Market", Plural: "Markets",
	Doc:    "A region with its currency and price rules.",
	Access: shop(map[string]any{"status": map[string]any{"equals": Active}}),
	Fields: []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 255, Doc: "Name."},
		{Name: "code", Kind: collection.Text, Required: true, Unique: true, Indexed: true, MaxLength: 50, Doc: "Short name that calls may use in place of the id."},
		{Name: "currency", Kind: collection.Text, Required: true, Upper: true, Immutable: true, MaxLength: 3, Doc: "ISO 4217 code; fixed prices are kept in it, so it stays."},
		{Name: "countries", Kind: collection.Texts, Upper: true, MaxLength: 2, Doc: "ISO 3166 codes."},
		{Name: "exchangeRate", Kind: collection.Number, Min: collection.At(0), Doc: "Units of this market's currency per unit of the tenant's; 1 when missing."},
		{Name: "adjustmentPercent", Kind: collection.Number, Min: collection.At(-100), Doc: "Percent added to computed prices."},
		{Name: "roundingIncrement", Kind: collection.Number, Min: collection.At(0), Doc: "Computed prices are multiples of this; the currency's smallest unit when missing."},
		{Name: "isDefault", Kind: collection.Boolean, Default: false, Doc: "The market a storefront shows first."},
		{Name: "status", Kind: collection.Select, Options: []string{Active, Inactive}, Default: Active, Indexed: true, Doc: "Inactive markets are as good as absent."},
	},
}

// MarketPrices is the collection of fixed prices: what a variant costs in a market whatever the conversion says.
var MarketPrices = &collection.Schema{
	Slug: "market-prices", Singular: "MarketPrice", Plural: "MarketPrices",
	Doc:        "A fixed price of a variant in a market.",
	Access:     shop(map[string]any{"market": map[string]any{"status": map[string]any{"equals": Active}}, "variant": map[string]any{"product": map[string]any{"status": shown}}}),
	UniqueSets: [][]string{{"market", "variant"}},
	Fields: []collection.Field{
		{Name: "market", Kind: collection.Relation, To: "markets", Required: true, Immutable: true, Indexed: true, Doc: "The market."},
		{Name: "variant", Kind: collection.Relation, To: "product-variants", Required: true, Immutable: true, Indexed: true, Doc: "The variant."},
		{Name: "currency", Kind: collection.Text, Upper: true, Immutable: true, MaxLength: 3, Doc: "The market's currency, filled in by the server."},
		{Name: "amount", Kind: collection.Money, Currency: "currency", Required: true, Min: collection.At(0), Doc: "Price in the market's currency."},
		{Name: "compareAtAmount", Kind: collection.Money, Currency: "currency", Min: collection.At(0), Doc: "Former price."},
	},
}

// Schemas lists the collections of this package, targets before what names them where possible.
func Schemas() []*collection.Schema {
	return []*collection.Schema{Products, Options, Variants, Brands, Categories, Tags, Markets, MarketPrices}
}
