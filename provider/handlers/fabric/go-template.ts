import { ProviderFailure } from '../failure.js';

/** The delimiters that `tokens_delimiter` names. */
const delimiters: Readonly<Record<string, readonly [open: string, close: string]>> = {
  '{{}}': ['{{', '}}'],
  '<<>>': ['<<', '>>'],
  '@{}@': ['@{', '}@'],
  ____: ['__', '__'],
};

/**
 * A text with its tokens filled in, as the official provider does it: `{{ .Name }}` becomes the token, raw; a name without a token becomes
 * `<no value>`; comments and trim markers work. What else Go's templates can do (conditions, loops, functions) is refused by name.
 *
 * @throws ProviderFailure for an action that is not closed or not understood.
 */
export function fillTokens(text: string, tokens: Readonly<Record<string, string>>, delimiter: string): string {
  const [open, close] = delimiters[delimiter] ?? ['{{', '}}'];
  let filled = '';
  let rest = text;
  for (;;) {
    const start = rest.indexOf(open);
    if (start < 0) return filled + rest;
    const end = rest.indexOf(close, start + open.length);
    if (end < 0)
      throw new ProviderFailure(
        'Tokens template',
        `template: an action that begins with "${open}" is not closed. Text with braces needs processing_mode "None" or "Parameters".`,
      );
    const { before, value, after } = evaluate(rest.slice(start + open.length, end), tokens);
    filled += (before ? rest.slice(0, start).trimEnd() : rest.slice(0, start)) + value;
    rest = rest.slice(end + close.length);
    if (after) rest = rest.trimStart();
  }
}

/** One action: its value, and whether it trims the blanks before and after it. */
function evaluate(
  action: string,
  tokens: Readonly<Record<string, string>>,
): { readonly before: boolean; readonly value: string; readonly after: boolean } {
  const before = /^-\s/.test(action);
  const after = /\s-$/.test(action);
  const inner = action.slice(before ? 1 : 0, after ? -1 : undefined).trim();
  const name = /^\.(\w+)$/.exec(inner)?.[1];
  if (name !== undefined) return { before, value: tokens[name] ?? '<no value>', after };
  if (/^\/\*[\s\S]*\*\/$/.test(inner)) return { before, value: '', after };
  const literal = /^(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)$/.exec(inner);
  if (literal !== null) return { before, value: literal[2] ?? (JSON.parse(`"${literal[1] ?? ''}"`) as string), after };
  throw new ProviderFailure(
    'Tokens template',
    `template: "${inner}" is not understood. This provider fills {{ .Token }}; conditions, loops and functions are left to the official one.`,
  );
}
