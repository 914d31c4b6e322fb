import { html } from '../../vendor/ui.js';
import { recall, remember } from '../../base/memory.js';
import { fieldAt, useSchema } from '../../base/schema.js';
import { fieldLabel, optionLabel } from '../../base/words.js';
import { SelectField } from '../../parts/field.js';

/** lastCarrier is the carrier that was taken last at this machine: parcels of a day mostly go with one. */
export const lastCarrier = () => recall('carrier') ?? '';

/** took remembers a carrier for the next parcel. @param {string} carrier */
export const took = (carrier) => remember('carrier', carrier || null);

/**
 * CarrierField is a choice of the carriers that the shop knows.
 * @param {{ value: string, onInput: (value: string) => void, error?: string | undefined, required?: boolean, help?: string }} props
 */
export function CarrierField({ value, ...rest }) {
  const schema = useSchema('fulfillments');
  const options = (schema && fieldAt(schema, 'carrier')?.options) ?? (value ? [value] : []);
  return html`<${SelectField} label=${fieldLabel('fulfillments', 'carrier')} value=${value} empty="—" ...${rest}
    options=${options.map((one) => ({ value: one, label: optionLabel('fulfillments', 'carrier', one) }))} />`;
}
