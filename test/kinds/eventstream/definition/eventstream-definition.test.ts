import fc from 'fast-check';
import {
  definitionPath,
  validateEventstreamDefinition,
  validateEventstreamProperties,
} from '../../../../kinds/eventstream/definition/index.js';
import { sourceTypes } from '../../../../kinds/eventstream/definition/index.js';

const id = '4c8c3353-9652-4567-b8f3-eb585ef01ba9';

/** A whole eventstream: sample data, filtered, into an eventhouse. */
function bicycles(): Record<string, Record<string, unknown>[]> & { compatibilityLevel?: string } {
  return {
    sources: [{ name: 'bikes', type: 'SampleData', properties: { type: 'Bicycles' } }],
    streams: [{ id, name: 'bikes-stream', type: 'DefaultStream', properties: {}, inputNodes: [{ name: 'bikes' }] }],
    operators: [
      {
        name: 'empty',
        type: 'Filter',
        inputNodes: [{ name: 'bikes-stream' }],
        properties: {
          conditions: [
            { column: { node: 'bikes-stream', columnName: 'No_Bikes' }, operatorType: 'Equals', value: { dataType: 'BigInt', value: '0' } },
          ],
        },
      },
    ],
    destinations: [
      {
        name: 'house',
        type: 'Eventhouse',
        properties: { dataIngestionMode: 'ProcessedIngestion', workspaceId: id, itemId: id, databaseName: 'db', tableName: 't' },
        inputNodes: [{ name: 'empty' }],
      },
    ],
  };
}

const mistakesOf = (value: unknown): string[] =>
  validateEventstreamDefinition(value).map(({ path, message }) => `${definitionPath(path)}: ${message}`);

/** A copy of the sound document with one place changed. */
function changed(path: readonly (string | number)[], value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(bicycles())) as Record<string, unknown>;
  let place = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) place = place[step] as Record<string | number, unknown>;
  const last = path[path.length - 1] ?? '';
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy;
}

