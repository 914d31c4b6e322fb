package program

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	cartwright "github.com/cartwright-dev/cartwright/adapters/sdk/go"
	"github.com/cartwright-dev/cartwright/adapters/testservers/faultproxy"
)

func (s *goShop) checkRecords() {
	ctx := s.Context()
	brands := s.Collections.Brands
	one := callResult(brands.Create(ctx, cartwright.BrandCreate{Name: "Kiln & Sons", Description: "Pots"})).ok(s).Doc
	two := callResult(brands.Create(ctx, cartwright.BrandCreate{Name: "Press"})).ok(s).Doc
	callResult(brands.Create(ctx, cartwright.BrandCreate{Name: ""})).refused(s, cartwright.ReasonValidationFailed)
	if changed := callResult(brands.Update(ctx, one.ID, cartwright.BrandUpdate{Name: new("Kiln")})).ok(s); changed.Doc.Name != "Kiln" ||
		changed.Doc.Description != "Pots" {
		s.Errorf("%+v", changed)
	}
	if bare := callResult(brands.UpdateFields(ctx, one.ID, cartwright.Fields{"description": nil})).ok(s); bare.Doc.Description != "" {
		s.Errorf("%+v", bare)
	}
	both := cartwright.Where{"id": cartwright.Where{"in": []string{one.ID, two.ID}}}
	if n := callResult(brands.Count(ctx, both)).ok(s); n != 2 {
		s.Errorf("%d brands", n)
	}
	if all := callResult(brands.UpdateMany(ctx, both, cartwright.BrandUpdate{Description: new("Both")})).ok(s); len(all.Docs) != 2 ||
		all.Docs[1].Description != "Both" || len(all.Errors) != 0 {
		s.Errorf("%+v", all)
	}
	each := callResult(brands.UpdateEach(ctx, cartwright.BulkUpdateInput{Patches: []cartwright.BulkUpdatePatch{
		{ID: one.ID, Data: cartwright.BrandUpdate{Name: new("Kiln & Co")}}, {ID: two.ID, Data: cartwright.Fields{"name": ""}},
	}})).ok(s)
	if each.Updated != 1 || each.Refused != 1 || each.Results[0].Status != cartwright.ChangeStatusUpdated || each.Results[1].Errors[0].Field != "name" {
		s.Errorf("%+v", each)
	}
	if got := callResult(brands.FindByID(ctx, two.ID, cartwright.Query{Select: []string{"description"}})).ok(s); got.Description != "Both" ||
		got.Name != "" {
		s.Errorf("%+v", got)
	}
	if gone := callResult(brands.Remove(ctx, two.ID)).ok(s); gone.ID != two.ID || gone.Doc.Name != "Press" {
		s.Errorf("%+v", gone)
	}
	callResult(brands.FindByID(ctx, two.ID, cartwright.Query{})).refused(s, cartwright.ReasonNotFound)
	if gone := callResult(brands.RemoveMany(ctx, both)).ok(s); len(gone.Docs) != 1 {
		s.Errorf("%+v", gone)
	}
	tags := cartwright.From[struct{ ID, Name string }](s.Client, "tags")
	created := callResult(tags.Create(ctx, cartwright.Fields{"name": "New"})).ok(s).Doc
	if found := callResult(tags.Find(ctx, cartwright.Query{Where: where("id", created.ID)})).ok(s); len(found.Docs) != 1 ||
		found.Docs[0].Name != "New" {
		s.Errorf("%+v", found)
	}
	why := callResult(s.Collections.Products.Create(ctx, cartwright.ProductCreate{Name: "X", Price: "1.5", Status: "published"})).
		refused(s, cartwright.ReasonValidationFailed)
	if why.Status != 400 || len(why.Fields) != 1 || why.Fields[0].Field != "price" || why.RequestID == "" ||
		!strings.Contains(fmt.Sprint(why), why.RequestID) {
		s.Errorf("%+v", why.Fields)
	}
}

// onePixel is a PNG.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func (s *goShop) checkMedia() {
	ctx := s.Context()
	png := callResult(base64.StdEncoding.DecodeString(onePixel)).ok(s)
	s.proxy.InjectNext(faultproxy.Fault{Kind: faultproxy.Drop, Method: "POST", Path: "/media$"})
	created := callResult(s.Collections.Media.Upload(ctx, cartwright.Upload{
		File: bytes.NewReader(png), Filename: "cup \"1\".png", Alt: "A cup",
	})).ok(s).Doc
	if created.MimeType != "image/png" || created.Alt != "A cup" || *created.Width != 1 || created.Filesize != int64(len(png)) {
		s.Errorf("%+v", created)
	}
	if n := callResult(s.Collections.Media.Count(ctx, nil)).ok(s); n != 1 {
		s.Errorf("the file is stored %d times", n)
	}
	if alt := callResult(s.Collections.Media.Update(ctx, created.ID, cartwright.MediaUpdate{Alt: new("A white cup")})).
		ok(s); alt.Doc.Alt != "A white cup" {
		s.Errorf("%+v", alt)
	}
}
