import fc from 'fast-check';
import {
  createPathFormatter,
  unknownNodeTypes,
  validateEventstreamDefinition,
  validateEventstreamProperties,
} from '../../../../kinds/eventstream/definition/index.js';
import { nodeTypes } from '../../../../kinds/eventstream/nodes/index.js';

const id = '4c8c3353-9652-4567-b8f3-eb585ef01ba9';

/** A whole eventstream: sample data, filtered, into an eventhouse. */
function bicycles(): Record<string, Record<string, unknown>[]> & { compatibilityLevel?: string } {
  return {
    sources: [{ name: 'bikes', type: 'SampleData', properties: { type: 'Bicycles' } }],
    streams: [
      {
        id,
        name: 'bikes-stream',
        type: 'DefaultStream',
        properties: {},
        inputNodes: [{ name: 'bikes' }],
      },
    ],
    operators: [
      {
        name: 'empty',
        type: 'Filter',
        inputNodes: [{ name: 'bikes-stream' }],
        properties: {
          conditions: [
            {
              column: { node: 'bikes-stream', columnName: 'No_Bikes' },
              operatorType: 'Equals',
              value: { dataType: 'BigInt', value: '0' },
            },
          ],
        },
      },
    ],
    destinations: [
      {
        name: 'house',
        type: 'Eventhouse',
        properties: {
          dataIngestionMode: 'ProcessedIngestion',
          workspaceId: id,
          itemId: id,
          databaseName: 'db',
          tableName: 't',
        },
        inputNodes: [{ name: 'empty' }],
      },
    ],
  };
}

const mistakesOf = (value: unknown): string[] =>
  validateEventstreamDefinition(value).map(
    ({ path, message }) => `${createPathFormatter(value)(path)}: ${message}`,
  );

/** The sound document with another value at a path, or none there if the value is undefined. */
function bicyclesWith(path: readonly (string | number)[], value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(bicycles())) as Record<string, unknown>;
  let parent = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) parent = parent[step] as Record<string | number, unknown>;
  const last = path[path.length - 1] ?? '';
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

