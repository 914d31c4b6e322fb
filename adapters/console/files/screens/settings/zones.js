// Where delivery costs more: zones of postal codes, of which the first that holds a code counts.
import { html } from '../../vendor/ui.js';
import { helpOf } from '../../base/schema.js';
import { fieldLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { CheckField, LabelsField, NumberField, TextField } from '../../parts/field.js';
import { Card, Empty } from '../../parts/state.js';
import { amountIn, numberOf } from '../../base/amount.js';

/** @typedef {import('./policy.js').Policy['zones'][number]} Zone */
/** @typedef {Partial<Omit<Zone, 'ranges' | 'extraFee'>> & { name: string, codes: string, extraFee: any }} Typed a zone as it is typed */

/** typed is zones as a form has them, with their codes as one text. @param {Zone[]} zones @returns {Typed[]} */
export function typed(zones) {
  const codes = (/** @type {Zone} */ z) => (z.ranges ?? []).map((r) => (r.from === r.to ? r.from : `${r.from}-${r.to}`)).join(', ');
  return zones.map(({ ranges, ...zone }) => ({ ...zone, codes: codes({ ranges, ...zone }) }));
}

/** zonesOf is zones as the shop takes them: `63000-63644, 40240` are a range and a single code. @param {Typed[]} zones */
export function zonesOf(zones) {
  return zones.map(({ codes, extraFee, ...zone }) => ({
    ...zone,
    extraFee: amountIn(extraFee),
    ranges: codes.split(/[,\s]+/).filter(Boolean).map((text) => {
      const [from = '', to = from] = text.split(/[-–~]/);
      return { from, to };
    }),
  }));
}

/** @param {{ form: import('../../base/form.js').Form, currency: string }} props */
export function Zones({ form, currency }) {
  const zones = /** @type {Typed[]} */ (form.values.zones ?? []);
  const put = (/** @type {Typed[]} */ next) => form.set('zones', next);
  const add = (/** @type {Partial<Typed>} */ zone = {}) => put([...zones, { name: '', codes: '', extraFee: null, ...zone }]);
  const up = (/** @type {number} */ i) => put(zones.map((z, n) => (n === i ? zones[i - 1] ?? z : n === i - 1 ? zones[i] ?? z : z)));
  const top = html`<div class="actions">
    ${currency === 'KRW' && html`<${Button} onClick=${() => add({ name: t('setup.jeju'), codes: '63000-63644' })}>${t('setup.addJeju')}<//>`}
    <${Button} icon="plus" onClick=${() => add()}>${t('common.add')}<//></div>`;
  return html`<${Card} title=${fieldLabel('shipping-policies', 'zones')} top=${top}>
    <p class="help">${t('setup.zonesText')}</p>
    ${zones.length === 0 && html`<${Empty} icon="map-pin" title=${t('setup.noZones')} />`}
    ${zones.map((zone, i) => html`<${One} key=${i}
      ...${{ form, currency, zone, i }} onUp=${i > 0 ? () => up(i) : undefined} onRemove=${() => put(zones.filter((_, n) => n !== i))} />`)}
  <//>`;
}

/**
 * @param {{
 *   form: import('../../base/form.js').Form, currency: string, zone: Typed, i: number, onUp?: () => void, onRemove: () => void
 * }} props
 */
function One({ form, currency, zone, i, onUp, onRemove }) {
  const label = (/** @type {string} */ name) => fieldLabel('shipping-policies', `zones.${name}`);
  const set = (/** @type {string} */ name) => (/** @type {any} */ v) => form.set(`zones.${i}.${name}`, v);
  const name = zone.name || t('setup.zone', { n: i + 1 });
  return html`<div class="zone" role="group" aria-label=${name}>
    <${TextField} label=${label('name')} required value=${zone.name} error=${form.error(`zones.${i}.name`)} onInput=${set('name')} />
    <${TextField} label=${label('ranges')} placeholder="63000-63644, 40240" value=${zone.codes} error=${form.error(`zones.${i}.ranges`)} onInput=${set('codes')} />
    <${NumberField} label=${label('extraFee')} required unit=${currency} value=${zone.extraFee} error=${form.error(`zones.${i}.extraFee`)}
      onInput=${(/** @type {string} */ v) => set('extraFee')(numberOf(v))} />
    <div class="actions">
      ${onUp && html`<${Button} look="quiet" icon="arrow-up" label=${t('setup.zoneUp', { name })} onClick=${onUp} />`}
      <${Button} look="quiet" icon="trash" label=${t('common.removeNamed', { name })} onClick=${onRemove} />
    </div>
    <div class="two">${/** @type {const} */ (['countries', 'provinces']).map((of) => html`<${LabelsField} key=${of} label=${label(of)}
      help=${helpOf('shipping-policies', `zones.${of}`)} value=${zone[of] ?? []} error=${form.error(`zones.${i}.${of}`)} onInput=${set(of)} />`)}</div>
    <${CheckField} label=${label('waivedWhenFree')} value=${zone.waivedWhenFree ?? false} onInput=${set('waivedWhenFree')} />
  </div>`;
}
