// All screens by their path. A screen is read when it is first shown, with its words.
import { html, lazy, useRoute } from '../vendor/ui.js';
import { t, words } from '../base/words.js';
import { Button } from '../parts/button.js';
import { Notice } from '../parts/state.js';
import { Today } from '../screens/today/today.js';

/**
 * screen is a screen of an area, whose words have the area's name.
 * @param {() => Promise<any>} load
 * @param {string} area
 * @param {...string} more other words that it needs
 * @returns {any}
 */
const screen = (load, area, ...more) => keyed(steady(load, area, ...more));

/**
 * steady is a screen that stays while its address changes, as that of something new does that gets its id while somebody types.
 * @type {typeof screen}
 */
const steady = (load, area, ...more) => lazy(() => Promise.all([load(), words(area, ...more)]).then(([module]) => module, renewed));

/** renewed is shown where the files of this version are gone, because the server has another one now. */
function renewed() {
  const page = () => html`<${Notice} action=${html`<${Button} icon="refresh-cw" onClick=${() => location.reload()}>${t('list.reload')}<//>`}>${t('shell.renewed')}<//>`;
  return { default: page };
}

/** keyed begins a screen anew for each record: what was typed for one is not for the next. @param {any} Screen */
function keyed(Screen) {
  return Object.assign(() => html`<${Screen} key=${useRoute().path} />`, { bring: Screen.bring });
}

