package intake

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/transfer"
)

func itoa(n int) string { return strconv.Itoa(n) }

// The columns of an order that are members of groups in the form that orders are imported in.
var (
	contactColumns = map[string]string{"buyerName": "name", "buyerPhone": "phone"}
	shipToColumns  = map[string]string{
		"recipientName": "recipientName", "recipientPhone": "phone", "postalCode": "postalCode", "address1": "address1",
		"address2": "address2", "deliveryNote": "deliveryNote", "company": "company", "province": "province", "city": "city",
		"district": "district", "country": "country",
	}
	taxColumns = map[string]string{"taxAmount": "amount", "taxesIncluded": "included", "exemptShipping": "exemptShipping"}
	lineFields = map[string]string{"lineDiscount": "discount", "lineTotal": "total", "lineTax": "taxes"}
)

// OrderOf reads the rows of one order in the form that orders of other systems are imported in. Empty cells are left out.
func OrderOf(rows []Row) (order map[string]any, problems []Problem) {
	fields, problems := shared(rows, Orders.of(whole))
	order = map[string]any{}
	contact, shipTo, taxes := map[string]any{}, map[string]any{}, map[string]any{}
	for name, v := range fields {
		group, member := order, name
		if m, is := contactColumns[name]; is {
			group, member = contact, m
		} else if m, is := shipToColumns[name]; is {
			group, member = shipTo, m
		} else if m, is := taxColumns[name]; is {
			group, member = taxes, m
		}
		if v != nil {
			group[member] = v
		}
	}
	if len(contact) > 0 {
		order["customerSnapshot"] = contact
	}
	if len(shipTo) > 0 {
		order["shippingAddress"] = shipTo
	}
	if len(taxes) > 0 {
		order["taxes"] = taxes
	}
	if order["discountCodes"] != nil {
		codes, bad := rows[0].codes()
		order["discountCodes"], problems = codes, append(problems, bad...)
	}
	lines := make([]any, len(rows))
	for i := range rows {
		line, bad := rows[i].line()
		lines[i], problems = line, append(problems, bad...)
	}
	order["lines"] = lines
	return order, problems
}

func (r Row) line() (map[string]any, []Problem) {
	r.Problems = nil // told with the order
	line := map[string]any{}
	for name, v := range r.values(Orders.of(portion)) {
		if field, renamed := lineFields[name]; renamed {
			name = field
		}
		switch {
		case v == nil:
		case name == "taxes":
			line[name] = map[string]any{"amount": v}
		default:
			line[name] = v
		}
	}
	return line, r.Problems
}

// codes reads the discount codes of an order, each with what it took off after an equals sign, or without.
func (r Row) codes() ([]any, []Problem) {
	r.Problems = nil
	items := splitList(r.cell("discountCodes"))
	out := make([]any, len(items))
	ok := true
	for i, it := range items {
		code, amount, _ := strings.Cut(it, "=")
		used := map[string]any{"code": strings.TrimSpace(code)}
		if amount = strings.TrimSpace(amount); amount != "" {
			n, isAmount := readNumber(amount)
			used["amount"], ok = n, ok && isAmount
		}
		out[i] = used
	}
	if !ok {
		r.fail("discountCodes", CodeList, "The cell is not a list of codes such as SPRING or SPRING=5000.")
	}
	return out, r.Problems
}

// IsOrder reports whether rows say of an order what an export of it does: then there is nothing to import. lines are the rows of
// the export.
func IsOrder(rows []Row, lines []transfer.Row) bool {
	if len(rows) != len(lines) {
		return false
	}
	for i, r := range rows {
		for _, c := range reads[Orders].read {
			cell := strings.TrimSpace(r.cell(c.Name))
			if !r.header.Has(c.Name) || cell == "" && c.of == whole && i > 0 {
				continue
			}
			at := slices.IndexFunc(transfer.Orders.Columns, func(x transfer.Column) bool { return x.Name == c.Name })
			if at < 0 {
				if cell != "" {
					return false // an export does not tell
				}
				continue
			}
			if !isSameCell(c, cell, strings.TrimSpace(transfer.Orders.Columns[at].Cell(lines[i]))) {
				return false
			}
		}
	}
	return true
}

func isSameCell(c Column, a, b string) bool {
	if c.format == number {
		x, isNumber := readNumber(a)
		y, isNumberToo := readNumber(b)
		return isNumber == isNumberToo && x == y
	}
	return a == b
}
