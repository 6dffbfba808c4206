import { omitUndefined } from '../../../core/values/omit-undefined.js';
import {
  changesOutputs,
  plannedChanges,
  type ResourceChange,
  type TerraformPlan,
} from '../../../stacks/terraform/plan.js';

const change = (
  type: string,
  actions: ResourceChange['change']['actions'],
  mode: ResourceChange['mode'] = 'managed',
  replace?: string[][],
): ResourceChange => ({
  address: `${type}.it`,
  type,
  name: 'it',
  mode,
  change: { actions, before: null, after: null, ...omitUndefined({ replace_paths: replace }) },
});
const planOf = (...changes: ResourceChange[]): TerraformPlan => ({ resource_changes: changes });

describe('the changes of a plan', () => {
  it('leaves out what does not change and what is only read', () => {
    expect(
      plannedChanges(
        planOf(change('azuread_group', ['no-op']), change('azuread_user', ['read'], 'data')),
      ),
    ).toEqual([]);
  });

  it('reports that a replaced eventhouse loses its events, and the attribute that forces the replacement', () => {
    expect(
      plannedChanges(
        planOf(
          change('fabric_eventhouse', ['delete', 'create'], 'managed', [
            ['configuration', 'minimum_consumption_units'],
          ]),
        ),
      ),
    ).toEqual([
      {
        address: 'fabric_eventhouse.it',
        type: 'fabric_eventhouse',
        action: 'replace',
        because: ['configuration.minimum_consumption_units'],
        loss: 'every event that the eventhouse holds',
      },
    ]);
  });

  it('reports the loss named in the description of the replacing property', () => {
    const replaced = change('azuread_group', ['delete', 'create'], 'managed', [
      ['behaviors'],
      ['mail_nickname'],
    ]);
    expect(plannedChanges(planOf(replaced))[0]?.loss).toBe(
      'every access granted to the group; the mail of the group and every access granted to it',
    );
  });

  it('treats a replacement that creates first as a replacement', () => {
    expect(
      plannedChanges(planOf(change('azuread_application_password', ['create', 'delete']))),
    ).toMatchObject([{ action: 'replace' }]);
  });

  it.each(['azuread_group', 'azuread_application_registration', 'azuread_application'])(
    'calls the deletion of %s a loss',
    (type) => {
      expect(plannedChanges(planOf(change(type, ['delete'])))[0]?.loss).toBeDefined();
    },
  );

  it('reports no loss for an update in place', () => {
    expect(
      plannedChanges(planOf(change('fabric_eventhouse', ['update'])))[0]?.loss,
    ).toBeUndefined();
  });

  it('sees a change of outputs alone', () => {
    expect(changesOutputs({ output_changes: { url: { actions: ['create'] } } })).toBe(true);
    expect(changesOutputs({ output_changes: { url: { actions: ['no-op'] } } })).toBe(false);
  });
});
