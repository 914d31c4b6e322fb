import { html } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { api } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { RelationField } from '../../parts/relation.js';

/** AddCategory makes one, at the end of its siblings. @param {{ parent: string | null, docs: any[], onClose: () => void, onDone: () => void }} props */
export function AddCategory({ parent, docs, onClose, onDone }) {
  const form = useForm({
    name: 'categories new',
    initial: { name: '', parent },
    keep: false,
    send: (_, options) => {
      const { name, parent: below } = form.values;
      const last = Math.max(0, ...docs.filter((d) => (d.parent ?? null) === below).map((d) => d.position ?? 0));
      return api.collections.from('categories').create(/** @type {any} */ ({ name, parent: below, position: last + 1 }), options);
    },
    onSent: () => {
      onClose();
      onDone();
    },
  });
  const field = (/** @type {string} */ name) => ({
    label: fieldLabel('categories', name), ...form.input(name),
  });
  return html`<${FormDialog} form=${form} id="add-category" class="room" title=${t('categories.add')} action=${t('categories.add')} onClose=${onClose}>
    <${TextField} ...${field('name')} required autofocus />
    <${RelationField} ...${field('parent')} to="categories" />
  <//>`;
}
