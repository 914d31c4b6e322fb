// The person who is signed in: who they are, how they prove it, where they are signed in, and what they want to hear of.
import { html } from '../../vendor/ui.js';
import { t } from '../../base/words.js';
import { Page } from '../../parts/state.js';
import { Factors } from './factors.js';
import { Password } from './password.js';
import { Preferences } from './preferences.js';
import { Profile } from './profile.js';
import { Sessions } from './sessions.js';

export default function Account() {
  return html`<${Page} title=${t('account.title')} class="single">
    <${Profile} /><${Password} /><${Factors} /><${Sessions} /><${Preferences} />
  <//>`;
}
