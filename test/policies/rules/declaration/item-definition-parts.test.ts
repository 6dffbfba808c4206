import { testRule } from '../support/test-rule.js';
import { base64, eventhouse, eventstream } from '../support/stacks.js';

testRule('item-definition-parts', {
  finds: [
    [
      "a part at a path that the service doesn't know",
      eventhouse('definition: { parts: [ { path: EventhouseProps.json, payload: e30= } ] }'),
    ],
    [
      "a part that isn't base64",
      eventhouse('definition: { parts: [ { path: EventhouseProperties.json, payload: "***" } ] }'),
    ],
    [
      "a part that isn't JSON",
      eventhouse(
        'definition: { parts: [ { path: EventhouseProperties.json, payload: ' +
          base64('{oops') +
          ' } ] }',
      ),
    ],
    [
      'a part written in another way than base64',
      eventhouse(
        'definition: { parts: [ { path: EventhouseProperties.json, payload: e30=, payloadType: Inline } ] }',
      ),
    ],
    [
      "a part with the platform's own file",
      eventstream('definition: { parts: [ { path: .platform, payload: e30= } ] }'),
    ],
  ],
});
