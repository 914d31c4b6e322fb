package ports

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// TaxConnection is a tax service of a tenant, with its decrypted secret.
type TaxConnection struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	URL         string
	Secret      string // whsec_…; never logged
}

// TaxQuestion asks for the taxes of a sale. Services use what Rules say of the market, and the table their rates.
type TaxQuestion struct {
	Connection TaxConnection // zero where the table is asked
	Rules      tax.Rules
	Sale       tax.Sale
}

// The causes of a tax.ErrUnavailable of a service that was asked, besides ErrNotSent.
var (
	ErrTaxServiceRefused    = errors.New("the tax service refused the question")
	ErrTaxServiceUnreadable = errors.New("the answer of the tax service cannot be read")
)

// TaxService computes the taxes of sales.
type TaxService interface {
	// Quote returns what the service says; the same question may be asked again at any time, and changes nothing there. Whether the
	// answer can be right is for tax.Rules.Check to say. Errors: money.ErrOutOfRange of the table; tax.ErrUnavailable within the time
	// of one call, caused by ErrNotSent while the circuit of the connection is open or too many of its calls are under way, by
	// ErrTaxServiceRefused or ErrTaxServiceUnreadable.
	Quote(ctx context.Context, q TaxQuestion) (tax.Answer, error)
}
