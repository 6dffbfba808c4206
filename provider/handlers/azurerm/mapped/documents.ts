import { isServiceError } from '../../../../clients/common/index.js';
import type { MappedType } from '../../../schemas/azurerm/mapped-types.js';
import type { ValueMap } from '../../../values/value.js';
import { type Fields, flattenFields } from '../../body-fields.js';
import { blocks, text } from '../../read-values.js';
import { fieldsBody, patchOf, type Written } from './body.js';
import type { Sources } from './template.js';

/**
 * Writes a child document of a resource, such as `blobServices/default`, if its fields changed;
 * removes it where none is set any more.
 */
export async function writeDocument(
  type: MappedType,
  [of, fields]: readonly [string, Fields],
  after: Written,
  before?: Written,
): Promise<void> {
  const { resources } = after.api.resourceManager;
  const [{ apiVersion }, call] = [type.arm, { signal: after.signal }];
  const was = before === undefined ? {} : fieldsBody(type, fields, before);
  const is = fieldsBody(type, fields, after);
  if (JSON.stringify(was) === JSON.stringify(is)) return;
  const [oldPath, newPath] = [pathOf(of, fields, before ?? after), pathOf(of, fields, after)];
  if (Object.keys(was).length > 0 && (Object.keys(is).length === 0 || oldPath !== newPath))
    await resources.delete(oldPath, apiVersion, call);
  if (Object.keys(is).length === 0) return;
  if ((await resources.find(newPath, apiVersion, call)) === undefined)
    await resources.put(newPath, apiVersion, is, call);
  else await resources.patch(newPath, apiVersion, patchOf(was, is), call);
}

/** The path of a document; one with `{name}` is called as its block says. */
function pathOf(of: string, fields: Fields, { path, values }: Written): string {
  const [name = ''] = Object.keys(fields);
  return `${path}/${of.replace('{name}', text(blocks(values, name)[0], 'name') ?? '')}`;
}

/** The attributes of a child document. */
export async function readDocument(
  { arm: { apiVersion } }: MappedType,
  [of, fields]: readonly [string, Fields],
  path: string,
  { api, signal }: Sources,
): Promise<ValueMap> {
  const { resources } = api.resourceManager;
  const [collection = '', isNamed] = of.split('/{name}');
  if (isNamed === undefined)
    return flattenFields(fields, await resources.find(`${path}/${of}`, apiVersion, { signal }));
  for await (const each of resources.list(`${path}/${collection}`, apiVersion, { signal }))
    return flattenFields(fields, each);
  return flattenFields(fields, undefined);
}

/** The attributes that a list action answers, such as keys. */
export async function readAction(
  { arm: { apiVersion, only } }: MappedType,
  [of, fields]: readonly [string, Fields],
  path: string,
  { api, signal, values }: Sources,
): Promise<ValueMap> {
  const condition = only?.[of];
  if (condition !== undefined && values[condition] !== true) return flattenFields(fields, {});
  try {
    const { resources } = api.resourceManager;
    return flattenFields(fields, await resources.action(path, of, apiVersion, {}, { signal }));
  } catch (error) {
    // who may not list keys reads the rest all the same, as with the official provider
    if (isServiceError(error) && error.status === 403) return flattenFields(fields, {});
    throw error;
  }
}
