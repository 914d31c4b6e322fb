// What stands in place of what is not there: loading, refused, nothing yet.
import { html, useLayoutEffect } from '../vendor/ui.js';
import { t } from '../base/words.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

/** Loading keeps the place of what is on its way. @param {{ lines?: number }} props */
export function Loading({ lines = 3 }) {
  return html`<div class="loading" role="status" aria-label=${t('common.loading')}>${Array.from({ length: lines }, () => html`<i></i>`)}</div>`;
}

/**
 * Refused tells of a failure in place, with the way to try again.
 * @param {{ refusal: import('../base/refusal.js').Refusal, again?: () => void }} props
 */
export function Refused({ refusal, again }) {
  return html`<div class="notice bad" role="alert">
    <${Icon} name="circle-alert" />
    <div>
      <p>${refusal.alone}</p>
      ${refusal.id && html`<small>${t('common.requestId', { id: refusal.id })}</small>`}
    </div>
    ${again && html`<${Button} icon="refresh-cw" onClick=${again}>${t('common.again')}<//>`}
  </div>`;
}

/**
 * Notice is something to know before going on.
 * @param {{ kind?: 'info' | 'warn' | 'bad' | 'good', children?: any, action?: any }} props
 */
export function Notice({ kind = 'info', children, action }) {
  const icon = { info: 'info', warn: 'triangle-alert', bad: 'circle-alert', good: 'circle-check' }[kind];
  return html`<div class=${`notice ${kind}`} role=${kind === 'bad' ? 'alert' : undefined}><${Icon} name=${icon} /><div>${children}</div>${action}</div>`;
}

/**
 * Empty says what will be here, and how to get there.
 * @param {{ icon?: string, title: string, text?: string, action?: any }} props
 */
export function Empty({ icon = 'inbox', title, text, action }) {
  return html`<div class="empty"><${Icon} name=${icon} size=${32} /><h3>${title}</h3>${text && html`<p>${text}</p>`}${action}</div>`;
}

/**
 * Awaited stands where a record will be: it is on its way, it is refused, or there is none.
 * @param {{ refusal: import('../base/refusal.js').Refusal | undefined, again: () => void, gone?: string, goneText?: string, lines?: number }} props
 */
function Awaited({ refusal, again, gone, goneText, lines = 10 }) {
  if (!refusal) return html`<${Loading} lines=${lines} />`;
  if (gone && refusal.reason === 'not_found') return html`<${Empty} icon="search" title=${gone} text=${goneText} />`;
  return html`<${Refused} refusal=${refusal} again=${again} />`;
}

/** Badge is a state, told by a word and a color. @param {{ tone?: string, children?: any }} props */
export function Badge({ tone = 'neutral', children }) {
  return html`<span class=${`badge ${tone}`}>${children}</span>`;
}

/** Card is a part of a screen. @param {{ title?: string, top?: any, children?: any, class?: string }} props */
export function Card({ title, top, children, class: name = '' }) {
  return html`<section class=${`card ${name}`}>
    ${(title || top) && html`<header class="card-head">${title && html`<h2>${title}</h2>`}${top}</header>`}${children}
  </section>`;
}

/**
 * Page is the frame of a screen. The focus is at its heading where what had it is gone with the screen before. refusal: that of the last
 * reading, told above what was read before it.
 * @param {{ title: string, back?: { href: string, label: string }, top?: any, badges?: any, children?: any, class?: string,
 *   refusal?: import('../base/refusal.js').Refusal | undefined, again?: () => void }} props
 */
export function Page({ title, back, top, badges, children, class: name = '', refusal, again }) {
  document.title = `${title} · Cartwright`;
  useLayoutEffect(() => {
    if (document.activeElement === document.body) /** @type {HTMLElement | null} */ (document.querySelector('main h1'))?.focus({ preventScroll: true });
  }, []);
  return html`<div class=${`page ${name}`}>
    <header class="page-head">
      ${back && html`<a class="back" href=${back.href} aria-label=${back.label} title=${back.label}><${Icon} name="arrow-left" /></a>`}
      <h1 tabindex="-1">${title}</h1>
      ${badges}
      <div class="page-actions">${top}</div>
    </header>
    ${refusal && html`<${Refused} refusal=${refusal} again=${again} />`}
    ${children}
  </div>`;
}

/**
 * Absent is the screen of a record that is not there: it is on its way, it is refused, or there is none.
 * @param {{ title: string, back: { href: string, label: string }, class?: string, refusal: import('../base/refusal.js').Refusal | undefined,
 *   again: () => void, gone?: string, goneText?: string }} props
 */
export function Absent({ title, back, class: name, ...awaited }) {
  return html`<${Page} ...${{ title, back, class: name }}><${Awaited} ...${awaited} /><//>`;
}
