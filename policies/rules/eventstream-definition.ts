import { defineRule } from '../engine/rule.js';
import { validateEventstreamDefinition } from '../eventstream-definition/index.js';
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
