import { readFile, readlink, readdir } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { ProviderFailure } from '../handler.js';
import type { ValueMap } from '../../values/value.js';
import type { Json } from '../../values/json.js';
import { requiredText } from '../read-values.js';

/**
 * Reads a file that a configuration refers to. Relative paths start at the folder in which
 * terraform runs, not this process if the provider keeps running: tries the folders of running
 * terraform processes first, then its own.
 *
 * @throws ProviderFailure when it does not exist, or two runs have different files at that path.
 */
export async function readSourceFile(source: string): Promise<Buffer> {
  if (isAbsolute(source)) return (await tryRead(source)) ?? missing(source);
  const inRuns = await Promise.all(
    (await terraformFolders()).map((folder) => tryRead(join(folder, source))),
  );
  const parts = inRuns.filter((each) => each !== undefined);
  const [first, ...others] = parts;
  if (first === undefined) return (await tryRead(resolve(source))) ?? missing(source);
  if (others.some((other) => !other.equals(first)))
    throw new ProviderFailure(
      'File is ambiguous',
      `Several terraform runs have a file "${source}" with different contents. Write it as "\${path.cwd}/…", which is an absolute path.`,
    );
  return first;
}

function missing(source: string): never {
  throw new ProviderFailure(
    'Invalid file path',
    `The file "${source}" can't be read: no such file below the folder that terraform runs in.`,
  );
}

async function tryRead(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch {
    return undefined; // missing or unreadable: the caller tries another folder or reports it
  }
}

/**
 * The working folders of the terraform and tofu processes on this machine, where the system
 * provides them (Linux).
 */
async function terraformFolders(): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(
    ids.map(async (id) => {
      const name = (await tryRead(`/proc/${id}/comm`))?.toString('utf8').trim();
      return name === 'terraform' || name === 'tofu'
        ? readlink(`/proc/${id}/cwd`).catch(() => undefined)
        : undefined;
    }),
  );
  return [...new Set(folders.filter((each) => each !== undefined))];
}

/**
 * Applies parameters to a text: TextReplace changes every occurrence, JsonPathReplace sets the
 * values at a path to a text.
 */
export function applyParameters(text: string, parameters: readonly ValueMap[]): string {
  return parameters.reduce((now, parameter) => {
    const [find, value] = [requiredText(parameter, 'find'), requiredText(parameter, 'value')];
    return requiredText(parameter, 'type') === 'TextReplace'
      ? now.replaceAll(find, () => value)
      : replaceAtPath(now, find, value);
  }, text);
}

/**
 * Sets the values at a path such as `$.sources[0].name` or `$.a[*].b`; a path without values
 * changes nothing.
 */
function replaceAtPath(text: string, path: string, value: string): string {
  const steps = path.replace(/^\$/, '').match(/[^.[\]'"]+/g) ?? [];
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch {
    return text; // not JSON: a path has no values in it
  }
  return JSON.stringify(setAt(document, steps, value));
}

function setAt(at: Json, [step, ...rest]: readonly string[], value: string): Json {
  if (step === undefined) return value;
  if (Array.isArray(at))
    return (at as readonly Json[]).map((each, index) =>
      step === '*' || Number(step) === index ? setAt(each, rest, value) : each,
    );
  if (typeof at !== 'object' || at === null) return at;
  return Object.fromEntries(
    Object.entries(at).map(([name, each]) => [
      name,
      step === '*' || step === name ? setAt(each, rest, value) : each,
    ]),
  );
}

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
  let rest = text;
  for (;;) {
    const start = rest.indexOf(open);
    if (start < 0) return content + rest;
    const end = rest.indexOf(close, start + open.length);
    if (end < 0)
      throw new ProviderFailure(
        'Tokens template',
        `template: an action that begins with "${open}" is not closed. Text with braces needs processing_mode "None" or "Parameters".`,
      );
    const { before, value, after } = evaluate(rest.slice(start + open.length, end), tokens);
    content += (before ? rest.slice(0, start).trimEnd() : rest.slice(0, start)) + value;
    rest = rest.slice(end + close.length);
    if (after) rest = rest.trimStart();
  }
}

/** An action: its value, and whether it trims the white space before and after it. */
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
  if (literal !== null)
    return { before, value: literal[2] ?? (JSON.parse(`"${literal[1] ?? ''}"`) as string), after };
  throw new ProviderFailure(
    'Tokens template',
    `template: "${inner}" is not understood. This provider fills {{ .Token }}; conditions, loops and functions are left to the official one.`,
  );
}
