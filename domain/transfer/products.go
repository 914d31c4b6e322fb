package transfer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
)

// ProductLinks is the part of a row of Products with what others are called by their handles.
const ProductLinks Part = "links"

// links declares the part ProductLinks.
var links = &collection.Schema{Slug: "product-links", Fields: []collection.Field{
	{Name: "brand", Kind: collection.Text},
	{Name: "category", Kind: collection.Text},
	{Name: "categories", Kind: collection.Texts},
	{Name: "tags", Kind: collection.Texts},
	{Name: "optionValues", Kind: collection.Texts},
	{Name: "images", Kind: collection.Texts},
	{Name: "variantImages", Kind: collection.Texts},
}}

// Products is the table of products: one row per variant, with the product repeated in each. A shop has MarketColumns besides.
var Products = Sheet{
	Kind: "products", Lists: catalog.Products,
	Reads: []*collection.Schema{
		catalog.Products, catalog.Variants, catalog.Options, catalog.Brands, catalog.Categories, catalog.Tags, media.Schema,
	},
	Columns: []Column{
		column(Product, catalog.Products, "slug", "handle", "Handle", "핸들"),
		column(Product, catalog.Products, "name", "title", "Title", "상품명"),
		column(Product, catalog.Products, "status", "status", "Status", "상태"),
		column(Product, catalog.Products, "publishAt", "publishAt", "Published from", "공개일시"),
		column(Product, catalog.Products, "description", "description", "Description", "설명"),
		column(ProductLinks, links, "brand", "brand", "Brand", "브랜드"),
		column(ProductLinks, links, "category", "category", "Category", "카테고리"),
		column(ProductLinks, links, "categories", "categories", "Further categories", "추가 카테고리"),
		column(ProductLinks, links, "tags", "tags", "Tags", "태그"),
		column(Product, catalog.Products, "taxClass", "taxClass", "Tax class", "과세 유형"),
		column(Product, catalog.Products, "price", "productPrice", "Product price", "상품 가격"),
		column(Product, catalog.Products, "discount", "discount", "Percent off", "할인율"),
		column(Product, catalog.Products, catalog.CostPrice, "productCostPrice", "Product cost price", "상품 원가"),
		column(ProductLinks, links, "images", "images", "Images", "이미지"),
		column(Variant, catalog.Variants, "id", "variant", "Variant id", "옵션 ID"),
		column(Variant, catalog.Variants, "title", "variantTitle", "Variant title", "옵션"),
		column(ProductLinks, links, "optionValues", "optionValues", "Option values", "옵션값"),
		column(Variant, catalog.Variants, "position", "position", "Position", "순서"),
		column(Variant, catalog.Variants, "sku", "sku", "SKU", "SKU"),
		column(Variant, catalog.Variants, "barcode", "barcode", "Barcode", "바코드"),
		column(Variant, catalog.Variants, "price", "price", "Price", "가격"),
		column(Variant, catalog.Variants, "compareAtPrice", "compareAtPrice", "Compare-at price", "정가"),
		column(Variant, catalog.Variants, catalog.CostPrice, "costPrice", "Cost price", "원가"),
		column(Variant, catalog.Variants, "kind", "kind", "Kind", "종류"),
		column(Variant, catalog.Variants, "requiresShipping", "requiresShipping", "Ships", "배송 필요"),
		column(Variant, catalog.Variants, "trackInventory", "trackInventory", "Tracked", "재고 관리"),
		column(Variant, catalog.Variants, "stock", "stock", "Stock", "재고"),
		column(Variant, catalog.Variants, "lowStockThreshold", "lowStockThreshold", "Low stock at", "재고 부족 기준"),
		column(Variant, catalog.Variants, "weight", "weight", "Weight (g)", "무게(g)"),
		column(ProductLinks, links, "variantImages", "variantImages", "Variant images", "옵션 이미지"),
		column(Product, catalog.Products, "seo.title", "seoTitle", "SEO title", "검색 제목"),
		column(Product, catalog.Products, "seo.description", "seoDescription", "SEO description", "검색 설명"),
		column(Product, catalog.Products, "seo.noIndex", "noIndex", "Hidden from search engines", "검색 제외"),
	},
}

// MarketPart is the part of a row with the fixed price of its variant in a market.
func MarketPart(market collection.Record) Part { return Part("market:" + market.Text("code")) }

