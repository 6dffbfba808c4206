import { isServiceError } from '../../../../clients/common/index.js';
import type { MappedType } from '../../../schemas/azurerm/mapped-types.js';
import type { ValueMap } from '../../../values/value.js';
import { type BodyFields, flattenFields } from '../../body-fields.js';
import { blocks, optionalText } from '../../read-values.js';
import { expandTypeFields, createMergePatch, type WriteInput } from './body.js';
import type { TemplateSources } from './template.js';

/**
 * Writes a child document of a resource, such as `blobServices/default`, if its fields changed;
 * removes it where none is set any more.
 */
export async function writeChildDocument(
  type: MappedType,
  [pathTemplate, fields]: readonly [string, BodyFields],
  after: WriteInput,
  before?: WriteInput,
): Promise<void> {
  const { resources } = after.api.resourceManager;
  const [{ apiVersion }, options] = [type.arm, { signal: after.signal }];
  const oldBody = before === undefined ? {} : expandTypeFields(type, fields, before);
  const newBody = expandTypeFields(type, fields, after);
  if (JSON.stringify(oldBody) === JSON.stringify(newBody)) return;
  const [oldPath, newPath] = [
    documentPath(pathTemplate, fields, before ?? after),
    documentPath(pathTemplate, fields, after),
  ];
  if (Object.keys(oldBody).length > 0 && (Object.keys(newBody).length === 0 || oldPath !== newPath))
    await resources.delete(oldPath, apiVersion, options);
  if (Object.keys(newBody).length === 0) return;
  if ((await resources.find(newPath, apiVersion, options)) === undefined)
    await resources.put(newPath, apiVersion, newBody, options);
  else await resources.patch(newPath, apiVersion, createMergePatch(oldBody, newBody), options);
}

/** The path of a document; `{name}` is the `name` in its block. */
function documentPath(
  pathTemplate: string,
  fields: BodyFields,
  { path, values }: WriteInput,
): string {
  const [name = ''] = Object.keys(fields);
  return `${path}/${pathTemplate.replace('{name}', optionalText(blocks(values, name)[0], 'name') ?? '')}`;
}

/** The attributes of a child document. */
export async function readChildDocument(
  { arm: { apiVersion } }: MappedType,
  [pathTemplate, fields]: readonly [string, BodyFields],
  path: string,
  { api, signal }: TemplateSources,
): Promise<ValueMap> {
  const { resources } = api.resourceManager;
  const [collection = '', pathAfterName] = pathTemplate.split('/{name}');
  if (pathAfterName === undefined)
    return flattenFields(
      fields,
      await resources.find(`${path}/${pathTemplate}`, apiVersion, { signal }),
    );
  for await (const each of resources.list(`${path}/${collection}`, apiVersion, { signal }))
    return flattenFields(fields, each);
  return flattenFields(fields, undefined);
}

/** The attributes that a list action answers, such as keys. */
export async function readListAction(
  { arm: { apiVersion, only } }: MappedType,
  [action, fields]: readonly [string, BodyFields],
  path: string,
  { api, signal, values }: TemplateSources,
): Promise<ValueMap> {
  const condition = only?.[action];
  if (condition !== undefined && values[condition] !== true) return flattenFields(fields, {});
  try {
    const { resources } = api.resourceManager;
    return flattenFields(fields, await resources.action(path, action, apiVersion, {}, { signal }));
  } catch (error) {
    // a caller who must not list keys still reads the rest, as with the official provider
    if (isServiceError(error) && error.status === 403) return flattenFields(fields, {});
    throw error;
  }
}
