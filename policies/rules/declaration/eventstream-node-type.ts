import { documentationUrl } from '../../../core/text/documentation-url.js';
import {
  createPathFormatter,
  unknownNodeTypes,
} from '../../../kinds/eventstream/definition/index.js';
import { type NodeListName, nodeTypes } from '../../../kinds/eventstream/nodes/index.js';
import { describeAllowed, didYouMean } from '../../../core/text/nearest.js';
import { defineRule } from '../../engine/rule.js';
import { documentsOf } from '../../model/declared-document.js';

export const eventstreamNodeType = defineRule({
  id: 'eventstream-node-type',
  title: 'The types of sources, streams, operators and destinations of an eventstream are known.',
  why: 'The service gains types, so an unknown one passes; but nothing can be said of its properties, and a misspelt one is refused by the cloud.',
  severity: 'info',
  source: 'Items rules, "Definition" (eventstream.json)',
  sections: ['eventstreams'],
  reads: ['definition'],
  messages: { unknown: '{where} is "{given}", a type of {what} that is not known here{hint}' },
  check({ value, name }, context) {
    for (const { form, fileOrPart, document, pathOf } of documentsOf(
      value,
      name,
      context.index.readFile,
    )) {
      if (form === 'part' && fileOrPart !== 'eventstream.json') continue;
      const formatPath = createPathFormatter(document);
      for (const { path, what, type, suggestion } of unknownNodeTypes(document)) {
        const typeNames = Object.keys(nodeTypes[path[0] as NodeListName]);
        const hint = didYouMean(
          suggestion,
          `; known are ${describeAllowed(type, typeNames, `${documentationUrl}/reference/eventstreams.md`)}`,
        );
        const fix =
          suggestion === undefined || form !== 'inline' ? undefined : { value: suggestion };
        const where = fileOrPart === '' ? formatPath(path) : `${fileOrPart}: ${formatPath(path)}`;
        context.report({
          messageId: 'unknown',
          path: pathOf(path),
          parameters: { given: type, where, what, hint },
          fix,
        });
      }
    }
  },
});
