import { catalogue } from '../core/errors/catalogue.js';

/** The page that lists every error of the catalogue; a test holds the page in docs/ to it. */
export function errorReference(): string {
  const rows = Object.entries(catalogue)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { title, help }]) => `| \`${code}\` | ${cell(title)} | ${cell(help)} |`);
  return [
    '# Errors',
    '',
    'Every error that Castellan reports, by its stable code. Written from the catalogue in `core/errors`.',
    '',
    '| code | what went wrong | what to do |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replace(/\|/g, '\\|');
}
