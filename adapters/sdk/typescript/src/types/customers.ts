import type { Token } from '../session.js';
import type { Answer, Body, CallOptions } from './api.js';

/** Accounts of shoppers. None of these is repeated behind the caller's back, and no password is ever kept. */
export interface Customers {
  /** Makes an account; it does not log in. */
  register(input: Body<'customersRegister'>, options?: CallOptions): Promise<Answer<'customersRegister'>>;
  /** Keeps the token, and renews it from then on. */
  login(input: Body<'customersLogin'>, options?: CallOptions): Promise<Answer<'customersLogin'>>;
  /**
   * Ends the token. Whatever the shop says, it is forgotten, with all tokens of carts and checkouts and all pending
   * operations: the next shopper at this machine is to find nothing.
   */
  logout(input?: Record<string, never>, options?: CallOptions): Promise<void>;
  /** The logged-in user or customer; null if nobody is logged in. */
  me(input?: Record<string, never>, options?: CallOptions): Promise<Answer<'customersMe'>>;
  /** Renews the token now; null when nobody is logged in. Other calls do it by themselves when it is time. */
  refresh(): Promise<Token | null>;
  forgotPassword(input: Body<'customersForgotPassword'>, options?: CallOptions): Promise<Answer<'customersForgotPassword'>>;
  /** Sets a new password with the token that was sent, and logs in. */
  resetPassword(input: Body<'customersResetPassword'>, options?: CallOptions): Promise<Answer<'customersResetPassword'>>;
  verifyEmail(input: Body<'customersVerifyEmail'>, options?: CallOptions): Promise<Answer<'customersVerifyEmail'>>;
}
