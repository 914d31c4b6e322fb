package carrier_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	. "github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
)

func TestByNameFindsAliases(t *testing.T) {
	t.Parallel()
	for want, names := range map[order.Carrier][]string{
		order.CJ:           {"cj", "CJ", "CJGLS", "CJ대한통운", "cj 대한통운", "대한통운", "CJ Logistics", "kr.cjlogistics"},
		order.Hanjin:       {"hanjin", "HANJIN", "한진택배", "한진 택배", "한진", "kr.hanjin"},
		order.Lotte:        {"lotte", "LOTTE", "HYUNDAI", "Hyundai", "롯데택배", "롯데", "현대택배", "kr.lotte"},
		order.EPost:        {"epost", "EPOST", "REGISTPOST", "POST", "POST_REGISTERED", "우체국택배", "우체국", "등기", "kr.epost"},
		order.Logen:        {"logen", "LOGEN", "KGB", "로젠택배", "로젠", "kr.logen"},
		order.UPS:          {"UPS", "ups"},
		order.FedEx:        {"FedEx", "FEDEX"},
		order.DHL:          {"DHL"},
		order.EMS:          {"EMS", "우체국 EMS"},
		order.OtherCarrier: {"other", "기타"},
	} {
		for _, name := range names {
			if got, err := ByName(name); got != want || err != nil {
				t.Errorf("%s: %s %v", name, got, err)
			}
		}
	}
	if _, err := ByName(strings.Repeat("가", 40)); !strings.Contains(err.Error(), `가" is`) {
		t.Errorf("a short name must be quoted in full: %v", err)
	}
	if _, err := ByName(strings.Repeat("가", 41)); !strings.Contains(err.Error(), `"`+strings.Repeat("가", 40)+`…"`) {
		t.Error(err)
	}
	for _, name := range []string{"", "  ", "-", "개인배송", "cjx", strings.Repeat("가", 100)} {
		if got, err := ByName(name); got != "" || !errors.Is(err, ErrUnknownCarrier) {
			t.Errorf("%q: %q %v", name, got, err)
		}
	}
}

func TestNormalizeNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"123456789012": "123456789012", "012345678901": "012345678901", "1234-5678-9012": "123456789012",
		"1234 5678 9012\n": "123456789012", "'123456789012": "123456789012", "1234–5678–9012": "123456789012", "１２３４567890": "1234567890",
		"！～": "!~", "123\u00a0456\u200b7890": "1234567890", "eg123456789kr": "EG123456789KR", "": "", "123456789012.0": "123456789012",
		"123456789012.": "123456789012", "1.23456789012E+11": "123456789012", "1.23456789012E11": "123456789012", "1.5": "1.5",
		"1Z999AA10123456784": "1Z999AA10123456784",
	} {
		if got, err := NormalizeNumber(order.CJ, text); got != want || err != nil {
			t.Errorf("%q: %q %v", text, got, err)
		}
	}
	for _, text := range []string{"1.23E+11", "1.23457E+11", "1E+11", "1.2345678901234E+11", "12.3E+11", "1.23E+111", "2E5"} {
		if got, err := NormalizeNumber(order.Logen, text); !errors.Is(err, ErrNumberRounded) {
			t.Errorf("%q: %q %v", text, got, err)
		}
	}
	for _, c := range []order.Carrier{order.OtherCarrier, order.UPS, order.EMS, ""} { // carriers whose numbers have letters
		for text, want := range map[string]string{"12e3": "12E3", "12E3": "12E3", "77.0": "77.0", "'1z-99": "1Z99"} {
			if got, err := NormalizeNumber(c, text); got != want || err != nil {
				t.Errorf("%s %q: %q %v", c, text, got, err)
			}
		}
	}
}

