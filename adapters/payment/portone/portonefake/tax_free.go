package portonefake

// taxParts are the parts of an amount, in minor units: without value added tax, and that tax.
type taxParts struct{ taxFree, vat int64 }

// automaticVAT is the tax that PortOne computes where it is not told. How it rounds is not published: the fake rounds down, so
// that an adapter which tells the tax here and leaves it out there is found. Fact portone-29.
func automaticVAT(taxed int64) int64 { return taxed / 11 }

// taxedLeft is what can be canceled of the taxed part.
func (p *payment) taxedLeft() int64 {
	return p.Amount - p.TaxFree - (p.cancelled - p.cancelledTax.taxFree)
}

// partsOf are the parts of a cancel of this amount: as it says, else wholly taxed, with the tax that is left when nothing else
// is. Without an amount it is all that is left. Fact portone-30.
func (p *payment) partsOf(in map[string]any, amount int64) taxParts {
	parts, vatLeft := taxParts{taxFree: max(0, toInt(in["taxFreeAmount"]))}, p.vat-p.cancelledTax.vat
	if in["amount"] == nil {
		parts.taxFree = p.TaxFree - p.cancelledTax.taxFree
	}
	switch taxed := amount - parts.taxFree; {
	case in["vatAmount"] != nil:
		parts.vat = toInt(in["vatAmount"])
	case taxed == p.taxedLeft():
		parts.vat = vatLeft
	default:
		parts.vat = min(max(0, automaticVAT(taxed)), vatLeft)
	}
	return parts
}

// refusedParts is the type of the error of a cancel whose parts are not within its amount, or more than is left; "" when they
// are fine. Fact portone-30.
func (p *payment) refusedParts(amount int64, parts taxParts) string {
	switch {
	case parts.taxFree+parts.vat > amount:
		return "SUM_OF_PARTS_EXCEEDS_CANCEL_AMOUNT"
	case parts.taxFree > p.TaxFree-p.cancelledTax.taxFree:
		return "CANCEL_TAX_FREE_AMOUNT_EXCEEDS_CANCELLABLE_TAX_FREE_AMOUNT"
	case amount-parts.taxFree > p.taxedLeft(), parts.vat > p.vat-p.cancelledTax.vat:
		return "CANCEL_TAX_AMOUNT_EXCEEDS_CANCELLABLE_TAX_AMOUNT"
	}
	return ""
}

// book counts a cancellation that succeeded.
func (p *payment) book(c map[string]any) {
	p.status = "PARTIAL_CANCELLED"
	p.cancelled += c["totalAmount"].(int64)
	p.cancelledTax.taxFree += c["taxFreeAmount"].(int64)
	p.cancelledTax.vat += c["vatAmount"].(int64)
}
