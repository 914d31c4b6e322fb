import type { Answer, Body, CallOptions } from './api.js';

/** Invitations to manage a shop, for the page that the link in the email leads to. No token is kept or told to others. */
export interface Invitations {
  /** Who is invited to which shop. Errors: `token_invalid` for one that was used, revoked or has ended. */
  retrieve(input: { token: string }, options?: CallOptions): Promise<Answer<'invitation'>>;
  /**
   * Makes the person a user of the shop, and answers their token there: by a password to choose, which counts in that shop
   * alone, or by the `userToken` of somebody who is logged in. It is sent once. Errors: `token_invalid`,
   * `invitation_for_another`, `invitation_login_required`, `validation_failed`.
   */
  accept(input: { token: string; userToken?: string } & Body<'invitationsAccept'>, options?: CallOptions): Promise<Answer<'invitationsAccept'>>;
}
