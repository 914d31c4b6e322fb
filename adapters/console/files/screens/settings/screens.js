// The screens about the shop, which are loaded together.
export { default as Connection } from './connection.js';
export { default as Policy } from './policy.js';
export { default as Settings } from './settings.js';
