package cartwright

import "context"

// InvitationService is for the page on which people who are invited to manage a shop accept. The token that a person was sent is their
// credential: the secret key stays at home. Nothing of it is written down or sent twice; who has lost an answer looks at
// the invitation again, or logs in.
type InvitationService struct{ core *core }

// byToken is the input of operations that need no more than the token of an invitation.
type byToken struct {
	Token string `path:"token"`
}

// Retrieve is an invitation that can be accepted. Errors: ReasonTokenInvalid.
func (s *InvitationService) Retrieve(ctx context.Context, token string, opts ...Option) (out Invitation, err error) {
	return out, s.ask(ctx, opInvitation, byToken{token}, person{}, &out, opts)
}

// Accept makes the person a user of the shop, with a password that counts there alone, and logs them in there. Errors:
// ReasonTokenInvalid, also after it was accepted; ReasonInvitationLoginRequired, ReasonValidationFailed.
func (s *InvitationService) Accept(ctx context.Context, in InvitationsAcceptInput, opts ...Option) (out UserSession, err error) {
	return out, s.ask(ctx, opInvitationsAccept, in, person{}, &out, opts)
}

// AcceptAs is Accept by a person who is logged in, with the token of that login. Errors: also ReasonInvitationForAnother.
func (s *InvitationService) AcceptAs(ctx context.Context, token, userToken string, opts ...Option) (out UserSession, err error) {
	return out, s.ask(ctx, opInvitationsAccept, InvitationsAcceptInput{Token: token}, person{userToken}, &out, opts)
}

func (s *InvitationService) ask(ctx context.Context, o operation, in any, as person, out any, opts []Option) error {
	r, err := o.request(in)
	if err != nil {
		return invalid(o.name, err)
	}
	r.person = &as
	_, err = s.core.do(ctx, r, out, opts)
	return err
}
