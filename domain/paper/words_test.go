package paper

import (
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
)

func TestEveryWordIsThereInBothLanguages(t *testing.T) {
	t.Parallel()
	statuses, _ := order.Schema.Field("paymentStatus")
	for _, w := range []*words{&inEnglish, &inKorean} {
		all := reflect.ValueOf(*w)
		for i := range all.NumField() {
			if all.Field(i).IsZero() {
				t.Errorf("%s is missing in the language of %q", all.Type().Field(i).Name, w.Invoice)
			}
		}
		for _, status := range statuses.Options {
			if w.PaymentStatus[status] == "" {
				t.Errorf("%s is missing in the language of %q", status, w.Invoice)
			}
		}
		for _, c := range order.Carriers {
			if w.Carriers[c] == "" {
				t.Errorf("%s is missing in the language of %q", c, w.Invoice)
			}
		}
	}
	if statuses.Kind != collection.Select {
		t.Error(statuses)
	}
}
