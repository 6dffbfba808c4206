import Ajv from 'ajv/dist/2020.js';
import { validateEventstreamDefinition } from '../../../kinds/eventstream/definition/index.js';
import { editorNodeSchema } from '../../../kinds/eventstream/editor-nodes.js';
import { type NodeListName, nodeLists, nodeTypes } from '../../../kinds/eventstream/nodes/index.js';
import { eventstreamDocument } from '../../../kinds/eventstream/declared-graph.js';

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const validators = Object.fromEntries(
  nodeLists.map((list) => [list, ajv.compile(editorNodeSchema(list))]),
);
const id = '4c8c3353-9652-4567-b8f3-eb585ef01ba9';

/** Whether the editor takes a node, and whether the check does. */
function verdicts(list: NodeListName, node: object): readonly [editor: boolean, check: boolean] {
  const sources = list === 'sources' ? [node] : [{ name: 'in', type: 'CustomEndpoint' }];
  const graph = { sources, [list]: [node] };
  const document = eventstreamDocument(graph, {
    displayName: 'e',
    eventhouseIds: () => ({ workspaceId: id, itemId: id }),
  });
  return [validators[list]?.(node) === true, validateEventstreamDefinition(document).length === 0];
}

describe("the editor's schema of a node", () => {
  it.each<[NodeListName, object, boolean]>([
    ['sources', { name: 'a', type: 'CustomEndpoint' }, true],
    ['sources', { name: 'a', type: 'Quantum', properties: { qubits: 7 } }, true],
    ['sources', { name: 'a' }, false],
    ['sources', { name: 'a', type: 'SampleData' }, false],
    ['sources', { name: 'a', type: 'SampleData', properties: { type: 'Trains' } }, false],
    ['sources', { name: 'a', type: 'SampleData', properties: { type: 'Buses' } }, true],
    ['sources', { name: 'a', type: 'AmazonKinesis', properties: { region: 'eu-west-1' } }, false],
    [
      'sources',
      {
        name: 'a',
        type: 'AmazonKinesis',
        properties: { region: 'eu-west-1', dataConnectionId: id, startTimestamp: null },
      },
      true,
    ],
    [
      'sources',
      {
        name: 'a',
        type: 'AmazonKinesis',
        properties: { region: 'eu-west-1', connectionReference: '$(/**/l/v)' },
      },
      true,
    ],
    [
      'sources',
      { name: 'a', type: 'RealTimeWeather', properties: { latitude: 91, longitude: 0 } },
      false,
    ],
    [
      'sources',
      {
        name: 'a',
        type: 'AzureServiceBus',
        properties: { dataConnectionId: id, serviceBusType: 'Topic', topicOrQueueName: 't' },
      },
      false,
    ],
    [
      'sources',
      {
        name: 'a',
        type: 'AzureServiceBus',
        properties: { dataConnectionId: id, serviceBusType: 'Queue', topicOrQueueName: 't' },
      },
      true,
    ],
    ['streams', { name: 's', type: 'DefaultStream', inputNodes: ['in'] }, true],
    ['streams', { name: 's', type: 'DerivedStream' }, false],
    ['operators', { name: 'o', type: 'Union', inputNodes: ['in'] }, true],
    [
      'operators',
      { name: 'o', type: 'Filter', inputNodes: ['in'], properties: { conditions: [] } },
      false,
    ],
    [
      'operators',
      {
        name: 'o',
        type: 'Filter',
        inputNodes: [{ name: 'in' }],
        properties: {
          conditions: [{ column: { node: null, columnName: 'c' }, operatorType: 'IsNull' }],
        },
      },
      true,
    ],
    [
      'destinations',
      { name: 'd', type: 'Eventhouse', eventhouse: 'store', inputNodes: ['in'] },
      true,
    ],
    [
      'destinations',
      {
        name: 'd',
        type: 'Eventhouse',
        eventhouse: 'store',
        properties: { dataIngestionMode: 'ProcessedIngestion' },
      },
      false,
    ],
    [
      'destinations',
      {
        name: 'd',
        type: 'Lakehouse',
        properties: { workspaceId: id, itemId: id, deltaTable: 't', schema: '' },
      },
      true,
    ],
  ])('accepts or refuses a node of %s as the check does: %j', (list, node, isSound) => {
    expect(verdicts(list, node)).toEqual([isSound, isSound]);
  });

  it('has every type with a description, for completion', () => {
    for (const list of nodeLists) {
      const { type } = (
        editorNodeSchema(list) as {
          properties: { type: { anyOf: { const?: string; description?: string }[] } };
        }
      ).properties;
      expect(type.anyOf.slice(0, -1).map((each) => each.const)).toEqual(
        Object.keys(nodeTypes[list]),
      );
      for (const each of type.anyOf.slice(0, -1)) expect(each.description).toMatch(/\.$/);
    }
  });
});
