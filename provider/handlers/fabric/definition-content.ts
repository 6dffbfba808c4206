import { readFile, readlink, readdir } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { ProviderFailure } from '../handler.js';
import type { ValueMap } from '../../values/value.js';
import type { Json } from '../../values/json.js';
import { mustText } from '../read-values.js';

/**
 * Reads a file that a configuration names. Relative paths count from the folder that terraform runs in, which is not this process's own
 * where the provider keeps running: the folders of the terraform processes that run now are looked at first, then this process's.
 *
 * @throws ProviderFailure when it isn't there, or when two runs have different files at that path.
 */
export async function readSourceFile(source: string): Promise<Buffer> {
  if (isAbsolute(source)) return (await tryRead(source)) ?? missing(source);
  const inRuns = await Promise.all((await terraformFolders()).map((folder) => tryRead(join(folder, source))));
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

/** The working folders of the terraform and tofu processes on this machine, where the system shows them (Linux). */
async function terraformFolders(): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(
    ids.map(async (id) => {
      const name = (await tryRead(`/proc/${id}/comm`))?.toString('utf8').trim();
      return name === 'terraform' || name === 'tofu' ? readlink(`/proc/${id}/cwd`).catch(() => undefined) : undefined;
    }),
  );
  return [...new Set(folders.filter((each) => each !== undefined))];
}

/** A text with its parameters put in: TextReplace changes every occurrence, JsonPathReplace sets the values at a path to a text. */
export function applyParameters(text: string, parameters: readonly ValueMap[]): string {
  return parameters.reduce((now, parameter) => {
    const [find, value] = [mustText(parameter, 'find'), mustText(parameter, 'value')];
    return mustText(parameter, 'type') === 'TextReplace' ? now.replaceAll(find, () => value) : replaceAtPath(now, find, value);
  }, text);
}

/** Sets what a path such as `$.sources[0].name` or `$.a[*].b` leads to; where it leads nowhere nothing changes. */
function replaceAtPath(text: string, path: string, value: string): string {
  const steps = path.replace(/^\$/, '').match(/[^.[\]'"]+/g) ?? [];
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch {
    return text; // not JSON: a path leads nowhere in it
  }
  return JSON.stringify(setAt(document, steps, value));
}

function setAt(at: Json, [step, ...rest]: readonly string[], value: string): Json {
  if (step === undefined) return value;
  if (Array.isArray(at))
    return (at as readonly Json[]).map((each, index) => (step === '*' || Number(step) === index ? setAt(each, rest, value) : each));
  if (typeof at !== 'object' || at === null) return at;
  return Object.fromEntries(
    Object.entries(at).map(([name, each]) => [name, step === '*' || step === name ? setAt(each, rest, value) : each]),
  );
}

/** The delimiters that `tokens_delimiter` names. */
const delimiters: Readonly<Record<string, readonly [open: string, close: string]>> = {
  '{{}}': ['{{', '}}'],
  '<<>>': ['<<', '>>'],
  '@{}@': ['@{', '}@'],
  ____: ['__', '__'],
};

/**
 * A text with its tokens filled in, as the official provider does it: `{{ .Name }}` becomes the token, raw; a name without a token becomes
 * `<no value>`; comments and trim markers work. Other features of Go's templates (conditions, loops, functions) are refused by name.
 *
 * @throws ProviderFailure for an action that is not closed or not understood.
 */
export function fillTokens(text: string, tokens: Readonly<Record<string, string>>, delimiter: string): string {
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
