// A list as a file: the records that it shows, made in the background and followed to the download.
import { html, useState } from '../vendor/ui.js';
import { useForm } from '../base/form.js';
import { download, useJob } from '../base/job.js';
import { href } from '../base/route.js';
import { fieldAt, schemas } from '../base/schema.js';
import { api } from '../base/shop.js';
import { fieldLabel, language, optionLabel, t } from '../base/words.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { SelectField } from './field.js';
import { FormDialog } from './form.js';
import { Progress } from './progress.js';
import { Notice } from './state.js';
import { complain } from './toast.js';

/** @typedef {import('../base/job.js').Export} Export */

/** What a collection is called among exports. @type {Record<string, Export['kind']>} */
const kinds = { orders: 'orders', products: 'products', customers: 'customers', discounts: 'discounts', 'product-variants': 'stock' };

/** Columns of the files that are called as the fields. @type {Record<Export['kind'], string>} */
const plain = {
  orders: 'orderNumber placedAt status paymentStatus fulfillmentStatus source email currency subtotal discountAmount shippingAmount totalAmount ' +
    'canceledAmount refundedAmount discountCodes notes customer deliveredAt',
  products: 'status publishAt description brand category categories tags taxClass discount images',
  customers: 'email name phone groups marketingConsent consentedAt isVerified createdAt note',
  stock: 'sku barcode trackInventory reserved available lowStockThreshold',
  discounts: 'code title type value currency minOrderAmount maxDiscountAmount startsAt endsAt usageLimit perCustomerLimit usageCount combinable ' +
    'isActive products categories markets',
};

/** The others, by the path of the field. @type {Record<string, Record<string, string[]>>} */
const named = {
  orders: {
    'taxes.amount': ['taxAmount'], customerSnapshot: ['buyerName'], 'customerSnapshot.name': ['buyerName'], 'customerSnapshot.phone': ['buyerPhone'],
    'shippingAddress.recipientName': ['recipientName'], 'shippingAddress.phone': ['recipientPhone'], lines: ['title', 'variantTitle', 'sku', 'quantity'],
  },
  products: { slug: ['handle'], name: ['title'], price: ['productPrice'], costPrice: ['productCostPrice'] },
  stock: { id: ['variant'], product: ['title'], title: ['variantTitle'], stock: ['onHand'] },
};

/** Whether the records of a collection can be exported. @param {string} slug */
export const exportable = (slug) => slug in kinds;

/**
 * @typedef {object} ExportProps
 * @property {string} slug
 * @property {any} where as the list has it
 * @property {string} q
 * @property {string} sort order of the list, '' where the text has one of its own
 * @property {string[]} columns paths of the fields that the list shows
 * @property {number | undefined} total how many records it shows
 * @property {() => void} onClose
 */

/** What an export is like unless somebody chooses otherwise. @type {{ format: Export['format'], columns: string }} */
const initial = { format: 'xlsx', columns: 'all' };

/** ExportDialog makes a file of what a list shows. @param {ExportProps} props */
export function ExportDialog({ slug, where, q, sort, columns, total, onClose }) {
  const kind = kinds[slug] ?? 'orders';
  const [id, setId] = useState('');
  const form = useForm({
    name: `export ${slug}`, keep: false,
    initial,
    send: async (changes, options) => {
      const chosen = { ...initial, ...changes };
      const some = chosen.columns === 'shown' ? columnsOf(kind, columns) : undefined;
      const wanted = { kind, format: chosen.format, locale: language.value, ...(where && { where }), ...(q && { q }), ...(sortable(slug, sort) && { sort }), ...(some && { columns: some }) };
      setId((await api.call('POST /api/exports', wanted, options)).export.id);
    },
  });
  if (id) return html`<${Following} id=${id} onClose=${onClose} />`;
  const lost = columns.filter((path) => columnsOf(kind, [path]).length === 0).map((path) => fieldLabel(slug, path));
  const rows = t(kind === 'orders' ? 'list.rowsOfOrders' : 'list.rowsPlain');
  const help = form.values.columns === 'shown' && lost.length > 0 ? t('list.columnsLost', { names: lost.join(', ') }) : rows;
  return html`<${FormDialog} form=${form} id="export" title=${t('list.export')} action=${t('list.export')} ready onClose=${onClose}>
    <p>${where || q ? t('list.exportFound', { n: total ?? 0 }) : t('list.exportAll', { n: total ?? 0 })}</p>
    <fieldset class="options"><legend>${fieldLabel('exports', 'format')}</legend>
      ${['xlsx', 'csv'].map((format) => html`<label><input type="radio" name="format" checked=${form.values.format === format}
        onChange=${() => form.set('format', format)} />${t(`list.format-${format}`)}</label>`)}
    </fieldset>
    <${SelectField} label=${fieldLabel('exports', 'columns')} ...${form.input('columns')}
      options=${[{ value: 'all', label: t('list.columnsAll') }, { value: 'shown', label: t('list.columnsShown') }]}
      help=${help} />
  <//>`;
}

/**
 * sortable tells whether a file can have the order of a list, which is that of indexed fields.
 * @param {string} slug
 * @param {string} sort
 */
function sortable(slug, sort) {
  const schema = schemas.value.get(slug);
  return schema !== undefined && sort !== '' && sort.split(',').every((key) => {
    const field = fieldAt(schema, key.replace(/^-/, ''));
    return field?.indexed && !['relation', 'upload'].includes(field.kind);
  });
}

/**
 * columnsOf is the columns of a file that say what fields of a list say.
 * @param {Export['kind']} kind
 * @param {string[]} paths
 */
function columnsOf(kind, paths) {
  const same = plain[kind].split(' ');
  return [...new Set(paths.flatMap((path) => named[kind]?.[path] ?? (same.includes(path) ? [path] : [])))];
}

/** @param {{ id: string, onClose: () => void }} props */
function Following({ id, onClose }) {
  const { job, refusal } = useJob('exports', id);
  const [busy, setBusy] = useState(false);
  const get = async () => {
    if (!job) return;
    setBusy(true);
    await download(job).catch(complain);
    setBusy(false);
  };
  const actions = html`<${Button} href=${href('/transfers')}>${t('list.allExports')}<//>
    <${Button} look="primary" icon="download" busy=${busy} disabled=${job?.status !== 'done'} onClick=${get}>${t('list.download')}<//>`;
  return html`<${Dialog} title=${t('list.export')} onClose=${onClose} actions=${actions}>
    ${job && html`<p><b>${job.fileName ?? optionLabel('exports', 'kind', job.kind)}</b></p><${Progress} slug="exports" job=${job} />`}
    ${job?.problem && html`<${Notice} kind="bad">${job.problem}<//>`}
    ${refusal && html`<${Notice} kind="bad">${refusal.text}<//>`}
    <p class="help">${t('list.exportGoesOn')}</p>
  <//>`;
}
