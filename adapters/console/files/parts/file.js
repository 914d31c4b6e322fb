// Files that the shop makes: shown in a tab of their own, or kept.
import { held, save } from '../base/save.js';
import { t } from '../base/words.js';
import { complain, tell } from './toast.js';

/**
 * showFile opens a file, such as a PDF to print, in another tab, and says so where it is refused. Browsers open a tab only while a click is
 * fresh, so it is there before the file; where they open none, the file is kept.
 * @param {Promise<Blob>} file
 */
export async function showFile(file) {
  const tab = window.open('', '_blank');
  try {
    const content = await file;
    if (!tab) {
      save(content, `print.${/\/(\w+)/.exec(content.type)?.[1] ?? 'pdf'}`);
      tell(t('common.noTab'));
      return;
    }
    const url = URL.createObjectURL(content);
    tab.location.replace(url);
    setTimeout(() => URL.revokeObjectURL(url), held);
  } catch (e) {
    tab?.close();
    complain(e);
  }
}

/**
 * keepFile hands a file to the browser to be kept under a name, and says so where it is refused.
 * @param {Promise<Blob>} file
 * @param {string} name
 */
export async function keepFile(file, name) {
  try {
    save(await file, name);
  } catch (e) {
    complain(e);
  }
}
