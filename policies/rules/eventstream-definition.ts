import type { RuleContext } from '../engine/rule.js';
import { defineRule } from '../engine/rule.js';
import type { EventstreamProps } from '../../kinds/eventstream/schema.js';
import { definitionPath, validateEventstreamDefinition, validateEventstreamProperties } from '../../kinds/eventstream/definition/index.js';
import { eventstreamGraph } from '../model/eventstream-graph.js';

const inlineKeys = ['sources', 'streams', 'operators', 'destinations'] as const;

/** The graph of an eventstream is whole: known nodes, unique names, inputs that exist and flow one way. */
export const eventstreamDefinition = defineRule({
  id: 'eventstream-definition',
  title: 'The graph of an eventstream has known nodes with what their type needs, unique names, and inputs that exist and flow one way.',
  why: 'The service accepts the request and fails the operation later, or the stream runs without the node.',
  severity: 'error',
  source: 'spec 002, "Definition" (eventstream.json)',
  sections: ['eventstreams'],
  reads: ['definition'],
  messages: {
    form: 'a definition is one of: inline (sources, destinations, …), { file }, or parts; here are {given}',
    graph: '{where} {reason}',
    part: '{part}: {where} {reason}',
    twice: '{property} and the part eventstreamProperties.json say the same; keep one',
    eventhouse: 'a destination of type Eventhouse says which: eventhouse: NAME, or properties with workspaceId and itemId',
  },
  check({ value }, context) {
    const { definition } = value;
    if (definition === undefined || definition === null || typeof definition !== 'object') return;
    const inline = inlineKeys.some((key) => definition[key] !== undefined);
    const forms = [
      inline ? 'inline nodes' : '',
      definition.file === undefined ? '' : 'a file',
      definition.parts === undefined ? '' : 'parts',
    ].filter((form) => form !== '');
    if (forms.length > 1)
      return context.report({ messageId: 'form', path: ['definition'], at: 'key', parameters: { given: forms.join(' and ') } });
    judgeParts(value, context);
    if (!inline) return;
    definition.destinations?.forEach((node, index) => {
      const itemId = (node.properties as Readonly<Record<string, unknown>> | undefined)?.['itemId'];
      if (node?.type === 'Eventhouse' && node.eventhouse === undefined && itemId === undefined)
        context.report({ messageId: 'eventhouse', path: ['definition', 'destinations', index, 'type'], parameters: { given: node.name } });
    });
    for (const { path, message } of validateEventstreamDefinition(eventstreamGraph(definition), { references: true })) {
      const last = path.at(-1);
      const where = typeof last === 'number' ? 'this entry' : String(last ?? 'the definition');
      context.report({ messageId: 'graph', path: ['definition', ...path], parameters: { given: path.join('.'), where, reason: message } });
    }
  },
});

/** Holds the documents in parts against the same rules as an inline definition; what is no JSON is another rule's finding. */
function judgeParts({ definition, retentionTimeInDays, eventThroughputLevel }: EventstreamProps, context: RuleContext): void {
  if (!Array.isArray(definition?.parts)) return;
  definition.parts.forEach((part: EventstreamPart | null, index: number) => {
    const isProperties = part?.path === 'eventstreamProperties.json';
    if (part === null || (!isProperties && part.path !== 'eventstream.json')) return;
    const property = retentionTimeInDays === undefined ? 'eventThroughputLevel' : 'retentionTimeInDays';
    const path = ['definition', 'parts', index];
    if (isProperties && (retentionTimeInDays ?? eventThroughputLevel) !== undefined)
      context.report({ messageId: 'twice', path: [...path, 'path'], parameters: { given: part.path, property } });
    const document = documentIn(part.payload);
    if (document === undefined) return;
    const mistakes = isProperties ? validateEventstreamProperties(document) : validateEventstreamDefinition(document);
    for (const { path: place, message } of mistakes) {
      const where = definitionPath(place);
      context.report({
        messageId: 'part',
        path: [...path, 'payload'],
        parameters: { given: where, part: part.path, where, reason: message },
      });
    }
  });
}

interface EventstreamPart {
  readonly path: string;
  readonly payload: string;
}

function documentIn(payload: unknown): unknown {
  try {
    return JSON.parse(Buffer.from(String(payload), 'base64').toString('utf8')) as unknown;
  } catch {
    return undefined; // item-definition-parts says that it is none
  }
}
