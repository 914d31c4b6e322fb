// What one event changed, beside the log.
import { html } from '../../vendor/ui.js';
import { href, screenOf } from '../../base/route.js';
import { number } from '../../base/format.js';
import { same } from '../../base/tree.js';
import { collectionWord, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Json } from '../../parts/copy.js';
import { Dialog } from '../../parts/dialog.js';
import { Changed } from '../../parts/timeline.js';
import { Time } from '../../parts/value.js';
import { nameIn, whoOf } from './events.js';

/** @typedef {import('../../vendor/sdk.js').ShopEvent} ShopEvent */

/** @param {{ event: ShopEvent, onClose: () => void, onFilter: (values: Record<string, string>) => void }} props */
export function EventDialog({ event, onClose, onFilter }) {
  const { actor, collection, operation } = event;
  const record = /** @type {any} */ (event.doc ?? event.data);
  const actions = html`<${Button} icon="list-filter" onClick=${() => onFilter({ record: record.id, collection })}>${t('events.onlyRecord')}<//>
    ${actor?.id && html`<${Button} icon="user" onClick=${() => onFilter({ actor: actor.id ?? '' })}>${t('events.onlyActor')}<//>`}
    ${operation !== 'delete' && html`<${Button} look="primary" href=${href(screenOf(collection, record.id))}>${t('events.open')}<//>`}`;
  const changes = operation === 'update' ? changesOf(event) : [];
  const via = actor?.via && ` · ${optionLabel('timeline', 'actor.via', actor.via)}`;
  return html`<${Dialog} title=${nameIn(record)} size="beside" onClose=${onClose} actions=${actions}>
    <p>${t(`common.did-${operation}`, { what: collectionWord(collection, 'one') })} · <b>${whoOf(actor)}</b>${via}</p>
    <p class="help"><${Time} at=${event.occurredAt} /> · ${t('events.number', { n: number(event.sequence ?? event.recordSequence) })}</p>
    ${changes.length > 0 && html`<ul class="changes">${changes.map((c) => html`<${Changed} key=${c.path} slug=${collection} change=${c} />`)}</ul>`}
    <details open=${changes.length === 0}><summary>${t('events.data')}</summary><${Json} label=${t('events.data')} value=${event.data} /></details>
  <//>`;
}

/**
 * changesOf is the fields that an update changed, those of groups one by one.
 * @param {ShopEvent} event
 * @returns {{ path: string, from: any, to: any }[]}
 */
function changesOf(event) {
  const before = /** @type {any} */ (event.previousDoc ?? {});
  return Object.entries(/** @type {any} */ (event.data)).filter(([name]) => name !== 'revision').flatMap(([name, to]) => {
    const from = before[name];
    if (!group(from) || !group(to)) return [{ path: name, from, to }];
    const inner = Object.keys({ ...from, ...to }).filter((key) => !same(from[key], to[key]));
    return inner.map((key) => ({ path: `${name}.${key}`, from: from[key], to: to[key] }));
  });
}

/** @param {any} value @returns {value is Record<string, any>} */
const group = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