// MarketColumns are the columns of Products with the fixed prices in the markets of a shop: price:eu and compareAtPrice:eu of
// the market with the code eu.
func MarketColumns(markets []collection.Record) (all []Column) {
	markets = slices.SortedFunc(slices.Values(markets), func(a, b collection.Record) int { return cmp.Compare(a.Text("code"), b.Text("code")) })
	for _, m := range markets {
		code, part := m.Text("code"), MarketPart(m)
		all = append(all,
			column(part, catalog.MarketPrices, "amount", "price:"+code, "Price in "+code, "가격 "+code),
			column(part, catalog.MarketPrices, "compareAtAmount", "compareAtPrice:"+code, "Compare-at price in "+code, "정가 "+code))
	}
	return all
}

// LocalePart is the part of a row with the texts of its product in a language.
func LocalePart(locale string) Part { return Part("locale:" + locale) }

// LocaleColumns are the columns of Products with the texts in the other languages of a shop: title:ko, handle:ko and description:ko.
func LocaleColumns(locales []string) (all []Column) {
	for _, l := range locales {
		part := LocalePart(l)
		all = append(all,
			column(part, catalog.Products, "slug", "handle:"+l, "Handle in "+l, "핸들 "+l),
			column(part, catalog.Products, "name", "title:"+l, "Title in "+l, "상품명 "+l),
			column(part, catalog.Products, "description", "description:"+l, "Description in "+l, "설명 "+l))
	}
	return all
}

// texts adds the texts of the product in each of its languages to a row.
func (p ProductParts) texts(row Row) Row {
	languages, _ := p.Product[collection.TranslationsName].(map[string]any)
	for locale, texts := range languages {
		if texts, ok := texts.(map[string]any); ok {
			row[LocalePart(locale)] = texts
		}
	}
	return row
}

// ProductParts is a product with the records that its rows show.
type ProductParts struct {
	Product  collection.Record
	Variants []collection.Record
	Options  []collection.Record
	Prices   map[string][]collection.Record // fixed prices in markets, by variant
	Markets  map[string]collection.Record   // by id
	Handle   func(id string) string         // the slug of a brand, category or tag, or the address of a picture
}

// Rows are the rows of a product, in the order of its variants.
func (p ProductParts) Rows() (rows []Row) {
	variants := slices.SortedStableFunc(slices.Values(p.Variants), func(a, b collection.Record) int {
		return cmp.Compare(a.Int("position"), b.Int("position"))
	})
	for _, v := range variants {
		row := p.texts(Row{Product: p.Product, Variant: v, ProductLinks: p.links(v)})
		for _, price := range p.Prices[v.ID()] {
			if m := p.Markets[price.Text("market")]; m != nil {
				row[MarketPart(m)] = price
			}
		}
		rows = append(rows, row)
	}
	if rows == nil {
		rows = []Row{p.texts(Row{Product: p.Product, ProductLinks: p.links(nil)})}
	}
	return rows
}

// links is the part ProductLinks of a variant.
func (p ProductParts) links(v collection.Record) collection.Record {
	one := func(field string) any {
		id := p.Product.Text(field)
		if id == "" {
			return nil
		}
		return handles([]string{id}, p.Handle)[0]
	}
	return collection.Record{
		"brand": one("brand"), "category": one("category"), "categories": handles(p.Product.Texts("categories"), p.Handle),
		"tags": handles(p.Product.Texts("tags"), p.Handle), "images": handles(p.Product.Texts("images"), p.Handle),
		"variantImages": handles(v.Texts("images"), p.Handle), "optionValues": p.optionValues(v),
	}
}

// optionValues are the values that a variant has of the product's options: an Option each, in their order.
func (p ProductParts) optionValues(v collection.Record) (all []string) {
	options := slices.SortedStableFunc(slices.Values(p.Options), func(a, b collection.Record) int {
		return cmp.Compare(a.Int("position"), b.Int("position"))
	})
	for _, option := range options {
		for _, value := range option.Rows("values") {
			if slices.Contains(v.Texts("optionValues"), value.Text("id")) {
				all = append(all, JoinOption(option.Text("name"), value.Text("label")))
			}
		}
	}
	return all
}

// JoinOption is an option with one of its values as an item of a list: "Size=M". A backslash stands before an equals sign in
// the name.
func JoinOption(name, value string) string {
	return strings.NewReplacer(`\`, `\\`, `=`, `\=`).Replace(name) + "=" + value
}

// SplitOption reads what JoinOption wrote; ok is false when there is no equals sign.
func SplitOption(item string) (name, value string, ok bool) {
	var b strings.Builder
	escaped := false
	for i, r := range item {
		switch {
		case escaped:
			b.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case r == '=':
			return strings.TrimSpace(b.String()), strings.TrimSpace(item[i+1:]), true
		default:
			b.WriteRune(r)
		}
	}
	return "", "", false
}
