import { type Case, judgeAll } from './judge.js';

const P =
  'principals: { ada: { user: ada@c.example }, sp: { servicePrincipal: x }, dev: { device: d }, con: { contact: c@c.example }, eg: { group: E, groupKind: security }, eu: { group: U, groupKind: unified } }';
const W = 'workspaces: { w: { displayName: W, capacityId: 11111111-1111-1111-1111-111111111111 } }';
const eh = (v: string, more = ''): string => `${W}\neventhouses: { e: { workspace: w, displayName: e, ${v} } }\n${more}`;
const es = (v: string, more = ''): string => `${W}\neventstreams: { e: { workspace: w, displayName: e, ${v} } }\n${more}`;
const b64 = (t: string): string => Buffer.from(t).toString('base64');
const cases: readonly Case[] = [
  ['units 1', eh('minimumConsumptionUnits: 1'), 'eventhouse-consumption-units'],
  ['units 50.5', eh('minimumConsumptionUnits: 50.5'), 'eventhouse-consumption-units'],
  ['units 323', eh('minimumConsumptionUnits: 323'), 'eventhouse-consumption-units'],
  ['units -1', eh('creationPayload: { minimumConsumptionUnits: -1 }'), 'eventhouse-consumption-units'],
  ['units ok', eh('minimumConsumptionUnits: 51.5'), ''],
  ['units text', eh('minimumConsumptionUnits: "4.25"'), 'property-type'],
  ['name space', eh('').replace('displayName: e', 'displayName: "e e"'), 'item-display-name'],
  ['name umlaut', eh('').replace('displayName: e', 'displayName: é'), 'item-display-name'],
  ['name missing', `${W}\neventhouses: { e: { workspace: w } }`, 'property-required'],
  ['desc 257', eh('description: "' + 'x'.repeat(257) + '"'), 'item-description'],
  ['desc es 257', es('description: "' + 'x'.repeat(257) + '"'), 'item-description'],
  ['folder', eh('folderId: nope'), 'property-value'],
  ['folder null', eh('folderId: null'), ''],
  [
    'label strategy',
    eh('sensitivityLabelSettings: { labelId: 11111111-1111-1111-1111-111111111111, sensitivityLabelApplyStrategy: ignore }'),
    'item-label-strategy',
  ],
  ['label id', eh('sensitivityLabelSettings: { labelId: x }'), 'property-value'],
  [
    'def+payload',
    eh('minimumConsumptionUnits: 0, definition: { parts: [ { path: EventhouseProperties.json, payload: e30= } ] }'),
    'eventhouse-definition-conflict',
  ],
  ['part path', eh('definition: { parts: [ { path: EventhouseProps.json, payload: e30= } ] }'), 'item-definition-parts'],
  ['part base64', eh('definition: { parts: [ { path: EventhouseProperties.json, payload: "***" } ] }'), 'item-definition-parts'],
  [
    'part json',
    eh('definition: { parts: [ { path: EventhouseProperties.json, payload: ' + b64('{oops') + ' } ] }'),
    'item-definition-parts',
  ],
  [
    'part type',
    eh('definition: { parts: [ { path: EventhouseProperties.json, payload: e30=, payloadType: Inline } ] }'),
    'item-definition-parts',
  ],
  [
    'es part graph bad',
    es(
      'definition: { parts: [ { path: eventstream.json, payload: ' +
        b64(
          '{"sources":[{"name":"a","type":"SampleData","properties":{}}],"destinations":[],"streams":[],"operators":[],"compatibilityLevel":"1.0"}',
        ) +
        ' } ] }',
    ),
    'eventstream-definition',
  ],
  [
    'es part retention',
    es(
      'definition: { parts: [ { path: eventstream.json, payload: ' +
        b64('{"sources":[],"destinations":[],"streams":[],"operators":[],"compatibilityLevel":"1.0"}') +
        ' }, { path: eventstreamProperties.json, payload: ' +
        b64('{"retentionTimeInDays":900,"eventThroughputLevel":"Huge"}') +
        ' } ] }',
    ),
    'eventstream-definition',
  ],
  [
    'es dest missing',
    es(
      'definition: { sources: [ { name: in, type: CustomEndpoint } ], destinations: [ { name: out, type: Eventhouse, eventhouse: nope, properties: { dataIngestionMode: DirectIngestion } } ] }',
    ),
    'eventstream-destination',
  ],
  ['es no source', es('definition: { sources: [], destinations: [ { name: out, type: CustomEndpoint } ] }'), 'eventstream-definition'],
  [
    'es unknown input',
    es(
      'definition: { sources: [ { name: in, type: CustomEndpoint } ], destinations: [ { name: out, type: CustomEndpoint, inputNodes: [nope] } ] }',
    ),
    'eventstream-definition',
  ],
  ['es type', es('definition: { sources: [ { name: in, type: CustomEndpont } ], destinations: [] }'), 'eventstream-node-type'],
  ['es type passes', es('definition: { sources: [ { name: in, type: Quantum, properties: { qubits: 7 } } ], destinations: [] }'), ''],
  [
    'es part with commas',
    es(
      'definition: { parts: [ { path: eventstream.json, payload: ' +
        b64('{"sources":[{"name":"a","type":"CustomEndpoint","properties":{},},],}') +
        ' } ] }',
    ),
    '',
  ],
  [
    'es default stream by the name of the eventstream',
    es(
      'definition: { sources: [ { name: in, type: CustomEndpoint } ], destinations: [ { name: out, type: CustomEndpoint, inputNodes: [e-stream] } ] }',
    ).replace('displayName: e,', 'displayName: events,'),
    '',
  ],
  [
    'es default stream by its own name',
    es(
      'definition: { sources: [ { name: in, type: CustomEndpoint } ], destinations: [ { name: out, type: CustomEndpoint, inputNodes: [events-stream] } ] }',
    ).replace('displayName: e,', 'displayName: events,'),
    '',
  ],
  [
    'es no default stream without sources',
    es('definition: { destinations: [ { name: out, type: CustomEndpoint, inputNodes: [e-stream] } ] }'),
    'eventstream-definition',
  ],
  ['es retention', es('retentionTimeInDays: 91'), 'property-value'],
  ['es throughput', es('eventThroughputLevel: Huge'), 'property-value'],
  [
    'es retention + parts props',
    es(
      'retentionTimeInDays: 7, definition: { parts: [ { path: eventstream.json, payload: ' +
        b64('{"sources":[],"destinations":[],"streams":[],"operators":[],"compatibilityLevel":"1.0"}') +
        ' }, { path: eventstreamProperties.json, payload: ' +
        b64('{"retentionTimeInDays":9}') +
        ' } ] }',
    ),
    'eventstream-definition',
  ],
  ['es platform', es('definition: { parts: [ { path: .platform, payload: e30= } ] }'), 'item-definition-parts'],
  ['names dup', `${W}\neventhouses: { a: { workspace: w, displayName: x }, b: { workspace: w, displayName: X } }`, 'item-name-unique'],
  ['no capacity', 'workspaces: { w: { displayName: W } }\neventhouses: { a: { workspace: w, displayName: x } }', 'workspace-capacity'],
  ['ws reserved', 'workspaces: { w: { displayName: my workspace } }', 'workspace-name'],
  ['ws dup names', 'workspaces: { w: { displayName: A }, v: { displayName: a } }', 'workspace-name-unique'],
  [
    'ws role twice',
    P + '\nworkspaces: { w: { displayName: W, roles: [ { principal: ada, role: Admin }, { principal: ada, role: Viewer } ] } }',
    'workspace-roles',
  ],
  ['ws role device', P + '\nworkspaces: { w: { displayName: W, roles: [ { principal: dev, role: Admin } ] } }', 'workspace-roles'],
  ['ws role', P + '\nworkspaces: { w: { displayName: W, roles: [ { principal: ada, role: Owner } ] } }', 'property-value'],
];

describe('what the document on items says', () => judgeAll(cases));
