import { createHash } from 'node:crypto';

/** Text that is safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A source of a content security policy: exactly this style or script. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A whole page with the content security policy that allows nothing but its own style, script and picture. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}
