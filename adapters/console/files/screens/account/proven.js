import { html } from '../../vendor/ui.js';
import { Icon } from '../../parts/icon.js';

/** Proven is one way to prove oneself. @param {{ icon: string, title: string, text: string, top?: any, children?: any }} props */
export function Proven({ icon, title, text, top, children }) {
  return html`<div class="proven"><${Icon} name=${icon} size=${20} />
    <div><h3>${title}</h3><p class="help">${text}</p>${children}</div><div class="actions">${top}</div>
  </div>`;
}
