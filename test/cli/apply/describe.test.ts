import { countDone, countPlanned, describeChanges } from '../../../cli/apply/describe.js';
import type { PlannedChange } from '../../../stacks/engine/plan.js';

const change = (
  action: PlannedChange['action'],
  given: Partial<PlannedChange> = {},
): PlannedChange => ({
  address: 'azuread_group.g',
  type: 'azuread_group',
  action,
  because: [],
  ...given,
});

describe('describing changes', () => {
  it('names what forces a replacement and what is lost', () => {
    expect(
      describeChanges([change('replace', { because: ['mail_nickname'], loss: 'its object id' })]),
    ).toEqual([
      '  -/+ azuread_group.g  (forced by mail_nickname)',
      '      loss of data: replacing it loses its object id',
    ]);
  });

  it('counts planned changes of each kind', () => {
    expect(countPlanned([change('create'), change('update'), change('update')])).toBe(
      '1 to create, 2 to update, 0 to replace, 0 to delete',
    );
  });

  it('counts applied changes of the kinds that occurred', () => {
    expect(countDone([change('create'), change('create'), change('delete')])).toBe(
      '2 resources created, 1 resource deleted',
    );
    expect(countDone([])).toBe('outputs changed');
  });
});
