import {
  createPathFormatter,
  validateEventstreamDefinition,
} from '../../../kinds/eventstream/definition/index.js';
import { parseDocument } from '../../../kinds/eventstream/definition/parse-document.js';
import { defineRule } from '../../engine/rule.js';

export const eventstreamDefinitionFile = defineRule({
  id: 'eventstream-definition-file',
  title: 'The definition file of an eventstream exists, is JSON and holds a complete graph.',
  why: 'Synth fails on a file that is missing or is not JSON; an incomplete graph fails in the service, half-way through an apply.',
  severity: 'error',
  source: 'Items rules, "Definition" (eventstream.json)',
  sections: ['eventstreams'],
  reads: ['definition.file'],
  messages: {
    unreadable: '{reason}',
    json: '{given} is not JSON: {reason}',
    graph: '{given}: {where} {reason}',
  },
  check({ value }, context) {
    const file = value.definition?.file;
    if (typeof file !== 'string' || file === '') return;
    const readResult = context.index.readFile?.(file);
    if (readResult === undefined) return;
    const path = ['definition', 'file'];
    if ('problem' in readResult)
      return context.report({
        messageId: 'unreadable',
        path,
        parameters: { given: file, reason: readResult.problem.message },
      });
    let document: unknown;
    try {
      document = parseDocument(readResult.source.text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return context.report({ messageId: 'json', path, parameters: { reason } });
    }
    const formatPath = createPathFormatter(document);
    for (const { path: place, message } of validateEventstreamDefinition(document))
      context.report({
        messageId: 'graph',
        // a path below the file, so that two mistakes in one file are two findings
        path: [...path, ...place],
        parameters: { given: file, where: formatPath(place), reason: message },
      });
  },
});
