package catalog

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The statuses of a product. Any editor may set any of them; the system never changes them. Rule catalog-2.
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

// Kinds are the kinds of a variant, as options of a field.
var Kinds = []string{Physical, Digital, Service, Event}

var (
	all  = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	read = []collection.Verb{collection.Read}
)

// publicAccess is the access of the catalog: everyone may read, editors and above may write. Rules access-14,
// access-21.
func publicAccess(where any) collection.Access {
	return collection.Access{Viewer: read, Editor: all, Admin: all, SecretKey: all, Public: true, PublicWhere: where}
}

// unlistedAccess is publicAccess with a narrower condition for lists: an unlisted product can be read by its
// address, but is in no list.
func unlistedAccess(where, listed any) collection.Access {
	a := publicAccess(where)
	a.PublicListWhere = listed
	return a
}

// listed matches the products that shoppers see in lists.
var listed = map[string]any{"equals": Published}

// ExpectedStock is the member of an update that says which stock the update replaces.
const ExpectedStock = "expectedStock"

// stockConditions are the conditions of an update of stock. Rule catalog-23.
var stockConditions = []collection.Field{{
	Name: ExpectedStock, Kind: collection.Integer,
	Doc: "The stock that a new stock replaces; required with it, unless If-Match says which version of the record it is based on.",
}}

func oneOf(values ...any) any { return map[string]any{"in": values} }

// shown matches the products that shoppers may read. Rule catalog-2.
var shown = oneOf(Published, Unlisted)

// Products declares products. Rules: features/catalog/RULES.md.
var Products = &collection.Schema{
	Slug: "products", Singular: "Product", Plural: "Products", ListIndexes: [][]string{{"status", "price"}},
	UpdateInput: stockConditions,
	Doc:         "Something the shop sells. Every product has at least one variant; price and stock belong to the variants.",
	Access:      unlistedAccess(map[string]any{"status": shown}, map[string]any{"status": listed}),
	Fields: collection.WithTranslations(slices.Concat([]collection.Field{
		{
			Name: "name", Alias: "title", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 500, Translatable: true,
			Doc: "Name; `title` is accepted too.",
		},
		{
			Name: "slug", Kind: collection.Text, Unique: true, Indexed: true, MaxLength: 255, Translatable: true,
			Doc: "Handle in addresses, made from the name when missing.",
		},
		{
			Name: "status", Kind: collection.Select, Required: true, Indexed: true,
			Options: []string{Draft, Published, Unlisted, OutOfStock}, Aliases: map[string]string{"active": Published},
			Doc: "Listings show published products; detail pages open unlisted ones too.",
		},
		{
			Name: "publishAt", Kind: collection.Date, Indexed: true, VisibleTo: collection.Staff,
			Doc: "When a draft becomes published by itself; nobody sees or buys it before.",
		},
		{
			Name: "publication", Kind: collection.Select, Options: []string{waiting, due}, ReadOnly: true, VisibleTo: collection.ServerOnly,
			Doc:        "What the server finds the drafts by that are to be published.",
			Transition: &collection.TimedTransition{From: waiting, To: due, At: "publishAt"},
		},
		{
			Name: "price", Kind: collection.Money, Required: true, Indexed: true, Min: collection.Bound(0),
			Doc: "Price in the tenant's currency, for variants without their own.",
		},
		costField("What one unit costs the shop, in its currency, for variants without their own; shoppers never see it."),
		{
			Name: "discount", Kind: collection.Number, Min: collection.Bound(0), Max: collection.Bound(100),
			Doc: "Percent off; the undiscounted price becomes the compare-at price.",
		},
		{
			Name: "taxClass", Kind: collection.Select, Options: tax.Classes, Default: string(tax.Standard),
			Formerly: "taxFree", FormerValues: tax.ClassesOfTaxFree,
			Doc: "How it is taxed: by the rates of its class, or not at all if it is exempt, such as books and fresh food in Korea; what was sold before stays as it was.",
		},
		{Name: "description", Kind: collection.Textarea, MaxLength: 100_000, Translatable: true, Doc: "Description, plain or HTML."},
		{Name: "category", Kind: collection.Relation, RelationTo: "categories", Indexed: true, Doc: "Main category."},
		{Name: "categories", Kind: collection.RelationMany, RelationTo: "categories", Indexed: true, Doc: "Further categories."},
		{Name: "tags", Kind: collection.RelationMany, RelationTo: "tags", Indexed: true, Doc: "Tags."},
		{Name: "brand", Kind: collection.Relation, RelationTo: "brands", Indexed: true, Doc: "Brand."},
		{Name: "images", Kind: collection.UploadMany, Doc: "Images in order; the first is the featured one."},
		{Name: "videos", Kind: collection.RelationMany, RelationTo: "videos", Doc: "Videos in order."},
		{Name: "options", Kind: collection.RelationMany, RelationTo: "product-options", Doc: "What a shopper chooses between, in order."},
		{
			Name: "stock", Kind: collection.Integer, Source: "stock.totalOnHand", VisibleTo: collection.Staff, Min: collection.Bound(0),
			Doc: "Units on hand over all variants; writable while there is one default variant.",
		},
		{
			Name: "lowStockThreshold", Kind: collection.Integer, VisibleTo: collection.Staff, Min: collection.Bound(0),
			Doc: "Stock is low at or below this many available units; null turns it off.",
		},
		{
			Name: "shippingPolicy", Kind: collection.Relation, RelationTo: "shipping-policies",
			Doc: "Own shipping policy; the default one when missing.",
		},
		collection.SEO(),
		{Name: "metadata", Kind: collection.JSON, Doc: "Custom data of the shop."},
	}, lowStockFields())...),
	Joins: []collection.Join{
		{Name: "variants", From: "product-variants", On: "product", Sort: "position", Inline: true, Doc: "Its variants, in order."},
	},
}

