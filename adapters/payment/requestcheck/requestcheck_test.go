package requestcheck_test

import (
	"errors"
	"net/url"
	"regexp"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/requestcheck"
)

var members = []requestcheck.Member{
	{Name: "id", Kind: requestcheck.Text, Required: true, Min: 2, Max: 4, Pattern: regexp.MustCompile(`^[a-z]+$`)},
	{Name: "amount", Kind: requestcheck.Number, Min: 1},
	{Name: "count", Kind: requestcheck.Integer, Max: 10},
	{Name: "mode", Kind: requestcheck.Text, OneOf: []string{"on", "off"}},
	{Name: "fast", Kind: requestcheck.Boolean},
	{Name: "more", Kind: requestcheck.Map},
	{Name: "any", Kind: requestcheck.Any},
	{Name: "tags", Kind: requestcheck.List},
	{Name: "lines", Kind: requestcheck.List, Members: []requestcheck.Member{{Name: "name", Kind: requestcheck.Text, Required: true}}},
	{Name: "to", Kind: requestcheck.Object, Members: []requestcheck.Member{{Name: "bank", Kind: requestcheck.Text, Required: true}}},
}

func TestRequestsAreCheckedAgainstMembers(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]requestcheck.Problem{
		`{"id":"ab"}`: {},
		`{"id":"ab","amount":1.5,"count":10,"mode":"on","fast":true,"more":{"a":"b"},"any":[null],"tags":["x"],"lines":[{"name":"n"}],"to":{"bank":"b"}}`: {},
		``:                           {Reason: requestcheck.Missing, Member: "id"},
		`[]`:                         {Reason: requestcheck.Malformed},
		`null`:                       {Reason: requestcheck.Malformed},
		`{"id":"ab"} {}`:             {Reason: requestcheck.Malformed},
		`{"id":"ab","ID":"ab"}`:      {Reason: requestcheck.Unknown, Member: "ID"},
		`{"id":7}`:                   {Reason: requestcheck.WrongType, Member: "id"},
		`{"id":null}`:                {Reason: requestcheck.WrongType, Member: "id"},
		`{"id":"a"}`:                 {Reason: requestcheck.OutOfRange, Member: "id"},
		`{"id":"abcde"}`:             {Reason: requestcheck.OutOfRange, Member: "id"},
		`{"id":"A1"}`:                {Reason: requestcheck.OutOfRange, Member: "id"},
		`{"id":"ab","amount":"1"}`:   {Reason: requestcheck.WrongType, Member: "amount"},
		`{"id":"ab","amount":0.5}`:   {Reason: requestcheck.OutOfRange, Member: "amount"},
		`{"id":"ab","count":1.5}`:    {Reason: requestcheck.WrongType, Member: "count"},
		`{"id":"ab","count":11}`:     {Reason: requestcheck.OutOfRange, Member: "count"},
		`{"id":"ab","mode":"up"}`:    {Reason: requestcheck.OutOfRange, Member: "mode"},
		`{"id":"ab","fast":"true"}`:  {Reason: requestcheck.WrongType, Member: "fast"},
		`{"id":"ab","more":{"a":1}}`: {Reason: requestcheck.WrongType, Member: "more.a"},
		`{"id":"ab","tags":[1]}`:     {Reason: requestcheck.WrongType, Member: "tags[0]"},
		`{"id":"ab","lines":[{}]}`:   {Reason: requestcheck.Missing, Member: "lines[0].name"},
		`{"id":"ab","lines":{}}`:     {Reason: requestcheck.WrongType, Member: "lines"},
		`{"id":"ab","to":{"b":1}}`:   {Reason: requestcheck.Unknown, Member: "to.b"},
	} {
		check(t, body, requestcheck.JSON([]byte(body), members), want)
	}
	for form, want := range map[string]requestcheck.Problem{
		"id=ab&amount=2&count=3&fast=true&more[a]=b&tags[]=x&lines[0][name]=n&to[bank]=b": {},
		"id=ab&id=cd":         {Reason: requestcheck.Malformed, Member: "id"},
		"id=ab&to=x":          {Reason: requestcheck.WrongType, Member: "to"},
		"id=ab&count=many":    {Reason: requestcheck.WrongType, Member: "count"},
		"id=ab&lines[x][n]=n": {Reason: requestcheck.WrongType, Member: "lines"},
		"id=ab&who[is]=me":    {Reason: requestcheck.Unknown, Member: "who"},
	} {
		values, err := url.ParseQuery(form)
		if err != nil {
			t.Fatal(err)
		}
		check(t, form, requestcheck.Form(values, members), want)
	}
}

func check(t *testing.T, request string, err error, want requestcheck.Problem) {
	t.Helper()
	got := &requestcheck.Problem{}
	if err != nil && !errors.As(err, &got) || *got != want {
		t.Errorf("%s: %v, want %+v", request, err, want)
	}
}
