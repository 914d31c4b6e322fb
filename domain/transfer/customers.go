package transfer

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
)

// The parts of a row of Customers.
const (
	Customer Part = "customer"
	Address  Part = "address" // the default address, or else the first
)

// Customers is the table of customers: one row each, with their default address.
var Customers = Sheet{
	Kind: "customers", Lists: identity.Customers, Reads: []*collection.Schema{identity.Customers},
	Columns: []Column{
		column(Customer, identity.Customers, "email", "email", "Email", "이메일"),
		column(Customer, identity.Customers, "name", "name", "Name", "이름"),
		column(Customer, identity.Customers, "phone", "phone", "Phone", "전화번호"),
		column(Customer, identity.Customers, "groups", "groups", "Groups", "그룹"),
		column(Customer, identity.Customers, "marketingConsent", "marketingConsent", "Marketing consent", "마케팅 수신 동의"),
		column(Customer, identity.Customers, "consentedAt", "consentedAt", "Consented at", "동의일시"),
		column(Customer, identity.Customers, "isVerified", "isVerified", "Email verified", "이메일 인증"),
		column(Customer, identity.Customers, "createdAt", "createdAt", "Registered at", "가입일시"),
		rowColumn(Address, identity.Customers, "addresses", "label", "addressLabel", "Address name", "배송지명"),
		rowColumn(Address, identity.Customers, "addresses", "recipientName", "recipientName", "Recipient", "수령인"),
		rowColumn(Address, identity.Customers, "addresses", "company", "company", "Company", "회사명"),
		rowColumn(Address, identity.Customers, "addresses", "phone", "recipientPhone", "Recipient's phone", "수령인 전화번호"),
		rowColumn(Address, identity.Customers, "addresses", "country", "country", "Country", "국가"),
		rowColumn(Address, identity.Customers, "addresses", "postalCode", "postalCode", "Postal code", "우편번호"),
		rowColumn(Address, identity.Customers, "addresses", "province", "province", "Province", "시·도"),
		rowColumn(Address, identity.Customers, "addresses", "city", "city", "City", "시·군·구"),
		rowColumn(Address, identity.Customers, "addresses", "district", "district", "District", "동·읍·면"),
		rowColumn(Address, identity.Customers, "addresses", "address1", "address1", "Address", "주소"),
		rowColumn(Address, identity.Customers, "addresses", "address2", "address2", "Address line 2", "상세주소"),
		rowColumn(Address, identity.Customers, "addresses", "deliveryNote", "deliveryNote", "Delivery note", "배송메시지"),
		column(Customer, identity.Customers, "note", "note", "Note", "메모"),
	},
}

// DefaultAddress is the index of the address in the row of a customer; -1 for none.
func DefaultAddress(customer collection.Record) int {
	all := customer.Rows("addresses")
	if i := slices.IndexFunc(all, func(a collection.Record) bool { return a.Bool("isDefault") }); i >= 0 || len(all) == 0 {
		return i
	}
	return 0
}

// CustomerRow is the row of a customer.
func CustomerRow(customer collection.Record) Row {
	row := Row{Customer: customer}
	if i := DefaultAddress(customer); i >= 0 {
		row[Address] = customer.Rows("addresses")[i]
	}
	return row
}