// costField is the cost price of a product or variant. Rule catalog-27.
func costField(doc string) collection.Field {
	return collection.Field{
		Name: CostPrice, Kind: collection.Money, VisibleTo: collection.Staff, Indexed: true, Min: collection.Bound(0), Doc: doc,
	}
}

// Options declares the options that shoppers choose from, such as size and color.
var Options = &collection.Schema{
	Slug: "product-options", Singular: "ProductOption", Plural: "ProductOptions",
	Doc:        "A choice of a product, such as size, with its values.",
	TimelineOf: "product",
	Access: unlistedAccess(map[string]any{"product": map[string]any{"status": shown}},
		map[string]any{"product": map[string]any{"status": listed}}),
	Fields: collection.WithTranslations([]collection.Field{
		{
			Name: "product", Kind: collection.Relation, RelationTo: "products", Required: true, Immutable: true, Indexed: true,
			Doc: "The product.",
		},
		{Name: "name", Kind: collection.Text, Required: true, MaxLength: 255, Translatable: true, Doc: "Name of the choice."},
		{Name: "position", Kind: collection.Integer, Default: int64(0), Doc: "Order among the product's options."},
		{Name: "values", Kind: collection.Array, Doc: "The values, in order.", Fields: []collection.Field{
			{Name: "id", Kind: collection.Text, ReadOnly: true, Doc: "What variants name in optionValues."},
			{Name: "label", Kind: collection.Text, Required: true, MaxLength: 255, Translatable: true, Doc: "What shoppers see."},
			{Name: "slug", Kind: collection.Text, MaxLength: 255, Doc: "Handle, made from the label when missing."},
		}},
	}...),
}

