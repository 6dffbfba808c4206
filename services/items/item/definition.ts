import {
  createPathFormatter,
  validateEventstreamDefinition,
  validateEventstreamProperties,
} from '../../../kinds/eventstream/definition/index.js';
import { definitionPartSchema, itemProperties } from '../../../kinds/item/item.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { isObject } from '../../../core/values/is-object.js';
import { Problem, type ProblemDetail } from '../http/problem.js';
import type { ItemType } from './item-type.js';
import { parseDocument } from '../../../kinds/eventstream/definition/parse-document.js';
import { decodeJsonText } from '../../common/body-parsers.js';
import { isGuid } from '../../../core/values/guid.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** A stored part of a definition: path and base64 as sent. */
export interface StoredPart {
  readonly path: string;
  readonly payload: string;
}

/** A checked definition. */
export interface CheckedDefinition {
  readonly parts: readonly StoredPart[];
  /** The content of `.platform`, if it was sent. */
  readonly platform?: Platform;
}

/**
 * Parses and checks a definition: format, parts, paths, payload types, base64, and the contents.
 *
 * @returns undefined if absent or null.
 * @throws Problem 400 with the code of the first mistake and all mistakes in `moreDetails`.
 */
export function readDefinition(value: unknown, type: ItemType): CheckedDefinition | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value))
    throw new Problem('InvalidInput', 'definition must be an object with parts.');
  const { format, parts } = value;
  if (format !== undefined && format !== null && !isKnownFormat(format, type))
    throw new Problem(
      'InvalidDefinitionFormat',
      `The definition format ${JSON.stringify(format)} is not known for ${type.name}.`,
    );
  if (!Array.isArray(parts) || parts.length === 0)
    throw new Problem(
      'MissingDefinitionParts',
      'definition.parts is missing or empty; at least one part is needed.',
    );
  const seenPaths = new Set<string>();
  const allParts = parts.map((part: unknown, index) => {
    const stored = readPart(part, index, type);
    if (seenPaths.has(stored.path))
      throw new Problem(
        'InvalidDefinitionParts',
        `definition.parts[${index}].path "${stored.path}" is listed twice.`,
      );
    seenPaths.add(stored.path);
    return stored;
  });
  const platformPart = allParts.find(({ path }) => path === '.platform');
  const contentParts = allParts.filter(({ path }) => path !== '.platform');
  for (const part of contentParts) checkContent(part, type);
  const platform = platformPart && readPlatform(platformPart.payload, type);
  const { mainPart } = type;
  if (mainPart !== undefined && !contentParts.some(({ path }) => path === mainPart))
    throw new Problem(
      'MissingDefinitionParts',
      `The definition of an ${type.name} needs the part "${mainPart}".`,
    );
  return { parts: contentParts, ...omitUndefined({ platform }) };
}

/** The definition in a body that requires one. @throws Problem `MissingDefinition` */
export function requireDefinition(value: unknown, type: ItemType): CheckedDefinition {
  const definition = readDefinition(value, type);
  if (definition === undefined) throw new Problem('MissingDefinition', 'definition is required.');
  return definition;
}

function isKnownFormat(format: unknown, type: ItemType): boolean {
  if (typeof format !== 'string' || format === '') return false;
  return type.format === undefined || [type.format, 'default'].includes(format.toLowerCase());
}

function readPart(part: unknown, index: number, type: ItemType): StoredPart {
  const partPath = `definition.parts[${index}]`;
  if (!isObject(part))
    throw new Problem(
      'InvalidDefinitionParts',
      `${partPath} must be an object with path, payload and payloadType.`,
    );
  const { path, payload, payloadType } = part;
  if (typeof path !== 'string' || path === '')
    throw new Problem('InvalidDefinitionParts', `${partPath}.path must be a non-empty string.`);
  if (/^\/|\\|(^|\/)\.\.?(\/|$)/.test(path))
    throw new Problem(
      'InvalidDefinitionParts',
      `${partPath}.path "${path}" must be a plain relative path.`,
    );
  if (type.parts !== undefined && path !== '.platform' && !type.parts.includes(path))
    throw new Problem(
      'InvalidDefinitionParts',
      `${partPath}.path "${path}" is not a part of ${type.name}; allowed are ${type.parts.join(', ')}, .platform.`,
    );
  const payloadTypeMistake = mistakeIn(definitionPartSchema.properties.payloadType, payloadType);
  if (payloadTypeMistake !== undefined)
    throw new Problem(
      'UnsupportedPayloadType',
      `${partPath}.payloadType is not supported: ${payloadTypeMistake.message}.`,
    );
  if (typeof payload !== 'string' || !isBase64(payload))
    throw new Problem('CorruptedPayload', `${partPath}.payload ("${path}") is not base64.`);
  return { path, payload };
}

