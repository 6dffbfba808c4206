import { catalogue } from '../core/errors/catalogue.js';

/** The page that lists every error of the catalogue; a test compares it with the page in docs/. */
export function errorReference(): string {
  const rows = Object.entries(catalogue)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { title, help }]) => `| \`${code}\` | ${cell(title)} | ${cell(help)} |`);
  return [
    '# Errors',
    '',
    'Every error that Castellan reports, by its stable code. Written from the catalogue in `core/errors`.',
    '',
    '```console',
    '$ castellan chek',
    'castellan: CAS8001 Unknown command or option: unknown command "chek", did you mean "check"?',
    `  ${catalogue.CAS8001.help}`,
    '```',
    '',
    'The first line has the code, the title and what happened; the second says what to do. `--json` prints the same as [JSON](json.md#errors).',
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
