import { ProviderFailure } from '../handler.js';

/** The delimiters named by `tokens_delimiter`. */
const delimiters: Readonly<Record<string, readonly [open: string, close: string]>> = {
  '{{}}': ['{{', '}}'],
  '<<>>': ['<<', '>>'],
  '@{}@': ['@{', '}@'],
  ____: ['__', '__'],
};

/**
 * Replaces tokens in a text as the official provider does: `{{ .Name }}` becomes the token's raw
 * value; an unknown name becomes `<no value>`; comments and trim markers work. Other features of
 * Go's templates (conditions, loops, functions) are refused by name.
 *
 * @throws ProviderFailure for an unclosed or unsupported action.
 */
export function fillTokens(
  text: string,
  tokens: Readonly<Record<string, string>>,
  delimiter: string,
): string {
  const [open, close] = delimiters[delimiter] ?? ['{{', '}}'];
  let content = '';
  let remainingText = text;
  for (;;) {
    const start = remainingText.indexOf(open);
    if (start < 0) return content + remainingText;
    const end = remainingText.indexOf(close, start + open.length);
    if (end < 0)
      throw new ProviderFailure(
        'Tokens template',
        `template: an action that begins with "${open}" is not closed. Text with braces needs processing_mode "None" or "Parameters".`,
      );
    const { trimsBefore, value, trimsAfter } = evaluateAction(
      remainingText.slice(start + open.length, end),
      tokens,
    );
    content +=
      (trimsBefore ? remainingText.slice(0, start).trimEnd() : remainingText.slice(0, start)) +
      value;
    remainingText = remainingText.slice(end + close.length);
    if (trimsAfter) remainingText = remainingText.trimStart();
  }
}

/** An action: its value, and whether it trims the white space before and after it. */
function evaluateAction(
  action: string,
  tokens: Readonly<Record<string, string>>,
): { readonly trimsBefore: boolean; readonly value: string; readonly trimsAfter: boolean } {
  const trimsBefore = /^-\s/.test(action);
  const trimsAfter = /\s-$/.test(action);
  const inner = action.slice(trimsBefore ? 1 : 0, trimsAfter ? -1 : undefined).trim();
  const name = /^\.(\w+)$/.exec(inner)?.[1];
  if (name !== undefined)
    return {
      trimsBefore,
      value: (Object.hasOwn(tokens, name) ? tokens[name] : undefined) ?? '<no value>',
      trimsAfter,
    };
  if (/^\/\*[\s\S]*\*\/$/.test(inner)) return { trimsBefore, value: '', trimsAfter };
  const literal = literalValue(inner);
  if (literal !== undefined) return { trimsBefore, value: literal, trimsAfter };
  throw new ProviderFailure(
    'Tokens template',
    `template: "${inner}" is not understood. This provider fills {{ .Token }}; conditions, loops and functions are left to the official one.`,
  );
}

/** The text of a literal; undefined for anything else, also for escapes that only Go has (`\x41`). */
function literalValue(text: string): string | undefined {
  const [, quoted, raw] = /^(?:("(?:[^"\\]|\\.)*")|`([^`]*)`)$/.exec(text) ?? [];
  if (quoted === undefined) return raw;
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
