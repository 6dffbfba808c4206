import { basename, dirname, join, relative, resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { FileAccess } from '../../../core/source/file-access.js';
import { jsonMistake } from '../../../core/source/json-mistake.js';
import { isOverlayName } from '../../model/environments.js';
import { type Baseline, type BaselineEntry, baselineName } from './baseline.js';

/** Where to look for a baseline. */
export interface BaselineSearch {
  readonly cwd: string;
  readonly files: FileAccess;
  /** The policy file. */
  readonly policyFile: string | undefined;
  /** The baseline that the policy names, relative to the policy file. */
  readonly declaredFile?: string | undefined;
  /**
   * Each environment with an overlay has its own baseline: `castellan.baseline.prod.json`.
   *
   * @default the one without an environment
   */
  readonly environment?: string | undefined;
}

/**
 * Reads the requested baseline, otherwise the one that the policy names, otherwise the one beside
 * the policy, if it exists.
 *
 * @param requested the requested file, or `none`.
 * @throws CAS7002 when the file does not exist or is not a baseline.
 */
export function readBaseline(
  requested: string | undefined,
  { cwd, files, policyFile, declaredFile, environment }: BaselineSearch,
): { readonly baseline: Baseline; readonly file: string } | undefined {
  if (requested === 'none') return undefined;
  const file = requested ?? baselinePath({ policyFile, declaredFile, environment });
  if (files.stat(resolve(cwd, file)).kind !== 'file') {
    if (requested === undefined && (declaredFile === undefined || environment !== undefined))
      return undefined;
    throw new CastellanError(
      'CAS7002',
      `the baseline ${file} does not exist; write it with castellan baseline write`,
      {
        details: { file },
      },
    );
  }
  try {
    const baseline = parseBaseline(Buffer.from(files.read(resolve(cwd, file))).toString('utf8'));
    return { baseline: withPathsFromCurrentFolder(baseline, file, { cwd, files }), file };
  } catch (cause) {
    throw new CastellanError(
      'CAS7002',
      `the baseline ${file} can't be read: ${(cause as Error).message}`,
      { details: { file }, cause },
    );
  }
}

/**
 * The path of a baseline that the command line does not name: as the policy says, otherwise beside
 * the policy; one per environment.
 */
export function baselinePath({
  policyFile,
  declaredFile,
  environment,
}: Pick<BaselineSearch, 'policyFile' | 'declaredFile' | 'environment'>): string {
  const file = join(
    policyFile === undefined ? '.' : dirname(policyFile),
    declaredFile ?? baselineName,
  );
  return environment === undefined ? file : file.replace(/(\.[^./\\]+)?$/, `.${environment}$1`);
}

/** A function that says which environment's baseline a file in the folder of a baseline is. */
export function baselineEnvironment(baseline: string): (file: string) => string | undefined {
  const [, stem = '', ending = ''] = /^(.*?)(\.[^.]+)?$/.exec(basename(baseline)) ?? [];
  return (file) => {
    const name = basename(file);
    const environment = name.slice(stem.length + 1, name.length - ending.length);
    const isBaseline = name === `${stem}.${environment}${ending}` && isOverlayName(environment);
    return isBaseline ? environment : undefined;
  };
}

/**
 * A baseline with files as the findings of a check in the current folder have them. Its own are
 * relative to its folder; one that was not written by `castellan baseline write` may have them
 * relative to the current folder.
 */
export function withPathsFromCurrentFolder(
  baseline: Baseline,
  file: string,
  { cwd, files }: Pick<BaselineSearch, 'cwd' | 'files'>,
): Baseline {
  const folder = dirname(resolve(cwd, file));
  if (relative(cwd, folder) === '') return baseline;
  const findings = baseline.findings.map((entry) => {
    const path = resolve(folder, entry.file);
    const exists = entry.file !== '' && files.stat(path).kind !== 'missing';
    return exists ? { ...entry, file: relative(cwd, path) } : entry;
  });
  return { ...baseline, findings };
}

/** The text of a baseline, whose files are relative to its folder. */
export function baselineText(
  findings: readonly BaselineEntry[],
  file: string,
  cwd: string,
): string {
  const folder = dirname(resolve(cwd, file));
  const entries = findings.map((entry) =>
    entry.file === '' ? entry : { ...entry, file: relative(folder, resolve(cwd, entry.file)) },
  );
  return `${JSON.stringify({ version: 1, findings: entries }, undefined, 2)}\n`;
}

/** Parses a baseline; throws the mistake found. */
export function parseBaseline(text: string): Baseline {
  const baseline = parseJson(text.replace(/^\uFEFF/, '')) as Partial<Baseline> | null;
  if (baseline?.version !== 1 || !Array.isArray(baseline.findings))
    throw new Error('it is no baseline of version 1');
  baseline.findings.forEach((entry: Partial<BaselineEntry> | null, index) => {
    for (const key of ['fingerprint', 'ruleId', 'file', 'path'] as const)
      if (typeof entry?.[key] !== 'string')
        throw new Error(`findings[${String(index)}].${key} must be a string`);
    if (entry?.stack !== undefined && typeof entry.stack !== 'string')
      throw new Error(`findings[${String(index)}].stack must be a string`);
  });
  return baseline as Baseline;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(jsonMistake(text, cause), { cause });
  }
}
