// What the user was told: that somebody mentions them or hands them something, and what in the shop waits for them.
import { html, useState } from '../../vendor/ui.js';
import { useMore } from '../../base/more.js';
import { useQuery } from '../../base/query.js';
import { go, screenOf } from '../../base/route.js';
import { api, can, user } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Icon } from '../../parts/icon.js';
import { Empty, Loading, Refused } from '../../parts/state.js';
import { complain } from '../../parts/toast.js';
import { Time, nameOf } from '../../parts/value.js';

/** @typedef {import('../../vendor/sdk.js').Schemas['Notification']} Notification */

/** @type {Record<string, string>} */
const icons = {
  mentioned: 'message-square', assigned: 'user', lowStock: 'warehouse', paymentAttention: 'triangle-alert', returnRequested: 'undo-2',
  erasureRequested: 'shield', orderPlaced: 'shopping-cart',
};

const pageSize = 30;

/** What is kept of notifications is for the one who is told: only `seen` is written. @type {any} */
const notifications = api.collections.from('notifications');

/** Inbox is beside the page, so that what one is at stays where it is. @param {{ onClose: () => void }} props */
export default function Inbox({ onClose }) {
  const [all, setAll] = useState(false);
  const mine = { recipient: { equals: user.value?.id }, ...(!all && { seen: { equals: false } }) };
  /** @param {number | null} after @param {AbortSignal} signal */
  const read = async (after, signal) => {
    const page = after ?? 1;
    const { docs, hasNextPage } = await notifications.find({ where: mine, sort: '-createdAt', limit: pageSize, page, depth: 1 }, { signal });
    return { docs: /** @type {Notification[]} */ (docs), next: hasNextPage ? page + 1 : null };
  };
  const { docs, next, refusal, busy, reload, more } = useMore(`notifications ${all} ${user.value?.id}`, read, ['notifications']);
  const names = useNames(docs ?? []);
  const see = (/** @type {Notification} */ one, seen = true) => notifications.update(one.id, { seen }).then(reload, complain);
  const seeAll = () => notifications.updateMany({ where: { ...mine, seen: { equals: false } }, data: { seen: true } }).then(reload, complain);
  const open = (/** @type {Notification} */ one) => {
    if (!one.seen) void see(one);
    onClose();
    if (one.collection) go(screenOf(one.collection, one.record ?? undefined));
  };
  const actions = docs?.some((d) => !d.seen) && html`<${Button} icon="check" onClick=${seeAll}>${t('inbox.seeAll')}<//>`;
  return html`<${Dialog} title=${t('shell.inbox')} size="beside" onClose=${onClose} actions=${actions}>
    <div class="segments" role="group" aria-label=${t('inbox.which')}>
      <button type="button" aria-pressed=${!all} onClick=${() => setAll(false)}>${t('inbox.unseen')}</button>
      <button type="button" aria-pressed=${all} onClick=${() => setAll(true)}>${t('inbox.all')}</button>
    </div>
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    ${!docs && !refusal && html`<${Loading} lines=${6} />`}
    ${docs?.length === 0 && html`<${Empty} icon="inbox" title=${t(all ? 'inbox.none' : 'inbox.noneUnseen')} text=${t('inbox.noneText')} />`}
    <ul class="inbox">${docs?.map((one) => html`<${Told} key=${one.id} one=${one} name=${names[one.record ?? '']} onOpen=${() => open(one)}
      onSee=${() => void see(one, !one.seen)} />`)}</ul>
    ${next !== null && html`<${Button} busy=${busy} onClick=${more}>${t('common.more')}<//>`}
  <//>`;
}

/** @param {{ one: Notification, name: string | undefined, onOpen: () => void, onSee: () => void }} props */
function Told({ one, name, onOpen, onSee }) {
  const { kind, collection, count, seen, comment, author } = one;
  const what = collection ? collectionLabel(collection, 'one') : '';
  const text = count && count > 1 ? t('inbox.many', { n: count, what: t(`inbox.short-${kind}`) }) : t(`inbox.told-${kind}`, { who: whoOf(author), what });
  const said = typeof comment === 'object' && comment !== null ? comment.text : undefined;
  return html`<li class=${seen ? 'seen' : ''}>
    <button type="button" class="notice-link" onClick=${onOpen}><${Icon} name=${icons[kind ?? ''] ?? 'bell'} />
      <span><b>${text}</b>${name && html`<span>${name}</span>`}${said && html`<span class="quote">${said}</span>`}<small><${Time}
        at=${one.createdAt} relative /></small></span></button>
    <${Button} look="quiet" icon=${seen ? 'circle' : 'circle-dot'} label=${t(seen ? 'inbox.unsee' : 'inbox.see')} onClick=${onSee} />
  </li>`;
}

/** whoOf is the name of who mentioned or assigned. @param {Notification['author']} author */
function whoOf(author) {
  const who = author?.user ?? author?.key;
  return who && typeof who === 'object' ? nameOf(who) : t('common.somebody');
}

/**
 * useNames is how the records are called that notifications are about: what has no name is called by its order.
 * @param {Notification[]} docs @returns {Record<string, string | undefined>}
 */
function useNames(docs) {
  const wanted = docs.filter((d) => d.record && d.collection && can(`${d.collection}:read`));
  const read = async (/** @type {AbortSignal} */ signal) => {
    const slugs = [...new Set(wanted.map((d) => d.collection ?? ''))];
    const found = await Promise.all(slugs.map((slug) => {
      const ids = wanted.filter((d) => d.collection === slug).map((d) => d.record);
      return /** @type {any} */ (api.collections.from(/** @type {any} */ (slug))).find({ where: { id: { in: ids } }, limit: ids.length, depth: 1 }, { signal });
    }));
    return Object.fromEntries(found.flatMap(({ docs }) => docs.map((/** @type {any} */ d) => [d.id, nameOf(d) === d.id ? d.order?.orderNumber : nameOf(d)])));
  };
  const ids = wanted.map((d) => d.record).sort();
  const { data } = useQuery(ids.length > 0 ? `names ${ids.join()}` : '', read);
  return data ?? {};
}