/** Strict base64 with padding; an empty text is an empty file. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

const maxReportedMistakes = 100;

function checkContent({ path, payload }: StoredPart, type: ItemType): void {
  if (type.parts === undefined || !path.endsWith('.json')) return;
  const document = parsePart(path, payload);
  if (type.name !== 'Eventstream') {
    if (!isObject(document))
      throw new Problem('CorruptedPayload', `${path} must hold a JSON object.`);
    return;
  }
  const mistakes =
    path === 'eventstream.json'
      ? validateEventstreamDefinition(document)
      : validateEventstreamProperties(document);
  const formatPath = createPathFormatter(document);
  const details = mistakes.map((mistake): ProblemDetail => ({
    errorCode: 'InvalidDefinitionParts',
    message: `${path}: ${formatPath(mistake.path)}: ${mistake.message}`,
  }));
  const [first] = details;
  if (first !== undefined)
    throw new Problem('InvalidDefinitionParts', first.message, {
      moreDetails: details.slice(0, maxReportedMistakes),
    });
}

/** The JSON in a part. @throws Problem `CorruptedPayload` */
export function parsePart(path: string, payload: string): unknown {
  try {
    const text = decodeJsonText(Buffer.from(payload, 'base64'));
    return path === 'eventstream.json' ? parseDocument(text) : (JSON.parse(text) as unknown);
  } catch (error) {
    throw new Problem('CorruptedPayload', `${path} is not valid JSON: ${(error as Error).message}`);
  }
}

/** The content of a `.platform` part. */
export interface Platform {
  readonly displayName?: string;
  readonly description?: string;
  /** `config.logicalId` in lower case; absent if it is not a GUID. */
  readonly logicalId?: string;
}

const platformSchema =
  'https://developer.microsoft.com/json-schemas/fabric/gitIntegration/platformProperties/2.0.0/schema.json';

/** Parses a `.platform` part. @throws Problem `InvalidPlatformFile` */
export function readPlatform(payload: string, type: ItemType): Platform {
  const document = parsePart('.platform', payload);
  const invalidPlatform = (message: string): Problem =>
    new Problem('InvalidPlatformFile', `.platform: ${message}`);
  if (!isObject(document) || !isObject(document['metadata']))
    throw invalidPlatform('metadata is missing.');
  const { type: typeName, displayName, description } = document['metadata'];
  if (typeName !== type.name)
    throw invalidPlatform(
      `metadata.type is ${JSON.stringify(typeName ?? null)}, but the item is a ${type.name}.`,
    );
  if (displayName !== undefined && (typeof displayName !== 'string' || displayName === ''))
    throw invalidPlatform('metadata.displayName must be a non-empty string.');
  const mistake =
    (description ?? null) === null ? undefined : mistakeIn(itemProperties.description, description);
  if (mistake !== undefined) throw invalidPlatform(`metadata.description: ${mistake.message}.`);
  const config = isObject(document['config']) ? document['config'] : {};
  return {
    ...omitUndefined({ displayName }),
    ...(typeof description === 'string' && { description }),
    ...(isGuid(config['logicalId']) && { logicalId: config['logicalId'].toLowerCase() }),
  };
}

/** The `.platform` part with an item's present state. */
export function writePlatform(item: {
  type: string;
  display_name: string;
  description: string;
  logical_id: string;
}): string {
  const document = {
    $schema: platformSchema,
    metadata: {
      type: item.type,
      displayName: item.display_name,
      ...(item.description !== '' && { description: item.description }),
    },
    config: { version: '2.0', logicalId: item.logical_id },
  };
  return Buffer.from(JSON.stringify(document, null, 2)).toString('base64');
}
