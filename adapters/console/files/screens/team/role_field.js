import { html } from '../../vendor/ui.js';
import { fieldLabel, t } from '../../base/words.js';
import { SelectField } from '../../parts/field.js';
import { builtIn, useRoles } from './role_names.js';

/**
 * RoleField chooses a role, and says what it is for.
 * @param {{ value: string, error?: string | undefined, onInput: (value: string) => void, disabled?: boolean }} props
 */
export function RoleField({ value, error, onInput, disabled = false }) {
  const { own, options } = useRoles();
  const help = builtIn.includes(value) ? t(`team.is-${value}`) : (own.find((r) => r.slug === value)?.description ?? undefined);
  // A role that this person may not give stays to be read where somebody has it.
  const all = value && !options.some((o) => o.value === value) ? [{ value, label: value }, ...options] : options;
  return html`<${SelectField} label=${fieldLabel('users', 'role')} help=${help} error=${error} required disabled=${disabled} value=${value}
    empty=${value ? undefined : t('team.chooseRole')}
    options=${all} onInput=${onInput} />`;
}
