import { testRule } from '../support/test-rule.js';
import { base64, eventstream } from '../support/stacks.js';

testRule('eventstream-definition', {
  finds: [
    [
      'a source in a part that lacks what its type needs',
      eventstream(
        'definition: { parts: [ { path: eventstream.json, payload: ' +
          base64(
            '{"sources":[{"name":"a","type":"SampleData","properties":{}}],"destinations":[],"streams":[],"operators":[],"compatibilityLevel":"1.0"}',
          ) +
          ' } ] }',
      ),
    ],
    [
      'settings in a part beyond their limits',
      eventstream(
        'definition: { parts: [ { path: eventstream.json, payload: ' +
          base64(
            '{"sources":[],"destinations":[],"streams":[],"operators":[],"compatibilityLevel":"1.0"}',
          ) +
          ' }, { path: eventstreamProperties.json, payload: ' +
          base64('{"retentionTimeInDays":900,"eventThroughputLevel":"Huge"}') +
          ' } ] }',
      ),
    ],
    [
      'a destination that nothing flows to',
      eventstream(
        'definition: { sources: [], destinations: [ { name: out, type: CustomEndpoint } ] }',
      ),
    ],
    [
      "an input that isn't a node",
      eventstream(
        'definition: { sources: [ { name: in, type: CustomEndpoint } ], destinations: [ { name: out, type: CustomEndpoint, inputNodes: [nope] } ] }',
      ),
    ],
    [
      'the default stream of an eventstream without sources',
      eventstream(
        'definition: { destinations: [ { name: out, type: CustomEndpoint, inputNodes: [e-stream] } ] }',
      ),
    ],
    [
      'a retention beside the part that says another one',
      eventstream(
        'retentionTimeInDays: 7, definition: { parts: [ { path: eventstream.json, payload: ' +
          base64(
            '{"sources":[],"destinations":[],"streams":[],"operators":[],"compatibilityLevel":"1.0"}',
          ) +
          ' }, { path: eventstreamProperties.json, payload: ' +
          base64('{"retentionTimeInDays":9}') +
          ' } ] }',
      ),
    ],
  ],
  passes: [
    [
      "a type of node that isn't described",
      eventstream(
        'definition: { sources: [ { name: in, type: Quantum, properties: { qubits: 7 } } ], destinations: [] }',
      ),
    ],
    [
      'a document with commas too many, which the service takes',
      eventstream(
        'definition: { parts: [ { path: eventstream.json, payload: ' +
          base64('{"sources":[{"name":"a","type":"CustomEndpoint","properties":{},},],}') +
          ' } ] }',
      ),
    ],
    [
      'the default stream by the name of the eventstream in this file',
      eventstream(
        'definition: { sources: [ { name: in, type: CustomEndpoint } ], destinations: [ { name: out, type: CustomEndpoint, inputNodes: [e-stream] } ] }',
      ).replace('displayName: e,', 'displayName: events,'),
    ],
    [
      'the default stream by the name that it gets',
      eventstream(
        'definition: { sources: [ { name: in, type: CustomEndpoint } ], destinations: [ { name: out, type: CustomEndpoint, inputNodes: [events-stream] } ] }',
      ).replace('displayName: e,', 'displayName: events,'),
    ],
  ],
});