// Variants declares what can be added to a cart.
var Variants = &collection.Schema{
	Slug: "product-variants", Singular: "ProductVariant", Plural: "ProductVariants",
	Doc: "One buyable version of a product.", UpdateInput: stockConditions,
	TimelineOf: "product",
	Access: unlistedAccess(map[string]any{"product": map[string]any{"status": shown}},
		map[string]any{"product": map[string]any{"status": listed}}),
	Fields: collection.WithTranslations(slices.Concat([]collection.Field{
		{
			Name: "product", Kind: collection.Relation, RelationTo: "products", Required: true, Immutable: true, Indexed: true,
			Doc: "The product; a variant never moves to another.",
		},
		{Name: "title", Kind: collection.Text, MaxLength: 500, Translatable: true, Doc: "Title; made from the option values when missing."},
		{Name: "sku", Kind: collection.Text, Unique: true, Indexed: true, MaxLength: 255, Doc: "Stock keeping unit."},
		{Name: "barcode", Kind: collection.Text, Indexed: true, MaxLength: 255, Doc: "Barcode: a GTIN, whose check digit has to be right, or any other text."},
		{Name: "optionValues", Kind: collection.Texts, Doc: "Ids of the chosen option values, at most one per option."},
		{
			Name: "price", Kind: collection.Money, Indexed: true, Min: collection.Bound(0),
			Doc: "Price in the tenant's currency; the product's when missing.",
		},
		{Name: "compareAtPrice", Kind: collection.Money, Min: collection.Bound(0), Doc: "Former price."},
		costField("What one unit costs the shop, in its currency; the product's when missing. Shoppers never see it."),
		{
			Name: "kind", Kind: collection.Select, Options: Kinds, Default: Physical, Indexed: true,
			Doc: "What is delivered; events ask for the names of those admitted.",
		},
		{Name: "requiresShipping", Kind: collection.Boolean, Doc: "Whether it is shipped; true for physical variants when missing."},
		{Name: "trackInventory", Kind: collection.Boolean, Default: true, Doc: "False: any quantity can be sold."},
		{
			Name: "stock", Kind: collection.Integer, Source: "stock.onHand", VisibleTo: collection.Staff, Min: collection.Bound(0),
			Doc: "Units on hand in the environment of the request.",
		},
		{
			Name: "reserved", Kind: collection.Integer, Source: "stock.reserved", ReadOnly: true, VisibleTo: collection.Staff,
			Doc: "Units reserved by pending payments.",
		},
		{
			Name: "lowStockThreshold", Kind: collection.Integer, VisibleTo: collection.Staff, Min: collection.Bound(0),
			Doc: "Stock is low at or below this many available units; null turns it off.",
		},
		{Name: "weight", Kind: collection.Number, Min: collection.Bound(0), Doc: "Weight in grams."},
		{Name: "images", Kind: collection.UploadMany, Doc: "Images in order; the product's when missing."},
		{Name: "position", Kind: collection.Integer, Default: int64(0), Indexed: true, Doc: "Order among the product's variants."},
		{Name: "metadata", Kind: collection.JSON, Doc: "Custom data of the shop."},
		{
			Name: "isDefault", Kind: collection.Boolean, ReadOnly: true, VisibleTo: collection.ServerOnly,
			Doc: "Created automatically because the product had no variant.",
		},
	}, lowStockFields())...),
}

// groupSchema declares brands, categories and tags.
func groupSchema(slug, singular, plural, doc string, extra ...collection.Field) *collection.Schema {
	return &collection.Schema{
		Slug: slug, Singular: singular, Plural: plural, Doc: doc, Access: publicAccess(nil),
		Fields: collection.WithTranslations(append([]collection.Field{
			{Name: "name", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 255, Translatable: true, Doc: "Name."},
			{
				Name: "slug", Kind: collection.Text, Unique: true, Indexed: true, MaxLength: 255, Translatable: true,
				Doc: "Handle, made from the name when missing.",
			},
			{Name: "description", Kind: collection.Textarea, Translatable: true, Doc: "Description."},
			{Name: "image", Kind: collection.Upload, Doc: "Image."},
		}, extra...)...),
	}
}