/** The path begins after the environment. @type {{ path: string, component: any }[]} */
export const screens = [
  { path: '/', component: Today },
  { path: '/orders', component: screen(() => import('../screens/orders/orders.js'), 'orders') },
  { path: '/orders/:id', component: screen(() => import('../screens/orders/order.js'), 'orders') },
  { path: '/products', component: screen(() => import('../screens/products/products.js'), 'products') },
  { path: '/products/:id', component: screen(() => import('../screens/products/product.js'), 'products', 'stock') },
  { path: '/stock', component: screen(() => import('../screens/stock/stock.js'), 'stock') },
  { path: '/categories', component: screen(() => import('../screens/categories/categories.js'), 'categories') },
  { path: '/customers', component: screen(() => import('../screens/customers/customers.js'), 'customers') },
  { path: '/customers/guests', component: screen(() => import('../screens/customers/guests.js'), 'customers') },
  { path: '/customers/:id', component: screen(() => import('../screens/customers/customer.js'), 'customers') },
  { path: '/discounts', component: screen(() => import('../screens/discounts/discounts.js'), 'discounts') },
  { path: '/discounts/:id', component: screen(() => import('../screens/discounts/discount.js'), 'discounts', 'drafts') },
  { path: '/drafts', component: screen(() => import('../screens/drafts/drafts.js'), 'drafts') },
  { path: '/drafts/:id', component: steady(() => import('../screens/drafts/draft.js'), 'drafts', 'discounts') },
  { path: '/packing', component: screen(() => import('../screens/packing/queue.js'), 'packing') },
  { path: '/packing/:id', component: screen(() => import('../screens/packing/pack.js'), 'packing', 'orders') },
  { path: '/carriers', component: screen(() => import('../screens/carriers/carriers.js'), 'carriers') },
  { path: '/carriers/import', component: screen(() => import('../screens/carriers/import.js'), 'carriers') },
  { path: '/carriers/:id', component: screen(() => import('../screens/carriers/batch.js'), 'carriers', 'packing') },
  { path: '/transfers', component: screen(() => import('../screens/transfers/exports.js'), 'transfers') },
  { path: '/transfers/imports', component: screen(() => import('../screens/transfers/imports.js'), 'transfers') },
  { path: '/transfers/new', component: screen(() => import('../screens/transfers/start.js'), 'transfers') },
  { path: '/transfers/exports/:id', component: screen(() => import('../screens/transfers/export.js'), 'transfers') },
  { path: '/transfers/imports/:id', component: screen(() => import('../screens/transfers/import.js'), 'transfers') },
  { path: '/webhooks', component: screen(() => import('../screens/webhooks/endpoints.js'), 'webhooks') },
  { path: '/webhooks/deliveries', component: screen(() => import('../screens/webhooks/deliveries.js'), 'webhooks') },
  { path: '/webhooks/deliveries/:id', component: screen(() => import('../screens/webhooks/delivery.js'), 'webhooks') },
  { path: '/webhooks/:id', component: screen(() => import('../screens/webhooks/endpoint.js'), 'webhooks') },
  { path: '/mails', component: screen(() => import('../screens/mails/mails.js'), 'mails') },
  { path: '/mails/:id', component: screen(() => import('../screens/mails/mail.js'), 'mails') },
  { path: '/events', component: screen(() => import('../screens/events/events.js'), 'events') },
  { path: '/usage', component: screen(() => import('../screens/events/usage.js'), 'events') },
  { path: '/media', component: screen(() => import('../screens/media/media.js'), 'media') },
  ...['/posts', '/pages'].flatMap((path) => [
    { path, component: screen(() => import('../screens/content/list.js'), 'content') },
    { path: `${path}/:id`, component: screen(() => import('../screens/content/edit.js'), 'content') },
  ]),
  { path: '/orders/:id/return', component: screen(() => import('../screens/returns/new.js'), 'returns') },
  { path: '/returns', component: screen(() => import('../screens/returns/returns.js'), 'returns') },
  { path: '/returns/:id', component: screen(() => import('../screens/returns/return.js'), 'returns', 'orders') },
  { path: '/payments', component: screen(() => import('../screens/payments/payments.js'), 'payments') },
  { path: '/payments/:id', component: screen(() => import('../screens/payments/payment.js'), 'payments', 'orders') },
  { path: '/disputes', component: screen(() => import('../screens/payments/disputes.js'), 'payments') },
  { path: '/disputes/:id', component: screen(() => import('../screens/payments/dispute.js'), 'payments', 'orders') },
  { path: '/account', component: screen(() => import('../screens/account/account.js'), 'account') },
  { path: '/team', component: screen(() => import('../screens/team/team.js'), 'team', 'roles') },
  { path: '/team/invitations', component: screen(() => import('../screens/team/invitations.js'), 'team', 'roles') },
  { path: '/team/roles', component: screen(() => import('../screens/team/roles.js'), 'team', 'roles') },
  { path: '/team/roles/:id', component: screen(() => import('../screens/team/role.js'), 'team', 'roles') },
  { path: '/team/:id', component: screen(() => import('../screens/team/member.js'), 'team', 'roles') },
  { path: '/keys', component: screen(() => import('../screens/team/keys.js'), 'team') },
  { path: '/keys/:id', component: screen(() => import('../screens/team/key.js'), 'team') },
  { path: '/settings', component: screen(() => import('../screens/settings/settings.js'), 'setup') },
  { path: '/settings/shipping/:id', component: screen(() => import('../screens/settings/policy.js'), 'setup') },
  { path: '/taxes', component: screen(() => import('../screens/settings/taxes.js'), 'setup') },
  { path: '/taxes/:id', component: screen(() => import('../screens/settings/tax_rate.js'), 'setup') },
  { path: '/settings/mails', component: screen(() => import('../screens/settings/mail_kinds.js'), 'setup', 'mails') },
  { path: '/settings/mails/:kind', component: screen(() => import('../screens/settings/mail.js'), 'setup') },
  { path: '/settings/payments/:id', component: screen(() => import('../screens/settings/connection.js'), 'setup') },
  { path: '/records/:slug', component: screen(() => import('../screens/records/records.js'), 'records') },
  { path: '/records/:slug/:id', component: screen(() => import('../screens/records/record.js'), 'records') },
];

/** The screens that links of mails lead to, for people who are not signed in. @type {{ path: string, component: any }[]} */
export const entries = [
  { path: '/console/forgot', component: screen(() => import('../screens/entry/forgot.js'), 'entry') },
  { path: '/console/reset', component: screen(() => import('../screens/entry/reset.js'), 'entry') },
  { path: '/console/invitation', component: screen(() => import('../screens/entry/invitation.js'), 'entry', 'roles') },
];

/** The screen of somebody who has to add a second factor first. */
export const enroll = screen(() => import('../screens/entry/enroll.js'), 'account', 'entry');
