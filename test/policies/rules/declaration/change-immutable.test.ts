import { changeImmutable } from '../../../../policies/rules/declaration/change-immutable.js';
import { changeOfGroup } from '../support/change.js';

const label = (labelId: string): object => ({ assignedLabels: [{ labelId }] });

describe('the rule change-immutable', () => {
  it.each([
    [
      'hidden members made public',
      { kind: 'unified', visibility: 'HiddenMembership' },
      { kind: 'unified', visibility: 'Public' },
    ],
    [
      'a group that roles can now be assigned to',
      { kind: 'security' },
      { kind: 'security', isAssignableToRole: true },
    ],
    [
      'another unique name',
      { kind: 'security', uniqueName: 'a' },
      { kind: 'security', uniqueName: 'b' },
    ],
    [
      'another label of a security group',
      { kind: 'security', ...label('1') },
      { kind: 'security', ...label('2') },
    ],
  ])('finds %s', (_what, before, after) => {
    expect(changeOfGroup(changeImmutable, before, after)).toEqual([
      expect.stringContaining('can never be changed'),
    ]);
  });

  it.each([
    [
      'a private group made public',
      { kind: 'unified', visibility: 'Private' },
      { kind: 'unified', visibility: 'Public' },
    ],
    ['a first unique name', { kind: 'security' }, { kind: 'security', uniqueName: 'a' }],
    [
      'another label of a unified group',
      { kind: 'unified', ...label('1') },
      { kind: 'unified', ...label('2') },
    ],
  ])('accepts %s', (_what, before, after) => {
    expect(changeOfGroup(changeImmutable, before, after)).toEqual([]);
  });
});
