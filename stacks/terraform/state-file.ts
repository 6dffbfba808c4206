import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The version of a state: the newer one of a lineage has the higher serial. */
export interface StateVersion {
  readonly serial: number;
  readonly lineage: string;
}

/**
 * The absolute path of a synthesized stack's state file.
 *
 * @param directory the folder that holds `cdk.tf.json`.
 * @returns undefined for a remote backend, which writes the state atomically.
 */
export function localStateFileOf(directory: string): string | undefined {
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

/**
 * The version in a state file. Terraform treats an empty file as no state, but never writes one:
 * its content was lost.
 */
export function readStateVersion(file: string): StateVersion | 'absent' | 'broken' {
  return existsSync(file) ? stateVersionOf(readFileSync(file, 'utf8')) : 'absent';
}

/** The version in the text of a state. */
export function stateVersionOf(text: string): StateVersion | 'broken' {
  try {
    const { serial, lineage } = JSON.parse(text) as Partial<StateVersion>;
    return typeof serial === 'number' && typeof lineage === 'string'
      ? { serial, lineage }
      : 'broken';
  } catch {
    return 'broken'; // incomplete text
  }
}

/**
 * Parses the state that Terraform prints if it cannot write it anywhere: `terraform apply -json`
 * prints it on one line, including secrets.
 *
 * @returns its text as printed, digit by digit; undefined for any other line.
 */
export function emergencyStateText(line: string): string | undefined {
  if (!line.includes('"Emergency state dump"')) return undefined;
  const [start, end] = [line.indexOf('"state":'), line.lastIndexOf(',"type":')];
  const text = line.slice(start + '"state":'.length, end);
  return start >= 0 && stateVersionOf(text) !== 'broken' ? text : undefined;
}

/** Whether OpenTofu has encrypted a state file: only the engine can read it, by `state pull`. */
export function isEncrypted(file: string): boolean {
  if (!existsSync(file)) return false;
  const text = readFileSync(file, 'utf8');
  return stateVersionOf(text) !== 'broken' && 'encrypted_data' in (JSON.parse(text) as object);
}

/** A managed resource as a state file has it. */
export interface ResourceInState {
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  readonly instances: readonly { readonly attributes?: { readonly id?: unknown } }[];
}

/** The managed resources in a state file; empty for a missing or incomplete file. */
export function readManagedResources(file: string): readonly ResourceInState[] {
  return managedResourcesIn(existsSync(file) ? readFileSync(file, 'utf8') : '');
}

/** The managed resources in the text of a state; empty for an incomplete one. */
export function managedResourcesIn(text: string): readonly ResourceInState[] {
  if (stateVersionOf(text) === 'broken') return [];
  const { resources = [] } = JSON.parse(text) as {
    readonly resources?: readonly ResourceInState[];
  };
  return resources.filter(({ mode }) => mode === 'managed');
}