describe('an eventstream definition', () => {
  it('is sound when every node is', () => expect(mistakesOf(bicycles())).toEqual([]));
  it('may be empty', () => {
    expect(mistakesOf({ sources: [], destinations: [], streams: [], operators: [], compatibilityLevel: '1.0' })).toEqual([]);
  });

  it.each<[string, readonly (string | number)[], unknown, string]>([
    ['an unknown source type', ['sources', 0, 'type'], 'SampelData', 'sources[0].type: must be one of'],
    ['a missing name', ['sources', 0, 'name'], undefined, 'sources[0].name: is missing'],
    ['a missing property', ['sources', 0, 'properties'], {}, 'sources[0].properties.type: is missing'],
    ['an unknown sample', ['sources', 0, 'properties', 'type'], 'Trains', 'sources[0].properties.type: must be one of YellowTaxi'],
    ['an unknown stream type', ['streams', 0, 'type'], 'Stream', 'streams[0].type: must be one of DefaultStream, DerivedStream'],
    [
      'an input that is not there',
      ['operators', 0, 'inputNodes', 0, 'name'],
      'bikes-strem',
      'operators[0].inputNodes[0].name: there is no node named "bikes-strem"; did you mean "bikes-stream"?',
    ],
    ['no input', ['destinations', 0, 'inputNodes'], [], 'destinations[0].inputNodes: must have at least 1 entry'],
    [
      'a destination as an input',
      ['operators', 0, 'inputNodes', 0, 'name'],
      'house',
      'operators[0].inputNodes[0].name: "house" is a destination',
    ],
    ['a name used twice', ['operators', 0, 'name'], 'bikes', 'operators[0].name: the name "bikes" is already that of sources[0]'],
    [
      'an unknown operator',
      ['operators', 0, 'type'],
      'Fliter',
      'operators[0].type: must be one of Filter, Join, ManageFields, Aggregate, GroupBy, Union, Expand, SQL, not "Fliter"; did you mean "Filter"?',
    ],
    [
      'an unknown comparison',
      ['operators', 0, 'properties', 'conditions', 0, 'operatorType'],
      'Equal',
      'operators[0].properties.conditions[0].operatorType: must be one of Equals',
    ],
    [
      'a comparison without a value',
      ['operators', 0, 'properties', 'conditions', 0, 'value'],
      undefined,
      'operators[0].properties.conditions[0].value: is missing',
    ],
    [
      'a destination without its item',
      ['destinations', 0, 'properties', 'itemId'],
      undefined,
      'destinations[0].properties.itemId: is missing',
    ],
    ['an item id that is none', ['destinations', 0, 'properties', 'itemId'], 'house', 'destinations[0].properties.itemId: must be a UUID'],
    [
      'an unknown ingestion',
      ['destinations', 0, 'properties', 'dataIngestionMode'],
      'Direct',
      'destinations[0].properties.dataIngestionMode: must be one of DirectIngestion, ProcessedIngestion',
    ],
    [
      'a processed ingestion without a table',
      ['destinations', 0, 'properties', 'tableName'],
      undefined,
      'destinations[0].properties.tableName: is missing',
    ],
    [
      'a misspelt optional property',
      ['destinations', 0, 'inputSchema'],
      [],
      'destinations[0].inputSchema: is not known; did you mean "inputSchemas"?',
    ],
    ['an unknown list', ['sinks'], [], 'sinks: is not known'],
    ['an unknown level', ['compatibilityLevel'], '2.0', 'compatibilityLevel: must be one of 1.0, 1.1'],
    ['something that is no list', ['streams'], {}, 'streams: must be a list, not an object'],
  ])('names the place of %s', (_what, path, value, expected) => {
    expect(mistakesOf(changed(path, value)).some((line) => line.startsWith(expected))).toBe(true);
  });

  it('refuses a circle and says which', () => {
    const union = (name: string, input: string): unknown => ({ name, type: 'Union', inputNodes: [{ name: input }] });
    expect(mistakesOf({ operators: [union('a', 'b'), union('b', 'a')] })).toEqual([
      'operators[1].inputNodes[0].name: events would flow in a circle: a -> b -> a',
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
    ).toEqual(['streams[1].type: there is at most one DefaultStream, and "a" is one already']);
  });

  it('joins exactly two', () => {
    const join = {
      name: 'j',
      type: 'Join',
      inputNodes: [{ name: 's' }],
      properties: { joinType: 'Inner', duration: { value: 1, unit: 'Minute' } },
    };
    const document = { streams: [{ name: 's', type: 'DefaultStream', inputNodes: [], properties: {} }], operators: [join] };
    expect(mistakesOf(document)).toEqual(['operators[0].inputNodes: a Join has exactly two input nodes, not 1']);
  });

  it('lets references of Terraform stand for ids where asked', () => {
    const document = changed(['destinations', 0, 'properties', 'itemId'], '${fabric_eventhouse.house.id}');
    expect(mistakesOf(document)).toHaveLength(1);
    expect(validateEventstreamDefinition(document, { references: true })).toEqual([]);
  });

  it('knows all 33 types of sources', () => expect(sourceTypes).toHaveLength(33));

  it.each([null, undefined, 1, 'text', [], [[]]])('never throws on %p and never accepts it', (value) => {
    expect(mistakesOf(value)).not.toEqual([]);
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.object({ key: fc.constantFrom('sources', 'streams', 'operators', 'inputNodes', 'name', 'type', '__proto__') }),
        (value) => {
          validateEventstreamDefinition(value);
        },
      ),
    );
  });
});

describe('the properties of an eventstream', () => {
  it('allow 1 to 90 days and three levels', () => {
    expect(validateEventstreamProperties({ retentionTimeInDays: 90, eventThroughputLevel: 'High' })).toEqual([]);
    expect(validateEventstreamProperties({ retentionTimeInDays: 91, eventThroughputLevel: 'Higher' })).toEqual([
      { path: ['retentionTimeInDays'], message: 'must be from 1 to 90, not 91' },
      { path: ['eventThroughputLevel'], message: 'must be one of Low, Medium, High, not "Higher"; did you mean "High"?' },
    ]);
  });
});
