import { escapeHtml } from './escape-html.js';

/**
 * Characters that control a terminal or a reader: control characters, bidirectional overrides, and
 * line separators.
 */
export const controlCharacters =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text of a configuration that is safe to print on one line anywhere: characters that would move
 * the cursor, change colours or reverse the line are escaped, and CI systems read no commands in
 * it.
 */
export function escapeControlCharacters(text: string): string {
  const escaped = text.replace(
    controlCharacters,
    (char) => escapes[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return escaped.replace(/^(\s*)(::|##\[)/, '$1\\$2');
}

/** Text on one line, for HTML content and quoted attributes. */
export function escapeHtmlLine(text: string): string {
  return escapeHtml(escapeControlCharacters(text));
}
