package transfer

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// The parts of a row of Orders: an order, one of its lines, and Parcels.
const (
	Order     Part = "order"
	OrderLine Part = "line"
	Parcels   Part = "parcels"
)

// parcels declares the part Parcels: in which parcels a line is.
var parcels = &collection.Schema{Slug: "parcels", Fields: []collection.Field{
	{Name: "carriers", Kind: collection.Texts},
	{Name: "trackingNumbers", Kind: collection.Texts},
}}

// Orders is the table of orders: one row per line, with the order repeated in each.
var Orders = Sheet{
	Kind: "orders", Lists: order.Schema, Reads: []*collection.Schema{order.Schema, order.Fulfillments},
	Columns: []Column{
		column(Order, order.Schema, "orderNumber", "orderNumber", "Order number", "주문번호"),
		column(Order, order.Schema, "placedAt", "placedAt", "Placed at", "주문일시"),
		column(Order, order.Schema, "status", "status", "Status", "주문상태"),
		column(Order, order.Schema, "paymentStatus", "paymentStatus", "Payment status", "결제상태"),
		column(Order, order.Schema, "fulfillmentStatus", "fulfillmentStatus", "Fulfillment status", "배송상태"),
		column(Order, order.Schema, "source", "source", "Source", "주문경로"),
		column(Order, order.Schema, "email", "email", "Email", "이메일"),
		column(Order, order.Schema, "customerSnapshot.name", "buyerName", "Buyer", "주문자"),
		column(Order, order.Schema, "customerSnapshot.phone", "buyerPhone", "Buyer's phone", "주문자 전화번호"),
		column(Order, order.Schema, "shippingAddress.recipientName", "recipientName", "Recipient", "수령인"),
		column(Order, order.Schema, "shippingAddress.company", "company", "Company", "회사명"),
		column(Order, order.Schema, "shippingAddress.phone", "recipientPhone", "Recipient's phone", "수령인 전화번호"),
		column(Order, order.Schema, "shippingAddress.country", "country", "Country", "국가"),
		column(Order, order.Schema, "shippingAddress.postalCode", "postalCode", "Postal code", "우편번호"),
		column(Order, order.Schema, "shippingAddress.province", "province", "Province", "시·도"),
		column(Order, order.Schema, "shippingAddress.city", "city", "City", "시·군·구"),
		column(Order, order.Schema, "shippingAddress.district", "district", "District", "동·읍·면"),
		column(Order, order.Schema, "shippingAddress.address1", "address1", "Address", "주소"),
		column(Order, order.Schema, "shippingAddress.address2", "address2", "Address line 2", "상세주소"),
		column(Order, order.Schema, "shippingAddress.deliveryNote", "deliveryNote", "Delivery note", "배송메시지"),
		rowColumn(OrderLine, order.Schema, "lines", "id", "line", "Line", "주문품목"),
		rowColumn(OrderLine, order.Schema, "lines", "sku", "sku", "SKU", "SKU"),
		rowColumn(OrderLine, order.Schema, "lines", "title", "title", "Product", "상품명"),
		rowColumn(OrderLine, order.Schema, "lines", "variantTitle", "variantTitle", "Variant title", "옵션"),
		rowColumn(OrderLine, order.Schema, "lines", "quantity", "quantity", "Quantity", "수량"),
		rowColumn(OrderLine, order.Schema, "lines", "unitPrice", "unitPrice", "Unit price", "단가"),
		rowColumn(OrderLine, order.Schema, "lines", "discount", "lineDiscount", "Line discount", "품목 할인"),
		rowColumn(OrderLine, order.Schema, "lines", "total", "lineTotal", "Line total", "품목 합계"),
		rowColumn(OrderLine, order.Schema, "lines", "taxClass", "taxClass", "Tax class", "과세 유형"),
		rowColumn(OrderLine, order.Schema, "lines", "taxes.amount", "lineTax", "Line taxes", "품목 세금"),
		rowColumn(OrderLine, order.Schema, "lines", "fulfilledQuantity", "fulfilledQuantity", "Units fulfilled", "배송 수량"),
		rowColumn(OrderLine, order.Schema, "lines", "returnedQuantity", "returnedQuantity", "Units returned", "반품 수량"),
		rowColumn(OrderLine, order.Schema, "lines", "canceledQuantity", "canceledQuantity", "Units canceled", "취소 수량"),
		column(Parcels, parcels, "carriers", "carriers", "Carriers", "택배사"),
		column(Parcels, parcels, "trackingNumbers", "trackingNumbers", "Tracking numbers", "운송장번호"),
		column(Order, order.Schema, "currency", "currency", "Currency", "통화"),
		column(Order, order.Schema, "subtotal", "subtotal", "Subtotal", "상품 합계"),
		column(Order, order.Schema, "discountAmount", "discountAmount", "Discount", "할인 금액"),
		column(Order, order.Schema, "shippingAmount", "shippingAmount", "Shipping", "배송비"),
		column(Order, order.Schema, "taxes.amount", "taxAmount", "Taxes", "세금"),
		column(Order, order.Schema, "taxes.included", "taxesIncluded", "Taxes included", "세금 포함"),
		column(Order, order.Schema, "taxes.exemptShipping", "exemptShipping", "Exempt shipping", "면세 배송비"),
		column(Order, order.Schema, "totalAmount", "totalAmount", "Order total", "주문 합계"),
		column(Order, order.Schema, "canceledAmount", "canceledAmount", "Canceled amount", "취소 금액"),
		column(Order, order.Schema, "refundedAmount", "refundedAmount", "Refunded amount", "환불 금액"),
		discountCodes,
		column(Order, order.Schema, "notes", "notes", "Notes", "메모"),
		column(Order, order.Schema, "customer", "customer", "Customer id", "고객 ID"),
		column(Order, order.Schema, "deliveredAt", "deliveredAt", "Delivered at", "배송완료일시"),
	},
}

var discountCodes = Column{
	Name: "discountCodes", Headers: headers("Discount codes", "할인 코드"), Part: Order, Kind: collection.Texts,
	Of: func(row Row) any {
		var codes []string
		for _, code := range row[Order].Rows("discountCodes") {
			codes = append(codes, code.Text("code"))
		}
		return codes
	},
}

// OrderRows are the rows of an order, whose fulfillments are in fulfillments.
func OrderRows(o collection.Record, fulfillments []collection.Record) (rows []Row) {
	for _, line := range o.Rows("lines") {
		var carriers, numbers []string
		for _, f := range fulfillments {
			if f.Text("status") == string(order.FulfillmentCanceled) || !holds(f, line.Text("id")) || f.Text("trackingNumber") == "" {
				continue
			}
			carriers, numbers = append(carriers, f.Text("carrier")), append(numbers, f.Text("trackingNumber"))
		}
		rows = append(rows, Row{Order: o, OrderLine: line, Parcels: {"carriers": carriers, "trackingNumbers": numbers}})
	}
	if rows == nil {
		rows = []Row{{Order: o}}
	}
	return rows
}

// holds reports whether a parcel has units of a line.
func holds(parcel collection.Record, line string) bool {
	for _, item := range parcel.Rows("items") {
		if item.Text("orderLine") == line {
			return true
		}
	}
	return false
}
