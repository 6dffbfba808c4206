import { createHash } from 'node:crypto';

/** Text that is safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`=]/g, (char) => `&#${char.charCodeAt(0)};`);
}

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f4f5f7;color:#1b1f24}
main{background:#fff;border:1px solid #d5d9df;border-radius:12px;padding:2rem 2.25rem;max-width:26rem;width:calc(100% - 7rem);overflow-wrap:anywhere}h1{font-size:1.35rem;margin:0 0 .75rem}p{margin:.5rem 0}
a.button{display:block;margin:.6rem 0;padding:.7rem 1rem;border:1px solid #9aa3af;border-radius:8px;color:inherit;text-decoration:none;text-align:center;font-weight:600}a.button:hover,a.button:focus{background:#eef2ff;border-color:#4653c9}
small{color:#667080}@media(prefers-color-scheme:dark){body{background:#14171b;color:#e7eaee}main{background:#1d2126;border-color:#363c45}a.button:hover,a.button:focus{background:#262c4a}small{color:#98a2b0}}`;

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

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
    `style-src ${hash(style)}`,
    ...(script === undefined ? [] : [`script-src ${hash(script)}`]),
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main>${script === undefined ? '' : `<script>${script}</script>`}</body></html>\n`;
  return { html, policy };
}
