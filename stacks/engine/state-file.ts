import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Identifies a version of a state: the newer one of a lineage has the higher serial. */
export interface StateMark {
  readonly serial: number;
  readonly lineage: string;
}

/**
 * The state file of a synthesized stack, absolute.
 *
 * @param directory the folder that holds `cdk.tf.json`.
 * @returns undefined where the state is kept elsewhere: a remote backend writes it whole or not at all.
 */
export function localStateOf(directory: string): string | undefined {
  const synthesized = join(directory, 'cdk.tf.json');
  if (!existsSync(synthesized)) return undefined;
  const { terraform } = JSON.parse(readFileSync(synthesized, 'utf8')) as {
    terraform?: { backend?: { local?: { path?: string } } };
  };
  const path = terraform?.backend?.local?.path;
  if (path === undefined) return undefined;
  const file = resolve(directory, path);
  return existsSync(file) ? realpathSync(file) : file;
}

/** What a state file says of itself. Terraform takes an empty one for no state at all, but writes none itself: something was lost. */
export function readMark(file: string): StateMark | 'absent' | 'broken' {
  return existsSync(file) ? markOf(readFileSync(file, 'utf8')) : 'absent';
}

/** What the text of a state says of itself. */
export function markOf(text: string): StateMark | 'broken' {
  try {
    const { serial, lineage } = JSON.parse(text) as Partial<StateMark>;
    return typeof serial === 'number' && typeof lineage === 'string' ? { serial, lineage } : 'broken';
  } catch {
    return 'broken'; // half a text: what is to be found out
  }
}

/**
 * The state that Terraform prints where it can write it nowhere: `terraform apply -json` has it on one line, with secrets in it.
 *
 * @returns its text, digit by digit as it was printed; undefined for any other line.
 */
export function parseState(line: string): string | undefined {
  if (!line.includes('"Emergency state dump"')) return undefined;
  const [start, end] = [line.indexOf('"state":'), line.lastIndexOf(',"type":')];
  const text = line.slice(start + '"state":'.length, end);
  return start >= 0 && markOf(text) !== 'broken' ? text : undefined;
}

/** A managed resource as a state file has it. */
export interface ResourceInState {
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  readonly instances: readonly { readonly attributes?: { readonly id?: unknown } }[];
}

/** The managed resources in a state file; none where there is no file, or an incomplete one. */
export function managedResources(file: string): readonly ResourceInState[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (markOf(text) === 'broken') return [];
  const { resources = [] } = JSON.parse(text) as { readonly resources?: readonly ResourceInState[] };
  return resources.filter(({ mode }) => mode === 'managed');
}
