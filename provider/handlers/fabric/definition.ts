import { createHash } from 'node:crypto';
import type { ItemDefinition } from '../../../clients/items/index.js';
import type { Json } from '../../values/json.js';
import { isMap, isWhollyKnown, unknown, type Value, type ValueMap } from '../../values/value.js';
import type { PlannedChange } from '../../planner/plan.js';
import { ProviderFailure } from '../handler.js';
import { blocks, textOrEmpty, optionalText, textMap } from '../read-values.js';
import { applyParameters } from './definition-parameters.js';
import { fillTokens } from './definition-tokens.js';
import { readSourceFile } from './source-file.js';

/** The parts of a definition with their content in a request. */
export async function processParts(planned: ValueMap): Promise<Readonly<Record<string, Buffer>>> {
  const definition = planned['definition'];
  if (!isMap(definition)) return {};
  const parts = Object.entries(definition).filter((entry): entry is [string, ValueMap] =>
    isMap(entry[1]),
  );
  return Object.fromEntries(
    await Promise.all(
      parts.map(async ([path, part]) => [path, await processContent(path, part)] as const),
    ),
  );
}

/** A definition in a request. */
export async function expandDefinition(planned: ValueMap): Promise<ItemDefinition> {
  const parts = Object.entries(await processParts(planned));
  return {
    parts: parts.map(([path, content]) => ({
      path,
      payload: content.toString('base64'),
      payloadType: 'InlineBase64',
    })),
  };
}

/**
 * A file with tokens or parameters replaced; JSON is formatted, so that its layout makes no
 * difference.
 */
async function processContent(path: string, part: ValueMap): Promise<Buffer> {
  const raw = await readSourceFile(textOrEmpty(part, 'source')).catch((error: unknown) => {
    throw error instanceof ProviderFailure
      ? new ProviderFailure(error.summary, error.detail, ['definition', { key: path }, 'source'])
      : error;
  });
  const mode = optionalText(part, 'processing_mode') ?? 'GoTemplate';
  const original = raw.toString('utf8');
  if (!Buffer.from(original, 'utf8').equals(raw)) return raw; // not text: sent unchanged
  let content = original;
  if (mode === 'GoTemplate')
    content = fillTokens(
      original,
      textMap(part, 'tokens'),
      optionalText(part, 'tokens_delimiter') ?? '{{}}',
    );
  else if (mode === 'Parameters') content = applyParameters(original, blocks(part, 'parameters'));
  return Buffer.from(normalizeJson(content), 'utf8');
}

/**
 * JSON with sorted keys and without white space, escaped like Go's output; other content unchanged.
 */
export function normalizeJson(content: string): string {
  let document: Json;
  try {
    document = JSON.parse(content) as Json;
  } catch {
    return content; // not JSON (or JSON with a byte order mark): sent unchanged
  }
  return JSON.stringify(sortKeys(document)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sortKeys(each)]));
}

/** The SHA-256 digest of a part's content, in hex. */
export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Plans the digests of a definition's parts: digests of the processed content, the only sign of a
 * changed file in a plan. They are unknown if anything in the configuration is; changed content is
 * announced, since it overwrites the present one.
 */
export async function planDefinition(change: PlannedChange): Promise<void> {
  const { definition } = change.planned;
  if (!isMap(definition)) return;
  const isKnown = isWhollyKnown(Object.values(change.config).filter((value) => value !== null));
  const contents = isKnown ? await processParts(change.planned) : {};
  const planned = Object.entries(definition).map(([path, part]): [string, Value] => {
    const content = contents[path];
    return [
      path,
      isMap(part)
        ? { ...part, source_content_sha256: content === undefined ? unknown : sha256(content) }
        : part,
    ];
  });
  change.set('definition', Object.fromEntries(planned));
  const before = change.prior?.['definition'];
  const isChanged =
    isMap(before) &&
    planned.some(([path, part]) => contentDigest(before[path]) !== contentDigest(part));
  if (isChanged && change.planned['definition_update_enabled'] !== false)
    change.warn(
      'Definition content has changed',
      'The content of the definition has changed. The definition in the service will be overwritten when the plan is applied.',
      'definition',
    );
}

function contentDigest(part: Value | undefined): string | undefined {
  return isMap(part) ? optionalText(part, 'source_content_sha256') : undefined;
}

/**
 * Whether an update has to send the definition: its content changed, or it was added or removed
 * with the same format, and updates are enabled.
 */
export function mustSendDefinition(
  prior: ValueMap,
  planned: ValueMap,
  digests: Readonly<Record<string, string>>,
): boolean {
  if (planned['definition_update_enabled'] === false) return false;
  const before = prior['definition'];
  const after = planned['definition'];
  if (!isMap(after) || Object.keys(after).length === 0)
    return (
      isMap(before) &&
      Object.keys(before).length > 0 &&
      optionalText(planned, 'format') !== undefined
    );
  if (!isMap(before)) return true;
  return (
    Object.keys(after).some((path) => contentDigest(before[path]) !== digests[path]) ||
    Object.keys(before).some((path) => !(path in after))
  );
}
