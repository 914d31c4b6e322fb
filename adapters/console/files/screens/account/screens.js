// The screens about the person, which are loaded together: of many small files, each costs more than what it saves.
export { default as Forgot } from '../entry/forgot.js';
export { default as Invitation } from '../entry/invitation.js';
export { default as Reset } from '../entry/reset.js';
export { default as Enroll } from '../entry/enroll.js';
export { default as Account } from './account.js';
