import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultTheme } from '../../services/auth-sidecar/pages/theme.js';
import { explanationStyle } from './explanation-section.js';

/**
 * Marks a page as one of a sign-in layer, so that the ingress explains no other. It is random for
 * each process, so that no app can have it in a page of its own.
 */
const ownPageMark = `<!--castellan ${randomBytes(18).toString('base64url')}-->`;

/** The id of the request on a page of a sign-in layer, with the markup around it. */
const requestIdPattern = /(<p class="facts">[^<]*\brequest )([\w-]+)(<\/p>)/;

/**
 * Writes the theme of the sandbox's sign-in layers: the default one, with the mark of their pages.
 */
export function writeSidecarTheme(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const page = defaultTheme.template.replace('{{content}}', `{{content}}${ownPageMark}`);
  writeFileSync(join(folder, 'page.html'), page);
  writeFileSync(join(folder, 'style.css'), `${defaultTheme.style}\n${explanationStyle}`);
}

/** The id of the request that a page of a sign-in layer answers; undefined for other pages. */
export function requestIdOfPage(html: string): string | undefined {
  return html.includes(ownPageMark) ? requestIdPattern.exec(html)?.[2] : undefined;
}

/** A page with an explanation, and with the request id as a link to the request's trace. */
export function withExplanation(html: string, explanation: string, traceUrl: string): string {
  return html
    .replace(requestIdPattern, (_whole, before: string, id: string, after: string) =>
      [before, `<a href="${traceUrl}">`, id, '</a>', after].join(''),
    )
    .replace(ownPageMark, '')
    .replace(/(?=<ul>|<p class="facts">)/, () => explanation);
}
