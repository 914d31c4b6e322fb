// The carrier and the tracking number of a parcel.
import { html, useMemo } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { narrow } from '../../base/screen.js';
import { api } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog, FormFoot } from '../../parts/form.js';
import { tell } from '../../parts/toast.js';
import { CarrierField, lastCarrier, took } from './carrier.js';

/** @typedef {import('./work.js').Parcel} Parcel */

/** trackingOf is both as the shop has them. @param {Parcel} parcel */
const trackingOf = ({ carrier, trackingNumber, revision }) => ({ carrier: carrier ?? '', trackingNumber: trackingNumber ?? '', revision });

/**
 * Tracking is the inputs for both. They have the focus where a parcel waits for nothing else: the label is scanned, Enter ships.
 * @param {{ form: import('../../base/form.js').Form, carrier: string, focused: boolean }} props
 */
function Tracking({ form, carrier, focused }) {
  return html`<div class="two">
    <${CarrierField} value=${carrier} error=${form.error('carrier')} onInput=${(/** @type {string} */ v) => form.set('carrier', v)} required />
    <${TextField} label=${fieldLabel('fulfillments', 'trackingNumber')} ...${form.input('trackingNumber')} mono spellcheck=${false} autocomplete="off" required=${carrier !== 'other'} autofocus=${focused} />
  </div>`;
}

/**
 * Ship lets a parcel leave.
 * @param {{ parcel: Parcel, keys: boolean, onShipped: () => void }} props keys: the shortcut to ship is for this one
 */
export function Ship({ parcel, keys, onShipped }) {
  const { id } = parcel;
  const usual = useMemo(lastCarrier, []);
  const initial = useMemo(() => trackingOf(parcel), [parcel]);
  const form = useForm({
    name: `ship ${id}`,
    initial,
    send: async (changes, options) => {
      const carrier = changes.carrier || parcel.carrier || usual;
      const input = /** @type {any} */ ({ id, ...changes, ...(carrier && { carrier }), expectedRevision: options.revision });
      await api.call('POST /api/fulfillments/{id}/ship', input, options);
      took(carrier);
    },
    refresh: onShipped,
    onSent: () => {
      onShipped();
      tell(t('packing.shipped'));
    },
  });
  return html`<form id=${`ship-${id}`} class="stack" onSubmit=${form.send}>
      <${Tracking} form=${form} carrier=${form.values.carrier || usual} focused=${keys && !narrow.value} />
      <${FormFoot} form=${form} id=${`ship-${id}`} slug="fulfillments" action=${t('packing.ship')} keys=${keys ? 'mod+s' : undefined} ready />
    </form>`;
}

/** CorrectTracking changes both of a parcel that is on its way. @param {{ parcel: Parcel, onClose: () => void, onChanged: () => void }} props */
export function CorrectTracking({ parcel, onClose, onChanged }) {
  const { id } = parcel;
  const initial = useMemo(() => trackingOf(parcel), [parcel]);
  const form = useForm({
    name: `tracking ${id}`,
    initial,
    send: (changes, options) =>
      api.call('POST /api/fulfillments/{id}/tracking', /** @type {any} */ ({ id, ...changes, expectedRevision: options.revision }), options),
    refresh: onChanged,
    onSent: () => {
      onClose();
      onChanged();
      tell(t('packing.corrected'));
    },
  });
  return html`<${FormDialog} form=${form} id="tracking" title=${t('packing.correct')} slug="fulfillments" onClose=${onClose}>
    <${Tracking} form=${form} carrier=${form.values.carrier} focused />
  <//>`;
}