func TestCheckNumberDigitCounts(t *testing.T) {
	t.Parallel()
	const digits = "12345678901234567890"
	for carrier, counts := range map[order.Carrier][]int{
		order.CJ: {10, 12}, order.Hanjin: {10, 11, 12, 14}, order.Lotte: {10, 11, 12}, order.EPost: {13}, order.Logen: {11},
	} {
		for n := range 16 {
			err := CheckNumber(carrier, digits[:n])
			good := false
			for _, c := range counts {
				good = good || c == n
			}
			if good != (err == nil) || err != nil && !errors.Is(err, ErrTrackingNumber) {
				t.Errorf("%s, %d digits: %v", carrier, n, err)
			}
		}
		if err := CheckNumber(carrier, "12345A7890"); err == nil {
			t.Errorf("%s takes letters", carrier)
		}
	}
	for number, good := range map[string]bool{
		"1Z999AA10123456784": true, "7": true, "": false, "직접수령": false, "A.B": false, strings.Repeat("1", 51): false,
		strings.Repeat("Z", 50): true,
	} {
		if err := CheckNumber(order.OtherCarrier, number); good != (err == nil) {
			t.Errorf("%q: %v", number, err)
		}
	}
	if text := CheckNumber(order.Hanjin, "1").Error(); !strings.Contains(text, "10, 11, 12 or 14 digits") {
		t.Error(text)
	}
	for _, c := range order.Carriers {
		if err := (order.Tracking{Carrier: c, Number: "A1"}).Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestReadHeaderFindsAliasesInAnyOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cells []string
		want  Header
	}{
		"ours": {[]string{"orderNumber", "fulfillmentOrder", "recipientName", "carrier", "trackingNumber"}, Header{
			OrderNumber: 0, FulfillmentOrder: 1, CarrierName: 3, TrackingNumber: 4,
		}},
		"Korean": {[]string{"수령인", "운송장번호", "택배사", "주문번호"}, Header{TrackingNumber: 1, CarrierName: 2, OrderNumber: 3}},
		"loosely": {
			[]string{" Tracking_Number ", "CARRIER", "fulfillment order"}, Header{TrackingNumber: 0, CarrierName: 1, FulfillmentOrder: 2},
		},
		"two names for one": {
			[]string{"고객주문번호", "주문번호", "택배사", "택배사코드", "운송장번호"}, Header{OrderNumber: 1, CarrierName: 2, TrackingNumber: 4},
		},
		"codes": {[]string{"order_id", "택배사 코드", "송장 번호*"}, Header{OrderNumber: 0, CarrierName: 1, TrackingNumber: 2}},
	} {
		if got, err := ReadHeader(c.cells); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
	for missing, cells := range map[Column][]string{
		TrackingNumber:   {"orderNumber", "carrier"},
		CarrierName:      {"orderNumber", "trackingNumber"},
		FulfillmentOrder: {"carrier", "trackingNumber"},
	} {
		_, err := ReadHeader(cells)
		f := fault.From(err)
		if !errors.Is(err, ErrColumn) || f.Kind != fault.Invalid || len(f.Fields) != 1 || f.Fields[0].Field != string(missing) ||
			!strings.Contains(f.Message, string(missing)) {
			t.Errorf("%s: %+v", missing, f)
		}
	}
	for _, cells := range [][]string{{"carrier", "운송장번호", "송장번호", "orderNumber"}, {"주문번호", "주문 번호", "택배사", "운송장번호"}} {
		if _, err := ReadHeader(cells); !errors.Is(err, ErrColumn) || !strings.Contains(err.Error(), "twice") {
			t.Errorf("%q: %v", cells, err)
		}
	}
	for _, c := range Columns {
		if strings.TrimSpace(string(c)) == "" {
			t.Error("an empty name matched a column")
		}
	}
}

func TestParseRow(t *testing.T) {
	t.Parallel()
	header := Header{OrderNumber: 0, FulfillmentOrder: 1, CarrierName: 2, TrackingNumber: 3}
	entry := func(number, work, by, written string) Entry {
		return Entry{
			Row: 7, OrderNumber: number, FulfillmentOrder: work, Tracking: order.Tracking{Carrier: order.CJ, Number: "123456789012"},
			CarrierCell: by, NumberCell: written,
		}
	}
	for name, c := range map[string]struct {
		cells []string
		want  Entry
		err   error
	}{
		"whole": {
			[]string{"260131000007", "019C", "CJGLS", "1234-5678-9012"}, entry("260131000007", "019c", "CJGLS", "1234-5678-9012"), nil,
		},
		"by its order number":         {[]string{"'260131000007", "", "cj", "'123456789012"}, entry("'260131000007", "", "cj", "'123456789012"), nil},
		"a rounded tracking number":   {[]string{"A1", "", "cj", "1.23E+11"}, Entry{}, ErrNumberRounded},
		"nameless":                    {[]string{"", " ", "cj", "123456789012"}, Entry{}, ErrNoOrder},
		"no carrier":                  {[]string{"A1", "", "", "123456789012"}, Entry{}, ErrUnknownCarrier},
		"a dropped leading zero":      {[]string{"A1", "", "CJ", "12345678901"}, Entry{}, ErrTrackingNumber},
		"an error value of a formula": {[]string{"A1", "", "cj", "#N/A"}, Entry{}, ErrTrackingNumber},
	} {
		got, named, err := header.ParseRow(7, c.cells)
		switch {
		case !named:
			t.Errorf("%s: no news", name)
		case c.err != nil && !errors.Is(err, c.err):
			t.Errorf("%s: %v", name, err)
		case c.err == nil && (err != nil || got != c.want):
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	for _, cells := range [][]string{{"A1", "w1", "cj", " "}, {"A1", "w1", "cj"}, {}} {
		if _, named, err := header.ParseRow(7, cells); named || err != nil {
			t.Errorf("%q: %v %v", cells, named, err)
		}
	}
}

func TestOrderNumberCandidates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"": nil, "A1": {"A1"}, "77": {"77"}, "77.0": {"77.0", "77"}, "7.7E1": {"7.7E1", "77"}, "7.7e+1": {"7.7e+1", "77"},
		"'Q1": {"'Q1", "Q1"}, "'77.0": {"'77.0", "77.0", "77"}, "2.6E+11": {"2.6E+11"}, "'": {"'"}, "12.5": {"12.5"},
	} {
		if got := (Entry{OrderNumber: text}).OrderNumbers(); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	for text, want := range map[string]error{
		"2.60131E+11": ErrOrderNumberRounded, "'2E5": ErrOrderNumberRounded, "A1": ErrNoSuchOrder, "77.0": ErrNoSuchOrder,
	} {
		if e := (Entry{OrderNumber: text}); !errors.Is(e.NotFoundError(), want) ||
			e.OrderNumberRounded() != errors.Is(want, ErrOrderNumberRounded) {
			t.Errorf("%q: %v", text, e.NotFoundError())
		}
	}
}

func TestFormulaInImportedColumnIsRefused(t *testing.T) {
	t.Parallel()
	header := Header{OrderNumber: 0, FulfillmentOrder: 1, CarrierName: 2, TrackingNumber: 3}
	for column := range 4 {
		for _, value := range []string{"", "123456789012"} { // the stored result of the formula
			cells := []string{"A1", "w1", "cj", "123456789012"}
			cells[column] = value
			if _, named, err := header.ParseRow(7, cells, 5, column); !named || !errors.Is(err, ErrFormula) {
				t.Errorf("column %d, %q: %v", column, value, err)
			}
		}
	}
	if _, _, err := header.ParseRow(7, []string{"A1", "w1", "cj", "123456789012", "=1"}, 4); err != nil {
		t.Errorf("in a column that is ignored: %v", err)
	}
	if _, named, err := header.ParseRow(7, []string{"=A1", "w1", "cj", ""}, 0); named || err != nil {
		t.Errorf("in a row without a tracking number: %v", err)
	}
}
