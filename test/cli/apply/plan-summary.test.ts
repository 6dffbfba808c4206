import {
  describeAppliedCounts,
  describePlannedCounts,
  describeChanges,
  summarizeChanges,
} from '../../../cli/apply/plan-summary.js';
import type { PlannedChange } from '../../../stacks/terraform/plan.js';

const change = (
  action: PlannedChange['action'],
  properties: Partial<PlannedChange> = {},
): PlannedChange => ({
  address: 'azuread_group.g',
  type: 'azuread_group',
  action,
  because: [],
  ...properties,
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
    expect(describePlannedCounts([change('create'), change('update'), change('update')])).toBe(
      '1 to create, 2 to update, 0 to replace, 0 to delete',
    );
  });

  it('counts applied changes of the kinds that occurred', () => {
    expect(describeAppliedCounts([change('create'), change('create'), change('delete')])).toBe(
      '2 resources created, 1 resource deleted',
    );
    expect(describeAppliedCounts([])).toBe('outputs changed');
  });

  it('groups many changes by type, and names those that lose data', () => {
    const created = Array.from({ length: 47 }, (_, index) =>
      change('create', { address: `azuread_group.g${index}` }),
    );
    const app = change('create', {
      address: 'azurerm_container_app.a',
      type: 'azurerm_container_app',
    });
    const lost = change('delete', { address: 'azuread_group.old', loss: 'its object id' });
    expect(summarizeChanges([...created, app, lost])).toEqual([
      '    + 47 azuread_group: g0, g1, g2 and 44 more',
      '    +  1 azurerm_container_app: a',
      '    - azuread_group.old',
      '      loss of data: deleting it loses its object id',
    ]);
    expect(summarizeChanges([app])).toEqual(describeChanges([app]));
  });
});
