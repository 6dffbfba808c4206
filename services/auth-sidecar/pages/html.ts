import { createHash } from 'node:crypto';
import { style } from './style.js';

/** Text that is safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const styleHash = hash(style);

/** A whole page with the content security policy that allows nothing but its own style and script. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

/**
 * @param title plain text. @param body HTML, already escaped. @param script runs on the page; its hash goes into the policy.
 */
export function page(title: string, body: string, script?: string): Page {
  const policy = [
    `default-src 'none'`,
    `style-src ${styleHash}`,
    ...(script === undefined ? [] : [`script-src ${hash(script)}`]),
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style>`;
  const end = script === undefined ? '' : `<script>${script}</script>`;
  const html = `<!doctype html><html lang="en"><head>${head}</head><body><main>${body}</main>${end}</body></html>\n`;
  return { html, policy };
}
