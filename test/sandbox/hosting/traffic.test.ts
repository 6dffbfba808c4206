import fc from 'fast-check';
import { pickByWeight, revisionShares } from '../../../sandbox/hosting/traffic.js';
import type { DeclaredApp } from '../../../services/resource-manager/index.js';

const app = (
  mode: string,
  traffic: readonly object[],
  names = ['web--a', 'web--b', 'web--c'],
): DeclaredApp => ({
  id: '/web',
  name: 'web',
  secrets: [],
  properties: { configuration: { activeRevisionsMode: mode, ingress: { traffic } } },
  revisions: names.map((name) => ({ name, template: {} })),
});
const shares = (declared: DeclaredApp): unknown[] =>
  revisionShares(declared).map(({ name, weight, labels }) => [name, weight, ...labels]);

test('single mode runs the latest revision, whatever the traffic says', () => {
  expect(shares(app('Single', [{ latestRevision: true, weight: 100, label: 'now' }]))).toEqual([
    ['web--c', 100, 'now'],
  ]);
});

test('multiple mode runs what has traffic or a label, and the latest', () => {
  const traffic = [
    { revisionName: 'web--a', weight: 80 },
    { latestRevision: true, weight: 20 },
    { revisionName: 'web--b', weight: 0, label: 'before' },
  ];
  expect(shares(app('Multiple', traffic))).toEqual([
    ['web--a', 80],
    ['web--b', 0, 'before'],
    ['web--c', 20],
  ]);
  expect(shares(app('multiple', [{ revisionName: 'web--a', weight: 100 }]))).toEqual([
    ['web--a', 100],
    ['web--c', 0],
  ]);
});

test('multiple mode without traffic sends all requests to the latest', () => {
  expect(shares(app('Multiple', []))).toEqual([['web--c', 100]]);
});

test('an app without revisions runs nothing', () => {
  expect(shares(app('Single', [], []))).toEqual([]);
});

test('requests are shared by weight, exactly', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100), { minLength: 1, maxLength: 5 }), (weights) => {
      const entries = weights.map((weight, name) => ({ name, weight }));
      const sum = weights.reduce((all, weight) => all + weight, 0);
      const counts = weights.map(() => 0);
      for (let request = 0; request < sum; request++) {
        const picked = pickByWeight(entries, (request + 0.5) / sum);
        if (picked !== undefined) counts[picked.name] = (counts[picked.name] ?? 0) + 1;
      }
      expect(counts).toEqual(weights);
    }),
  );
  expect(pickByWeight([{ weight: 0 }], 0)).toBeUndefined();
});
