package portone_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/portone"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Anybody can read a session of a hosted page.
func TestHostedPageSaysNothingOfTheBuyer(t *testing.T) {
	t.Parallel()
	r := prepare("Payment1")
	r.Buyer = ports.Buyer{Name: "Kim Jiwoo", Email: "jiwoo@shop.example", Phone: "010-1234-5678"}
	body, err := portone.New("", nil).Build(connection(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, personal := range []string{r.Buyer.Name, r.Buyer.Email, r.Buyer.Phone, "customer"} {
		if strings.Contains(string(body), personal) {
			t.Errorf("%s is in %s", personal, body)
		}
	}
	if !strings.Contains(string(body), `"paymentMethod":"`+r.Method+`"`) {
		t.Errorf("the method asked for is not in %s", body)
	}
}

func TestActionSaysWhetherGoodsAreDelivered(t *testing.T) {
	t.Parallel()
	for digital, want := range map[bool]string{false: "PRODUCT_TYPE_REAL", true: "PRODUCT_TYPE_DIGITAL"} {
		r := prepare("Payment1").PaymentRequest
		r.Kind, r.Digital = domain.Standard, digital
		act, err := portone.New("", nil).Action(connection(), r, domain.Prepared{})
		if err != nil || act.(map[string]any)["productType"] != want {
			t.Errorf("digital %v: %v %v", digital, act, err)
		}
	}
}
