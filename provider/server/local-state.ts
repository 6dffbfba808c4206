import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isObject } from '../../core/values/is-object.js';
import { valueAtPath } from '../../kinds/schema/path-steps.js';

/** The state files that Terraform may keep for a folder: one for each of its workspaces. */
export async function localStateFiles(folder: string): Promise<readonly string[]> {
  const workspacesFolder = join(folder, 'terraform.tfstate.d');
  const workspaces = await readdir(workspacesFolder).catch(() => []);
  const backend = await readJson(join(folder, '.terraform', 'terraform.tfstate'));
  const configuredPath = valueAtPath(backend, ['backend', 'config', 'path']);
  return [
    resolve(folder, typeof configuredPath === 'string' ? configuredPath : 'terraform.tfstate'),
    ...workspaces.map((name) => join(workspacesFolder, name, 'terraform.tfstate')),
  ];
}

/** Whether a state file contains an object of a type. */
export async function isInStateFile(
  file: string,
  typeName: string,
  objectId: string,
): Promise<boolean> {
  const state = await readJson(file);
  return objectsIn(state, 'resources')
    .filter(({ type }) => type === typeName)
    .flatMap((resource) => objectsIn(resource, 'instances'))
    .some((instance) => valueAtPath(instance, ['attributes', 'id']) === objectId);
}

function objectsIn(parent: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  const list = valueAtPath(parent, [name]);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** A JSON file; undefined if it is missing, cut off, or no JSON, such as an encrypted state. */
async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}
