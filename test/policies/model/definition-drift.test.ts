import { definitionDrift } from '../../../policies/model/definition-drift.js';
import type { EventstreamProps } from '../../../kinds/eventstream/eventstream.js';

const id = 'A0000000-0000-4000-8000-000000000001';
const declared = {
  sources: [{ name: 'web', type: 'CustomEndpoint' }],
  operators: [
    {
      name: 'big',
      type: 'Filter',
      inputNodes: ['web'],
      properties: { conditions: [{ value: '${env:LEAST}' }, { value: 2 }] },
    },
  ],
  destinations: [
    {
      name: 'store',
      type: 'Eventhouse',
      eventhouse: 'house',
      inputNodes: ['big'],
      properties: { databaseName: 'events', target: id },
    },
  ],
};
const live = {
  sources: [{ id, name: 'web', type: 'CustomEndpoint', properties: { added: 'by the service' } }],
  streams: [
    { name: 'clicks-stream', type: 'DefaultStream', inputNodes: [{ name: 'web' }], properties: {} },
  ],
  operators: [
    {
      name: 'big',
      type: 'Filter',
      inputNodes: [{ name: 'web' }],
      properties: { conditions: [{ value: 1 }, { value: 2 }] },
    },
  ],
  destinations: [
    {
      name: 'store',
      type: 'Eventhouse',
      inputNodes: [{ name: 'big' }],
      properties: {
        dataIngestionMode: 'DirectIngestion',
        workspaceId: id,
        itemId: id,
        databaseName: 'events',
        target: id.toLowerCase(),
      },
    },
  ],
  compatibilityLevel: '1.0',
};
const filesOf = (graph: unknown) => new Map([['eventstream.json', JSON.stringify(graph)]]);
const drift = (definition: unknown, graph: unknown) =>
  definitionDrift(
    { workspace: 'w', displayName: 'clicks', definition } as EventstreamProps,
    filesOf(graph),
  ).map(({ path, reason }) => `${path.join('.')} ${reason}`);
const different = 'differs from what is declared';

describe('what is different in a definition', () => {
  it('is empty if the service only adds ids and defaults, and for values that are known later', () => {
    expect(drift(declared, live)).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'a node of another type',
      { sources: [{ ...live.sources[0], type: 'SampleData' }] },
      `definition.sources.0.type ${different}`,
    ],
    ['a node that is gone', { operators: [] }, 'definition.operators.0 is not there'],
    [
      'nodes that were added',
      {
        streams: [
          ...live.streams,
          { name: 'x', type: 'DerivedStream' },
          { name: 'y', type: 'DerivedStream' },
        ],
      },
      'definition.streams have "x", "y", which are not declared',
    ],
    [
      'a node with other inputs',
      { destinations: [{ ...live.destinations[0], inputNodes: [{ name: 'web' }] }] },
      `definition.destinations.0.inputNodes ${different}`,
    ],
    [
      'a property that was changed',
      {
        destinations: [
          {
            ...live.destinations[0],
            properties: { ...live.destinations[0]?.properties, databaseName: 'other' },
          },
        ],
      },
      `definition.destinations.0.properties ${different}`,
    ],
    [
      'one entry of a list that is gone',
      { operators: [{ ...live.operators[0], properties: { conditions: [{ value: 1 }] } }] },
      `definition.operators.0.properties ${different}`,
    ],
  ])('is %s', (_, change, expected) => {
    expect(drift(declared, { ...live, ...change })).toEqual([expected]);
  });

  it('includes a document that is missing or is not JSON', () => {
    const value = {
      workspace: 'w',
      displayName: 'clicks',
      definition: declared,
    } as unknown as EventstreamProps;
    expect(definitionDrift(value, new Map([['eventstream.json', '{']]))).toMatchObject([
      { reason: 'is not JSON any more' },
    ]);
    expect(definitionDrift(value, new Map())).toMatchObject([{ reason: 'is not there' }]);
  });

  it('ignores an unreadable declared file, which another rule reports', () => {
    const value = {
      workspace: 'w',
      displayName: 'clicks',
      definition: { file: 'gone.json' },
    } as EventstreamProps;
    const location = { file: 'gone.json', line: 1, column: 1 };
    const readMissingFile = () =>
      ({
        problem: { id: 'config-unreadable', message: 'gone.json does not exist', location },
      }) as const;
    expect(definitionDrift(value, filesOf(live), readMissingFile)).toEqual([]);
    expect(definitionDrift(value, filesOf(live))).toEqual([]);
  });

  it('looks at the parts of an eventhouse, but not at what the service writes itself', () => {
    const payload = (document: unknown): string =>
      Buffer.from(JSON.stringify(document)).toString('base64');
    const value = {
      workspace: 'w',
      displayName: 'house',
      definition: {
        parts: [
          { path: 'EventhouseProperties.json', payload: payload({ a: 1 }) },
          { path: '.platform', payload: payload({ b: 1 }) },
        ],
      },
    };
    expect(
      definitionDrift(value, new Map([['EventhouseProperties.json', '{"a":1,"c":2}']])),
    ).toEqual([]);
    expect(
      definitionDrift(value, new Map([['EventhouseProperties.json', '{"a":2}']])),
    ).toMatchObject([
      {
        path: ['definition', 'parts', 0, 'payload'],
        where: 'EventhouseProperties.json',
        reason: different,
      },
    ]);
  });
});
