import { comparisonMarkdown } from '../../../access/compare/comment.js';
import { compareAccess } from '../../../access/compare/compare.js';
import type { AccessComparison } from '../../../access/compare/comparison.js';
import { comparisonMermaid, comparisonText } from '../../../access/compare/report.js';
import { directoryFromSeed } from '../../../access/directory/from-seed.js';
import { accessModel } from '../../../access/model.js';
import { someone, stackOf } from '../support.js';

const now = Date.parse('2026-11-22T12:00:00Z');

const modelOfStacks = (directory: object) =>
  accessModel(
    ['shop', 'office'].map((stack) => ({
      ...stackOf(directory, { groups: { staff: { displayName: 'Staff' } } }),
      stack,
    })),
    directoryFromSeed([someone], 'the test'),
    { now },
  );

it('tells apps of one name in two stacks apart', () => {
  const head = modelOfStacks({});
  const base = modelOfStacks({ allowedGroups: ['staff'] });
  const changes = compareAccess(head, base);
  const comparison: AccessComparison = {
    ref: 'main',
    target: 'sandbox',
    changes,
    proofs: new Map(),
    findings: [],
    accepted: [],
    head,
    base,
  };
  for (const stack of ['shop', 'office']) {
    expect(comparisonText(comparison)).toContain(`shop (stack ${stack})\n`);
    expect(comparisonMarkdown(comparison)).toContain(`**shop (stack ${stack})**\n`);
    expect(comparisonMermaid(comparison)).toContain(`["app shop (stack ${stack})"]`);
  }
  const [only] = changes;
  const onlyOne = { ...comparison, changes: only === undefined ? [] : [only] };
  expect(comparisonText(onlyOne)).toContain('shop\n');
  expect(comparisonText(onlyOne)).not.toContain('stack');
});
