import { isObject } from '../../../core/values/is-object.js';
import { itemProperties } from '../../../kinds/item/item.js';
import { isGuid } from '../../../core/values/guid.js';
import { mistakeIn } from '../../../kinds/schema/judge.js';
import { Problem } from '../http/problem.js';
import { parsePart } from './part-content.js';
import type { ItemType } from './item-type.js';

/** What a `.platform` part says of an item. */
export interface Platform {
  readonly displayName?: string;
  readonly description?: string;
  readonly logicalId?: string;
}

const schema = 'https://developer.microsoft.com/json-schemas/fabric/gitIntegration/platformProperties/2.0.0/schema.json';

/** Reads a `.platform` part. @throws Problem `InvalidPlatformFile` */
export function readPlatform(payload: string, type: ItemType): Platform {
  const document = parsePart('.platform', payload);
  const invalid = (message: string): Problem => new Problem('InvalidPlatformFile', `.platform: ${message}`);
  if (!isObject(document) || !isObject(document['metadata'])) throw invalid('metadata is missing.');
  const { type: typeName, displayName, description } = document['metadata'];
  if (typeName !== type.name) throw invalid(`metadata.type is ${JSON.stringify(typeName ?? null)}, but the item is a ${type.name}.`);
  if (displayName !== undefined && (typeof displayName !== 'string' || displayName === ''))
    throw invalid('metadata.displayName must be a non-empty string.');
  const mistake = (description ?? null) === null ? undefined : mistakeIn(itemProperties.description, description);
  if (mistake !== undefined) throw invalid(`metadata.description: ${mistake.words}.`);
  const config = isObject(document['config']) ? document['config'] : {};
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(typeof description === 'string' ? { description } : {}),
    ...(isGuid(config['logicalId']) ? { logicalId: config['logicalId'].toLowerCase() } : {}),
  };
}

/** The `.platform` part of an item in its present state. */
export function writePlatform(item: { type: string; display_name: string; description: string; logical_id: string }): string {
  const document = {
    $schema: schema,
    metadata: { type: item.type, displayName: item.display_name, ...(item.description === '' ? {} : { description: item.description }) },
    config: { version: '2.0', logicalId: item.logical_id },
  };
  return Buffer.from(JSON.stringify(document, null, 2)).toString('base64');
}