describe('an eventstream definition', () => {
  it('is sound when every node is', () => expect(mistakesOf(bicycles())).toEqual([]));
  it('may be empty', () => {
    expect(
      mistakesOf({
        sources: [],
        destinations: [],
        streams: [],
        operators: [],
        compatibilityLevel: '1.0',
      }),
    ).toEqual([]);
  });

  it.each<[string, readonly (string | number)[], unknown, string]>([
    ['a missing name', ['sources', 0, 'name'], undefined, 'sources[0].name: is missing'],
    [
      'a missing property',
      ['sources', 0, 'properties'],
      {},
      'nodes.bikes.properties.type: is missing',
    ],
    [
      'an unknown sample',
      ['sources', 0, 'properties', 'type'],
      'Trains',
      'nodes.bikes.properties.type: must be one of YellowTaxi',
    ],
    [
      'a type that is no string',
      ['streams', 0, 'type'],
      7,
      'nodes.bikes-stream.type: must be one of DefaultStream, DerivedStream, not 7',
    ],
    ['a missing type', ['streams', 0, 'type'], undefined, 'nodes.bikes-stream.type: is missing'],
    [
      'an input that is not there',
      ['operators', 0, 'inputNodes', 0, 'name'],
      'bikes-strem',
      'nodes.empty.inputNodes[0].name: there is no node named "bikes-strem"; did you mean "bikes-stream"?',
    ],
    [
      'no input',
      ['destinations', 0, 'inputNodes'],
      [],
      'nodes.house.inputNodes: must have at least 1 entry',
    ],
    [
      'a destination as an input',
      ['operators', 0, 'inputNodes', 0, 'name'],
      'house',
      'nodes.empty.inputNodes[0].name: "house" is a destination',
    ],
    [
      'a name used twice',
      ['operators', 0, 'name'],
      'bikes',
      'operators[0].name: the name "bikes" is already that of sources[0]',
    ],
    [
      'an unknown comparison',
      ['operators', 0, 'properties', 'conditions', 0, 'operatorType'],
      'Equal',
      'nodes.empty.properties.conditions[0].operatorType: must be one of Equals, NotEquals, IsNull, LessThan, IsEmpty (5 of 16; https://github.com/castellan/castellan/blob/main/docs/reference/eventstreams.md lists all), not "Equal"; did you mean "Equals"?',
    ],
    [
      'a comparison without a value',
      ['operators', 0, 'properties', 'conditions', 0, 'value'],
      undefined,
      'nodes.empty.properties.conditions[0].value: is missing',
    ],
    [
      'a destination without its item',
      ['destinations', 0, 'properties', 'itemId'],
      undefined,
      'nodes.house.properties.itemId: is missing',
    ],
    [
      'an item id that is none',
      ['destinations', 0, 'properties', 'itemId'],
      'house',
      'nodes.house.properties.itemId: must be a UUID',
    ],
    [
      'an unknown ingestion',
      ['destinations', 0, 'properties', 'dataIngestionMode'],
      'Direct',
      'nodes.house.properties.dataIngestionMode: must be one of DirectIngestion, ProcessedIngestion',
    ],
    [
      'a processed ingestion without a table',
      ['destinations', 0, 'properties', 'tableName'],
      undefined,
      'nodes.house.properties.tableName: is missing',
    ],
    [
      'a misspelt optional property',
      ['destinations', 0, 'inputSchema'],
      [],
      'nodes.house.inputSchema: is not known; did you mean "inputSchemas"?',
    ],
    ['an unknown list', ['sinks'], [], 'sinks: is not known'],
    [
      'an unknown level',
      ['compatibilityLevel'],
      '2.0',
      'compatibilityLevel: must be one of 1.0, 1.1',
    ],
    ['something that is no list', ['streams'], {}, 'streams: must be a list, not an object'],
  ])('names the place of %s', (_what, path, value, expected) => {
    expect(mistakesOf(bicyclesWith(path, value)).some((line) => line.startsWith(expected))).toBe(
      true,
    );
  });

  it('refuses a cycle and names its nodes', () => {
    const union = (name: string, input: string): unknown => ({
      name,
      type: 'Union',
      inputNodes: [{ name: input }],
    });
    expect(mistakesOf({ operators: [union('a', 'b'), union('b', 'a')] })).toEqual([
      'nodes.b.inputNodes[0].name: events would flow in a circle: a -> b -> a',
    ]);
  });

  it('refuses a second default stream', () => {
    const stream = { type: 'DefaultStream', inputNodes: [], properties: {} };
    expect(
      mistakesOf({
        streams: [
          { ...stream, name: 'a' },
          { ...stream, name: 'b' },
        ],
      }),
    ).toEqual(['nodes.b.type: there is at most one DefaultStream, and "a" is one already']);
  });

  it('needs exactly two inputs for a join', () => {
    const join = {
      name: 'j',
      type: 'Join',
      inputNodes: [{ name: 's' }],
      properties: { joinType: 'Inner', duration: { value: 1, unit: 'Minute' } },
    };
    const document = {
      streams: [{ name: 's', type: 'DefaultStream', inputNodes: [], properties: {} }],
      operators: [join],
    };
    expect(mistakesOf(document)).toEqual([
      'nodes.j.inputNodes: a Join has exactly 2 input nodes, not 1',
    ]);
  });

  it('accepts Terraform references as ids where asked', () => {
    const document = bicyclesWith(
      ['destinations', 0, 'properties', 'itemId'],
      '${fabric_eventhouse.house.id}',
    );
    expect(mistakesOf(document)).toHaveLength(1);
    expect(validateEventstreamDefinition(document, { acceptsReferences: true })).toEqual([]);
  });

  it('checks nothing of an unknown type, and lists the node', () => {
    const document = bicyclesWith(['operators', 0, 'type'], 'Fliter');
    expect(mistakesOf(document)).toEqual([]);
    expect(unknownNodeTypes(document)).toEqual([
      { path: ['operators', 0, 'type'], what: 'operator', type: 'Fliter', suggestion: 'Filter' },
    ]);
    expect(unknownNodeTypes(bicycles())).toEqual([]);
    expect(
      mistakesOf(
        bicyclesWith(['sources', 0], { name: 'bikes', type: 'Quantum', properties: { qubits: 7 } }),
      ),
    ).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    [
      'a source with an input',
      {
        sources: [
          { name: 'a', type: 'CustomEndpoint', properties: {}, inputNodes: [{ name: 'b' }] },
        ],
      },
      'a source reads no other node',
    ],
    [
      'a default stream that reads an operator',
      {
        streams: [
          { name: 'a', type: 'DefaultStream', properties: {}, inputNodes: [{ name: 'b' }] },
        ],
      },
      'a DefaultStream reads sources; "b" is one of the operators',
    ],
  ])('refuses %s', (_, part, message) => {
    const operators = [{ name: 'b', type: 'Union', inputNodes: [{ name: 'c' }] }];
    const mistakes = validateEventstreamDefinition({
      operators,
      sources: [],
      ...(part as object),
    }).map((each) => each.message);
    expect(mistakes).toContain(message);
  });

  it('accepts a variable of a variable library in place of ids', () => {
    const reference = '$(/**/library/variable)';
    const properties = {
      connectionReference: reference,
      consumerGroupName: '$Default',
      inputSerialization: { type: 'Json' },
    };
    expect(mistakesOf({ sources: [{ name: 'a', type: 'AzureEventHub', properties }] })).toEqual([]);
    const destination = {
      name: 'd',
      type: 'Lakehouse',
      inputNodes: [{ name: 'a' }],
      properties: { itemReference: reference, deltaTable: 't' },
    };
    expect(
      mistakesOf({
        sources: [{ name: 'a', type: 'AzureEventHub', properties }],
        destinations: [destination],
      }),
    ).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'an empty schema of a lakehouse',
      { itemId: id, workspaceId: id, deltaTable: 't', schema: '' },
      '',
    ],
    [
      'an empty table of a lakehouse',
      { itemId: id, workspaceId: id, deltaTable: '' },
      'nodes.d.properties.deltaTable: must not be empty',
    ],
  ])('knows what may be empty: %s', (_, properties, mistake) => {
    const sources = [{ name: 'a', type: 'CustomEndpoint', properties: {} }];
    const destinations = [
      { name: 'd', type: 'Lakehouse', inputNodes: [{ name: 'a' }], properties },
    ];
    expect(mistakesOf({ sources, destinations })).toEqual(mistake === '' ? [] : [mistake]);
  });

  it('writes a path with the name of the node, and with its index if the name is missing or not unique', () => {
    const node = (name: unknown) => ({ name, type: 'Union', inputNodes: [] });
    const formatPath = createPathFormatter({
      operators: [node('a'), node('a'), node('two words'), node('')],
    });
    expect(
      [0, 1, 2, 3].map((index) => formatPath(['operators', index, 'properties', 'x', 1])),
    ).toEqual([
      'operators[0].properties.x[1]',
      'operators[1].properties.x[1]',
      'nodes["two words"].properties.x[1]',
      'operators[3].properties.x[1]',
    ]);
    expect(formatPath([])).toBe('$');
  });

  it('describes 33 types of sources, 2 of streams, 8 of operators, 5 of destinations', () => {
    expect(Object.values(nodeTypes).map((types) => Object.keys(types).length)).toEqual([
      33, 2, 8, 5,
    ]);
  });

  it.each([null, undefined, 1, 'text', [], [[]]])(
    'never throws on %p and never accepts it',
    (value) => {
      expect(mistakesOf(value)).not.toEqual([]);
    },
  );

  it('never throws for any input', () => {
    fc.assert(
      fc.property(
        fc.object({
          key: fc.constantFrom(
            'sources',
            'streams',
            'operators',
            'inputNodes',
            'name',
            'type',
            '__proto__',
          ),
        }),
        (value) => {
          validateEventstreamDefinition(value);
        },
      ),
    );
  });
});

describe('the properties of an eventstream', () => {
  it('allow a retention of 1 to 90 days and three throughput levels', () => {
    expect(
      validateEventstreamProperties({ retentionTimeInDays: 90, eventThroughputLevel: 'High' }),
    ).toEqual([]);
    expect(
      validateEventstreamProperties({ retentionTimeInDays: 91, eventThroughputLevel: 'Higher' }),
    ).toEqual([
      { path: ['retentionTimeInDays'], message: 'must be from 1 to 90, not 91' },
      {
        path: ['eventThroughputLevel'],
        message: 'must be one of Low, Medium, High, not "Higher"; did you mean "High"?',
      },
    ]);
  });
});
