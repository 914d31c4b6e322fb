package transfer

import (
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// The parts of rows about goods.
const (
	Product Part = "product"
	Variant Part = "variant"
)

// Stock is the table of stock: one row per variant, of the environment of the export.
var Stock = Sheet{
	Kind: "stock", Lists: catalog.Variants, Reads: []*collection.Schema{catalog.Variants, catalog.Products},
	Columns: []Column{
		column(Variant, catalog.Variants, "id", "variant", "Variant id", "옵션 ID"),
		column(Variant, catalog.Variants, "sku", "sku", "SKU", "SKU"),
		column(Variant, catalog.Variants, "barcode", "barcode", "Barcode", "바코드"),
		column(Product, catalog.Products, "slug", "handle", "Handle", "핸들"),
		column(Product, catalog.Products, "name", "title", "Product", "상품명"),
		column(Variant, catalog.Variants, "title", "variantTitle", "Variant title", "옵션"),
		column(Variant, catalog.Variants, "trackInventory", "trackInventory", "Tracked", "재고 관리"),
		column(Variant, catalog.Variants, "stock", "onHand", "On hand", "재고"),
		column(Variant, catalog.Variants, "reserved", "reserved", "Reserved", "예약"),
		{
			Name: "available", Headers: headers("Available", "판매 가능"), Part: Variant, Kind: collection.Integer,
			Of: func(row Row) any {
				if row[Variant] == nil || row[Variant]["stock"] == nil {
					return nil
				}
				return row[Variant].Int("stock") - row[Variant].Int("reserved")
			},
		},
		column(Variant, catalog.Variants, "lowStockThreshold", "lowStockThreshold", "Low stock at", "재고 부족 기준"),
	},
}
