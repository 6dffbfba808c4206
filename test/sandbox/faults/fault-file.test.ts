import { faultPresets, faultPlanOfPreset } from '../../../sandbox/faults/presets.js';
import { parseFaults } from '../../../sandbox/faults/fault-file.js';

test('reads presets, faults and a seed', () => {
  const text = [
    'seed: 7',
    'presets: [throttling]',
    'faults:',
    '  - fault: slow',
    '    operation: GET /groups/*',
    '    seconds: 0.5',
  ].join('\n');
  expect(parseFaults(text, 'faults.yaml')).toEqual({
    name: 'faults.yaml',
    seed: 7,
    faults: [
      ...(faultPresets['throttling']?.faults ?? []),
      { fault: 'slow', operation: 'GET /groups/*', seconds: 0.5 },
    ],
  });
});

test.each([
  ['faults:\n  - fault: throtled\n', 'f.yaml:2:12: "fault" is "throtled"; did you mean'],
  ['faults:\n  - fault: slow\n    shares: 1\n', 'f.yaml:3:5: "shares" is no key of a fault; did'],
  ['faults:\n  - fault: slow\n    share: 3\n', 'f.yaml:3:12: "share" is 3, but must be a number'],
  ['faults:\n  - service: items\n', 'f.yaml:2:5: a fault needs "fault"'],
  ['faults:\n  - fault: reset\n    operation: /groups\n', 'f.yaml:3:16: "operation" is "/groups"'],
  ['faults: slow\n', 'f.yaml:1:9: "faults" is not a list'],
  ['presets: [consistensy]\n', 'f.yaml:1:11: a preset is "consistensy"; did you mean'],
  ['fault: slow\n', 'f.yaml:1:1: "fault" is no key of a file of faults'],
  ['faults: [\n', 'f.yaml:'],
])('says where %j is wrong', (text, message) => {
  expect(() => parseFaults(text, 'f.yaml')).toThrow(message);
});

test('every preset names the issue that it comes from, and is valid', () => {
  for (const [name, { faults, issueUrl, summary }] of Object.entries(faultPresets)) {
    expect(issueUrl).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/issues\/\d+$/);
    expect(summary).not.toBe('');
    expect(parseFaults(JSON.stringify({ faults }), name).faults).toEqual(faults);
  }
  expect(() => faultPlanOfPreset('consistent')).toThrow('did you mean "consistency"?');
});
