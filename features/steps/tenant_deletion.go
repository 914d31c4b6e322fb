package steps

import (
	"bytes"
	"context"
	"fmt"
	"io"
)

// tenantDeletionSteps close a shop, as the platform does.
type tenantDeletionSteps struct {
	*client

	token string // of a platform admin
}

func newTenantDeletionSteps(c *client) *tenantDeletionSteps { return &tenantDeletionSteps{client: c} }

func (s *tenantDeletionSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the platform suspends the shop$`, func(ctx context.Context) error {
			if err := s.try(ctx, request{"POST", s.path("suspend"), object{"reason": "closed"}, s.asPlatform(ctx)}); err != nil {
				return err
			}
			return s.wantOK()
		}},
		{`^the platform exports the shop$`, s.export},
		{`^the platform deletes the shop$`, s.delete},
		{`^in the end nothing is left of the shop$`, s.wantGone},
	}
}

func (s *tenantDeletionSteps) path(operation string) string {
	return "/api/tenants/" + s.shop.TenantID + "/" + operation
}

// asPlatform is the login of an operator of the platform. Without one the calls are refused.
func (s *tenantDeletionSteps) asPlatform(ctx context.Context) map[string]string {
	if s.token == "" {
		s.token, _ = s.target.Platform(ctx)
	}
	return map[string]string{"Authorization": "Bearer " + s.token}
}

func (s *tenantDeletionSteps) wantOK() error {
	if !s.got.ok() {
		return fmt.Errorf("the platform: %s", s.got)
	}
	return nil
}

// export downloads the archive until it counts: what was on its way when the shop was suspended may come between.
func (s *tenantDeletionSteps) export(ctx context.Context) error {
	return eventually(ctx, func(ctx context.Context) error {
		r, err := s.httpRequest(ctx, request{"GET", s.path("export"), nil, s.asPlatform(ctx)})
		if err != nil {
			return err
		}
		res, err := s.httpClient().Do(r)
		if err != nil {
			return err
		}
		archive, err := io.ReadAll(res.Body)
		_ = res.Body.Close() // it was only read
		if err == nil && !bytes.HasPrefix(archive, []byte("PK")) {
			err = fmt.Errorf("%d %.300s is no archive", res.StatusCode, archive)
		}
		if err != nil {
			return err
		}
		return s.wantShown(ctx, func(a answer) bool { return valueAt(a.body, "export", "checksum") != nil })
	})
}

// wantShown checks what the platform is shown of the deletion.
func (s *tenantDeletionSteps) wantShown(ctx context.Context, is func(answer) bool) error {
	a, err := s.send(ctx, request{"GET", s.path("deletion"), nil, s.asPlatform(ctx)})
	if err == nil && !is(a) {
		err = fmt.Errorf("the deletion: %s", a)
	}
	return err
}

// delete confirms with the slug that the platform is shown.
func (s *tenantDeletionSteps) delete(ctx context.Context) error {
	var slug any
	if err := s.wantShown(ctx, func(a answer) bool { slug = valueAt(a.body, "slug"); return slug != nil }); err != nil {
		return err
	}
	return s.try(ctx, request{"POST", s.path("delete"), object{"confirm": slug}, s.asPlatform(ctx)})
}

func (s *tenantDeletionSteps) wantGone(ctx context.Context) error {
	return eventually(ctx, func(ctx context.Context) error {
		return s.wantShown(ctx, func(a answer) bool { return valueAt(a.body, "deletion", "status") == "deleted" })
	})
}
