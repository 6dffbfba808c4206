import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from '../../kinds/eventstream/definition/parse-document.js';
import { type Construct, TerraformStack } from '../internal/cdktf.js';
import { jsonExpression } from '../internal/json-expression.js';
import { onSynthesis } from '../internal/synthesis-callbacks.js';
import type { CastellanEventhouseDefinition } from '../generated/lib/castellan/eventhouse.js';
import type { FabricEventhouseDefinition } from '../generated/lib/fabric/eventhouse.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/**
 * One part of an item's definition: a document, which may refer to other resources, or a base64
 * payload.
 */
export type DefinitionPart =
  | { readonly path: string; readonly document: unknown }
  | { readonly path: string; readonly payload: string };

/** The definition of an item. */
export interface ItemDefinition {
  /** The name of the format in the API, if one is declared. */
  readonly format?: string;
  readonly parts: readonly DefinitionPart[];
}

/** A part in the form of the API: with a base64 payload. */
export interface EncodedPart {
  readonly path: string;
  readonly payload: string;
}

/** Decodes a part: a payload that is a JSON object or list becomes a document. */
export function decodePart({ path, payload }: EncodedPart): DefinitionPart {
  const document = parseObject(
    Buffer.from(payload, 'base64').toString('utf8'),
    path === 'eventstream.json' ? parseDocument : JSON.parse,
  );
  return document === undefined ? { path, payload } : { path, document };
}

// Not eventstreamProperties.json: the service refuses it without a graph, and the official provider
// sends a single part.
const officialPartPaths = ['EventhouseProperties.json', 'eventstream.json'];

/**
 * Whether the official provider supports a definition: a single JSON document of the item, and no
 * format.
 */
export function isSingleDocument({ format, parts }: ItemDefinition): boolean {
  const [part] = parts;
  return (
    format === undefined &&
    parts.length === 1 &&
    part !== undefined &&
    'document' in part &&
    officialPartPaths.includes(part.path)
  );
}

/** A definition in the form of the official provider; items of both types have the same. */
interface FabricDefinition {
  readonly format?: string;
  /** The parts by their paths. */
  readonly definition?: Readonly<Record<string, FabricEventhouseDefinition>>;
}

/** The definition for the official provider. */
export function fabricDefinition(scope: Construct, { parts }: ItemDefinition): FabricDefinition {
  const documents = parts.flatMap((part) =>
    'document' in part ? [[part.path, documentPart(scope, part.document)] as const] : [],
  );
  return documents.length === 0
    ? {}
    : { format: 'Default', definition: Object.fromEntries(documents) };
}

/** The definition for castellan's own provider. */
export function castellanDefinition({ format, parts }: ItemDefinition): {
  readonly definition?: CastellanEventhouseDefinition;
} {
  const contents = parts.map((part) => [
    part.path,
    'document' in part
      ? { content: jsonExpression(part.document) }
      : { contentBase64: part.payload },
  ]);
  if (contents.length === 0) return {};
  return {
    definition: {
      ...omitUndefined({ format }),
      parts: Object.fromEntries(contents) as CastellanEventhouseDefinition['parts'],
    },
  };
}

function parseObject(text: string, parse: (text: string) => unknown): unknown {
  try {
    const value = parse(text);
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined; // not JSON: the payload is sent as it is
  }
}

/** The file from which all definitions are read, beside the synthesized stack. */
const templateName = 'definition.tmpl';
const templateContent = '{{ .Definition }}';

/**
 * A document as a part of a definition. The provider reads parts from files and replaces tokens
 * without parsing their text, so one constant file serves all: braces and angle brackets in the
 * user's text are preserved, the plan shows changes key by key, and no file can be outdated.
 */
function documentPart(scope: Construct, document: unknown): FabricEventhouseDefinition {
  const stack = TerraformStack.of(scope);
  onSynthesis(stack, templateName, ({ outdir, manifest }) => {
    writeFileSync(
      join(outdir, manifest.forStack(stack).workingDirectory, templateName),
      templateContent,
    );
  });
  return {
    source: `\${path.module}/${templateName}`,
    tokens: { Definition: jsonExpression(document) },
  };
}
