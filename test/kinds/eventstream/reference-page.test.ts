import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { eventstreamPages } from '../../../kinds/eventstream/reference-page.js';
import { validateEventstreamDefinition } from '../../../kinds/eventstream/definition/index.js';
import { nodeLists, nodeTypes } from '../../../kinds/eventstream/nodes/index.js';
import { exampleNode } from '../../../kinds/eventstream/reference-example.js';
import { root } from '../../support/cli.js';

const pages = eventstreamPages();

describe('the reference of eventstreams', () => {
  it.each(Object.keys(pages))(
    'docs/reference/%s is what the descriptions of the nodes say (UPDATE_DOCS=1 writes it)',
    (name) => {
      const file = join(root, 'docs/reference', name);
      if (process.env['UPDATE_DOCS']) writeFileSync(file, pages[name] ?? '');
      expect(readFileSync(file, 'utf8')).toBe(pages[name]);
    },
  );

  const examples = nodeLists.flatMap((list) =>
    Object.entries(nodeTypes[list]).map(([word, type]) => ({ list, word, type })),
  );
  it.each(examples)('shows a valid node of $list: $word', ({ list, word, type }) => {
    const node = exampleNode(word, type);
    const streams = ['clicks-stream', 'orders-stream'].map((name) => ({
      name,
      type: 'DerivedStream',
      inputNodes: [{ name: 'web' }],
      properties: {},
    }));
    const definition = {
      sources: [{ name: 'web', type: 'CustomEndpoint', properties: {} }],
      streams,
      operators: [] as unknown[],
      destinations: [] as unknown[],
      compatibilityLevel: '1.1',
    };
    definition[list].push({
      properties: {},
      ...node,
      ...omitUndefined({ inputNodes: node.inputNodes?.map((name) => ({ name })) }),
    } as never);
    const nodeMistakes = validateEventstreamDefinition(definition).filter(
      ({ path }) =>
        path[0] === list && typeof path[1] === 'number' && path[1] === definition[list].length - 1,
    );
    expect(nodeMistakes).toEqual([]);
  });
});