// Brands, Categories and Tags group products. Rule collections-20.
var (
	Brands     = groupSchema("brands", "Brand", "Brands", "The maker of a product.")
	Tags       = groupSchema("tags", "Tag", "Tags", "A label shared by products.")
	Categories = groupSchema("categories", "Category", "Categories", "A group of products in the shop.",
		collection.Field{Name: "parent", Kind: collection.Relation, RelationTo: "categories", Indexed: true, Doc: "The parent category."},
		collection.Field{Name: "position", Kind: collection.Integer, Default: int64(0), Indexed: true, Doc: "Order among its siblings."},
		collection.SEO(),
	)
)

// The statuses of a market.
const (
	Active   = "active"
	Inactive = "inactive"
)

// Markets declares markets: where the tenant sells, and in which currency.
var Markets = &collection.Schema{
	Slug: "markets", Singular: "Market", Plural: "Markets",
	Doc:    "A region with its currency and price rules.",
	Access: publicAccess(map[string]any{"status": map[string]any{"equals": Active}}),
	Fields: append([]collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 255, Doc: "Name."},
		{
			Name: "code", Kind: collection.Text, Required: true, Unique: true, Indexed: true, MaxLength: 50,
			Doc: "Short name that calls may use in place of the id.",
		},
		{
			Name: "currency", Kind: collection.Text, Required: true, Uppercase: true, Immutable: true, MaxLength: 3,
			Doc: "ISO 4217 code. It cannot be changed, since fixed prices are stored in it.",
		},
		{
			Name: "locale", Kind: collection.Text, MaxLength: tenant.MaxLocale,
			Doc: "Language of the buyers there who name none: one of the shop's; null: its default one.",
		},
		{Name: "countries", Kind: collection.Texts, Uppercase: true, MaxLength: 2, Doc: "ISO 3166 codes."},
		{
			Name: "exchangeRate", Kind: collection.Number, Min: collection.Bound(0),
			Doc: "Units of this market's currency per unit of the tenant's; 1 when missing.",
		},
		{Name: "adjustmentPercent", Kind: collection.Number, Min: collection.Bound(-100), Doc: "Percent added to computed prices."},
		{
			Name: "roundingIncrement", Kind: collection.Number, Min: collection.Bound(0),
			Doc: "Computed prices are multiples of this; the currency's smallest unit when missing.",
		},
		{Name: "isDefault", Kind: collection.Boolean, Default: false, Doc: "The market a storefront shows first."},
		{
			Name: "status", Kind: collection.Select, Options: []string{Active, Inactive}, Default: Active, Indexed: true,
			Doc: "Inactive markets are treated as missing.",
		},
	}, tax.MarketFields...),
}

// MarketPrices declares fixed prices: the price of a variant in a market regardless of the conversion.
var MarketPrices = &collection.Schema{
	Slug: "market-prices", Singular: "MarketPrice", Plural: "MarketPrices",
	Doc: "A fixed price of a variant in a market.",
	Access: publicAccess(map[string]any{
		"market":  map[string]any{"status": map[string]any{"equals": Active}},
		"variant": map[string]any{"product": map[string]any{"status": shown}},
	}),
	UniqueSets: [][]string{{"market", "variant"}},
	Fields: []collection.Field{
		{
			Name: "market", Kind: collection.Relation, RelationTo: "markets", Required: true, Immutable: true, Indexed: true,
			Doc: "The market.",
		},
		{
			Name: "variant", Kind: collection.Relation, RelationTo: "product-variants", Required: true, Immutable: true, Indexed: true,
			Doc: "The variant.",
		},
		{
			Name: "currency", Kind: collection.Text, Uppercase: true, Immutable: true, MaxLength: 3,
			Doc: "The market's currency, filled in by the server.",
		},
		{
			Name: "amount", Kind: collection.Money, Currency: "currency", Required: true, Min: collection.Bound(0),
			Doc: "Price in the market's currency.",
		},
		{Name: "compareAtAmount", Kind: collection.Money, Currency: "currency", Min: collection.Bound(0), Doc: "Former price."},
	},
}

// Schemas lists the collections of this package, targets of relations first where possible.
func Schemas() []*collection.Schema {
	return []*collection.Schema{Products, Options, Variants, Brands, Categories, Tags, Markets, MarketPrices}
}
