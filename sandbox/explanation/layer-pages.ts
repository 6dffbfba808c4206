import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultTheme } from '../../services/auth-sidecar/pages/theme.js';
import { pictureStyle } from './explanation-section.js';

/**
 * Where the ingress puts an explanation into a page of a sign-in layer. It is made up anew by each
 * process, so that no app can put it into a page of its own.
 */
const marker = `<!--castellan ${randomBytes(18).toString('base64url')}-->`;

/** The number of a request on a page of a sign-in layer. */
const requestNumber = /(<p class="facts">[^<]*\brequest )([\w-]+)(<\/p>)/;

/**
 * Writes the pages of the sandbox's sign-in layers: the usual ones, with a place for the reasons.
 */
export function writeLayerPages(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const page = defaultTheme.template.replace('{{content}}', `{{content}}${marker}`);
  writeFileSync(join(folder, 'page.html'), page);
  writeFileSync(join(folder, 'style.css'), `${defaultTheme.style}\n${pictureStyle}`);
}

/** The number of the request that a page of a sign-in layer answers; undefined for other pages. */
export function requestOfPage(html: string): string | undefined {
  return html.includes(marker) ? requestNumber.exec(html)?.[2] : undefined;
}

/** A page with an explanation, and its number as a link to the request's trace. */
export function withExplanation(html: string, explanation: string, trace: string): string {
  return html
    .replace(requestNumber, (_whole, before: string, id: string, after: string) =>
      [before, `<a href="${trace}">`, id, '</a>', after].join(''),
    )
    .replace(marker, '')
    .replace(/(?=<ul>|<p class="facts">)/, () => explanation);
}
