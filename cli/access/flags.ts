import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AccessTarget } from '../../access/answer/visit.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { PeopleFlags } from './people.js';

/** The options of `castellan access`. */
export interface AccessFlags extends PeopleFlags {
  readonly paths: readonly string[];
  readonly environment?: string;
  /** Whether `--base` compares in each environment, because none is named. */
  readonly inEveryEnvironment?: boolean;
  /** The only app to answer for. @default all */
  readonly app?: string;
  /** The only person to answer for, as the user wrote the name. @default everyone */
  readonly person?: string;
  /** Whether to answer for a browser without a session. */
  readonly anonymous?: boolean;
  readonly path: string;
  /** The sign-in layer that answers. */
  readonly target: AccessTarget;
  /** Whether to list everything that the person reaches. */
  readonly reverse?: boolean;
  /** Whether to list the people, not only their number. */
  readonly people?: boolean;
  /** Whether to list who can let others in. */
  readonly controllers?: boolean;
  /** A commit, branch or tag to compare with. */
  readonly base?: string;
  /** The policy file. @default the one that `check` finds */
  readonly policy?: string;
  /** The baseline of accepted findings, or `none`. */
  readonly baseline?: string;
  /** Whether to accept the findings of the comparison in the baseline. */
  readonly writeBaseline?: boolean;
  /** Whether to state who can get in, for all possible people. */
  readonly forAll?: boolean;
  /** The limit of work for each proof, in steps. */
  readonly effort?: number;
  readonly format: string;
}

/** The limit of work of `--effort`, in steps. @throws CAS8001 */
export function parseEffort(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text))
    throw new CastellanError(
      'CAS8001',
      `--effort is a number of steps such as 400000, not "${text}"`,
    );
  return Number(text);
}

/**
 * The app and the configurations that the words of a command line name.
 *
 * @throws CAS8001 for two apps
 */
export function appAndPaths(
  words: readonly string[],
  app: string | undefined,
  cwd: string,
): { readonly app?: string; readonly paths: readonly string[] } {
  const paths = words.filter(
    (each) => /\.ya?ml$/.test(each) || each.includes('/') || existsSync(resolve(cwd, each)),
  );
  const names = words.filter((each) => !paths.includes(each));
  if (names.length + (app === undefined ? 0 : 1) > 1)
    throw new CastellanError('CAS8001', 'one app at a time: name it once');
  const name = app ?? names[0];
  return {
    paths: paths.length === 0 ? ['.'] : paths,
    ...omitUndefined({ app: name }),
  };
}

/** Refuses options that contradict each other. @throws CAS8001 */
export function checkFlags({
  person,
  anonymous,
  reverse,
  format,
  path,
  base,
  target,
  writeBaseline,
  forAll,
}: AccessFlags): void {
  if (!['sandbox', 'azure'].includes(target))
    throw new CastellanError('CAS8001', `--target is sandbox or azure, not "${target}"`);
  if (person !== undefined && anonymous === true)
    throw new CastellanError('CAS8001', '--person and --anonymous exclude each other');
  if (reverse === true && person === undefined)
    throw new CastellanError(
      'CAS8001',
      '--reverse lists what a person reaches: give --person, too',
    );
  if (base === undefined && (format === 'markdown' || format === 'mermaid'))
    throw new CastellanError('CAS8001', `--format ${format} shows a change: give --base, too`);
  if (base === undefined && writeBaseline === true)
    throw new CastellanError(
      'CAS8001',
      '--write-baseline accepts findings of a change: give --base, too',
    );
  if (base !== undefined && (person !== undefined || anonymous === true))
    throw new CastellanError(
      'CAS8001',
      '--base compares for everyone: leave --person and --anonymous out',
    );
  if (forAll === true && (base !== undefined || person !== undefined || anonymous === true))
    throw new CastellanError(
      'CAS8001',
      '--for-all states who can get in: leave --base, --person and --anonymous out',
    );
  if (!path.startsWith('/'))
    throw new CastellanError('CAS8001', `--path ${path}: a path begins with a slash`);
}
