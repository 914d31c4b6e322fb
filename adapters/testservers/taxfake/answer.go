package taxfake

import (
	"encoding/json"
	"strconv"
)

type (
	answerTax struct {
		Rate         string `json:"rate"`
		Name         string `json:"name"`
		Country      string `json:"country"`
		Jurisdiction string `json:"jurisdiction,omitempty"`
		Percent      string `json:"percent"`
		Amount       int64  `json:"amount"`
	}
	answerLine struct {
		Key   string      `json:"key"`
		Taxes []answerTax `json:"taxes"`
	}
	answerBody struct {
		Lines    []answerLine `json:"lines"`
		Shipping []answerTax  `json:"shipping"`
		Total    int64        `json:"total"`
	}
)

// answer is the answer to q in the mode of s.
func (s *Server) answer(q Question) []byte {
	var out answerBody
	for _, l := range q.Lines {
		out.Lines = append(out.Lines, answerLine{l.Key, s.taxes(q, l)})
	}
	if q.Shipping != nil {
		out.Shipping = s.taxes(q, *q.Shipping)
	}
	s.spoil(&out)
	for _, l := range append(out.Lines, answerLine{Taxes: out.Shipping}) {
		for _, t := range l.Taxes {
			out.Total += t.Amount
		}
	}
	if s.mode == WrongTotal {
		out.Total++
	}
	body, _ := json.Marshal(out)
	return body
}

// spoil changes an answer as the mode says.
func (s *Server) spoil(out *answerBody) {
	switch s.mode {
	case WrongTax:
		for i := range out.Lines[0].Taxes {
			out.Lines[0].Taxes[i].Amount += 5
		}
	case Negative:
		for i := range out.Lines[0].Taxes {
			out.Lines[0].Taxes[i].Amount *= -1
		}
	case UnknownLine:
		out.Lines[0].Key = "another"
	case MissingLine:
		out.Lines = out.Lines[1:]
	default:
	}
}

// taxes are those of a line or of shipping; exempt goods have none.
func (s *Server) taxes(q Question, l Line) []answerTax {
	if l.TaxClass == "exempt" {
		return nil
	}
	rates := s.rates[q.To.Country+"/"+q.To.Province]
	whole := int64(10_000)
	if q.Prices == "included" {
		for _, r := range rates {
			whole += r.BasisPoints
		}
	}
	var out []answerTax
	for _, r := range rates {
		out = append(out, answerTax{
			r.Name, r.Name, q.To.Country, r.Jurisdiction, strconv.FormatFloat(float64(r.BasisPoints)/100, 'f', -1, 64),
			(2*l.Amount*r.BasisPoints + whole) / (2 * whole),
		})
	}
	return out
}
