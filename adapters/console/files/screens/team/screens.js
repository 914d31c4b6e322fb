// The screens about the team and its keys, which are loaded together.
export { default as Invitations } from './invitations.js';
export { default as Key } from './key.js';
export { default as Keys } from './keys.js';
export { default as Member } from './member.js';
export { default as Role } from './role.js';
export { default as Roles } from './roles.js';
export { default as Team } from './team.js';
