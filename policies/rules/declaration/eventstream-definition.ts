import {
  type DefinitionMistake,
  createPathFormatter,
  validateEventstreamDefinition,
  validateEventstreamProperties,
} from '../../../kinds/eventstream/definition/index.js';
import type { EventstreamProps } from '../../../kinds/eventstream/eventstream.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { valueAt } from '../../engine/schema-validation.js';
import { defineRule, type ReportDescriptor, type RuleContext } from '../../engine/rule.js';
import { documentsOf, type DefinitionDocument, isInline } from '../../model/declared-document.js';

export const eventstreamDefinition = defineRule({
  id: 'eventstream-definition',
  title:
    'The nodes of an eventstream have what their type needs, unique names, and inputs that exist and flow one way.',
  why: 'The service accepts the request and fails the operation later, or the stream runs without the node.',
  severity: 'error',
  source: 'Items rules, "Definition" (eventstream.json)',
  sections: ['eventstreams'],
  reads: ['definition'],
  messages: {
    form: 'a definition is one of: inline (sources, destinations, …), { file }, or parts; here are {given}',
    graph: '{where} {reason}',
    part: '{part}: {where} {reason}',
    twice: '{property} and the part eventstreamProperties.json say the same; keep one',
    eventhouse:
      'a destination of type Eventhouse says which: eventhouse: NAME, or properties with workspaceId and itemId',
  },
  check({ value, name }, context) {
    const forms = formsOf(value);
    if (forms.length > 1)
      return context.report({
        messageId: 'form',
        path: ['definition'],
        at: 'key',
        parameters: { given: forms.join(' and ') },
      });
    checkSettings(value, context);
    checkEventhouses(value, context);
    for (const document of documentsOf(value, name))
      if (document.form !== 'file') checkDocument(document, value, context);
  },
});

function formsOf({ definition }: EventstreamProps): readonly string[] {
  if (definition === undefined || definition === null || typeof definition !== 'object') return [];
  return [
    ...(isInline(definition) ? ['inline nodes'] : []),
    ...(definition.file === undefined ? [] : ['a file']),
    ...(definition.parts === undefined ? [] : ['parts']),
  ];
}

/** Settings given twice: as properties of the eventstream, and as a part. */
function checkSettings(
  { definition, retentionTimeInDays, eventThroughputLevel }: EventstreamProps,
  context: RuleContext,
): void {
  if (
    !Array.isArray(definition?.parts) ||
    (retentionTimeInDays ?? eventThroughputLevel) === undefined
  )
    return;
  const property =
    retentionTimeInDays === undefined ? 'eventThroughputLevel' : 'retentionTimeInDays';
  (definition.parts as readonly ({ readonly path?: unknown } | null)[]).forEach((part, index) => {
    if (part?.path === 'eventstreamProperties.json')
      context.report({
        messageId: 'twice',
        path: ['definition', 'parts', index, 'path'],
        parameters: { given: part.path, property },
      });
  });
}

function checkEventhouses({ definition }: EventstreamProps, context: RuleContext): void {
  if (!Array.isArray(definition?.destinations)) return;
  definition.destinations.forEach((node, index) => {
    const properties = node?.properties as Readonly<Record<string, unknown>> | undefined;
    const isNamed =
      (node?.eventhouse ?? properties?.['itemId'] ?? properties?.['itemReference']) !== undefined;
    if (node?.type === 'Eventhouse' && !isNamed)
      context.report({
        messageId: 'eventhouse',
        path: ['definition', 'destinations', index, 'type'],
        parameters: { given: node.name },
      });
  });
}

function checkDocument(
  { form, fileOrPart, document, pathOf }: DefinitionDocument,
  value: EventstreamProps,
  context: RuleContext,
): void {
  const formatPath = createPathFormatter(document);
  if (form === 'inline') {
    for (const { path, message, suggestion } of validateEventstreamDefinition(document, {
      acceptsReferences: true,
    })) {
      const reportedPath = declaredPath(value, pathOf(path));
      context.report({
        messageId: 'graph',
        path: reportedPath,
        parameters: {
          given: path.join('.'),
          where: path.length === 0 ? 'the definition' : formatPath(path),
          reason: message,
        },
        ...(suggestion !== undefined && fixOf(suggestion, reportedPath, value)),
      });
    }
    return;
  }
  const validate = validators[fileOrPart];
  for (const { path, message } of validate?.(document) ?? [])
    context.report({
      messageId: 'part',
      path: pathOf(path),
      parameters: {
        given: formatPath(path),
        part: fileOrPart,
        where: formatPath(path),
        reason: message,
      },
    });
}

/** Where a value of the document is declared: an input node may be only its name. */
function declaredPath(declared: unknown, path: ConfigPath): ConfigPath {
  const parentPath = path.slice(0, -1);
  return path.at(-1) === 'name' && typeof valueAt(declared, parentPath) === 'string'
    ? parentPath
    : path;
}

/** A misspelt property is located at its name, others at their value. */
function fixOf(
  suggestion: NonNullable<DefinitionMistake['suggestion']>,
  path: ConfigPath,
  declared: unknown,
): Pick<ReportDescriptor, 'fix' | 'at'> {
  if ('key' in suggestion) {
    const hasKey = valueAt(declared, [...path.slice(0, -1), suggestion.key]) !== undefined;
    return { at: 'key', fix: hasKey ? undefined : { key: suggestion.key } };
  }
  return { fix: { value: suggestion.value } };
}

const validators: Readonly<Record<string, typeof validateEventstreamDefinition>> = {
  'eventstream.json': validateEventstreamDefinition,
  'eventstreamProperties.json': validateEventstreamProperties,
};
