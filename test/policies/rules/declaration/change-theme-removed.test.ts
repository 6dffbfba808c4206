import { changeThemeRemoved } from '../../../../policies/rules/declaration/change-theme-removed.js';
import { changeOfGroup } from '../support/change.js';

describe('the rule change-theme-removed', () => {
  it('finds a theme that is no longer declared', () => {
    const messages = changeOfGroup(
      changeThemeRemoved,
      { kind: 'unified', theme: 'Teal' },
      { kind: 'unified' },
    );
    expect(messages).toEqual([expect.stringContaining('the theme was Teal and is gone')]);
  });

  it.each([
    ['another theme', { theme: 'Teal' }, { theme: 'Red' }],
    ['a first theme', {}, { theme: 'Red' }],
  ])('accepts %s', (_what, before, after) => {
    expect(
      changeOfGroup(
        changeThemeRemoved,
        { kind: 'unified', ...before },
        { kind: 'unified', ...after },
      ),
    ).toEqual([]);
  });
});
