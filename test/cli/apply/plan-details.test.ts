import { describePlan } from '../../../cli/apply/plan-details.js';
import { toStackPlan } from '../../../cli/apply/plan-stacks.js';
import { plainOutput } from '../../../core/text/terminal.js';
import type { RunnableStack } from '../../../cli/apply/session.js';
import type { ResourceChange, TerraformPlan } from '../../../stacks/terraform/plan.js';

const resource = (change: ResourceChange['change']): ResourceChange => ({
  address: 'azuread_group.g',
  type: 'azuread_group',
  name: 'g',
  mode: 'managed',
  change,
});
const textOfPlan = (plan: TerraformPlan): string =>
  describePlan(toStackPlan({ name: 'shop' } as RunnableStack, plan), plainOutput);

describe('describing a plan', () => {
  it('shows the attributes of a resource that an update changes, without the others', () => {
    const plan = {
      resource_changes: [
        resource({
          actions: ['update'],
          before: { description: 'Who', owners: ['a'], theme: 'Teal', same: 1 },
          after: { description: 'Everyone', owners: ['a', 'b'], theme: null, same: 1 },
        }),
      ],
    };
    expect(textOfPlan(plan)).toBe(
      [
        'shop: 0 to create, 1 to update, 0 to replace, 0 to delete',
        '    ~ azuread_group.g',
        '        ~ description: "Who" -> "Everyone"',
        '        + owners.1: "b"',
        '        - theme: "Teal"',
        '',
      ].join('\n'),
    );
  });

  it('shows no secret inside a block that is added or removed', () => {
    const plan = {
      resource_changes: [
        resource({
          actions: ['update'],
          before: { env: [{ name: 'A' }], old: { secret: 'OLDSECRET' } },
          after: { env: [{ name: 'A' }, { name: 'B', value: 'TOPSECRET' }] },
          before_sensitive: { env: [{}], old: { secret: true } },
          after_sensitive: { env: [{}, { value: true }] },
        }),
      ],
    };
    const text = textOfPlan(plan);
    expect(text).toContain('+ env.1: (secret)');
    expect(text).toContain('- old: (secret)');
    expect(text).not.toMatch(/SECRET/);
  });

  it('never shows secrets, and says what is only known after the apply', () => {
    const plan = {
      resource_changes: [
        resource({
          actions: ['update'],
          before: { password: 'old', secret: [{ value: 'x' }], id: '1', output: { a: 1 } },
          after: { password: 'new', secret: [{ value: 'y' }] },
          before_sensitive: { password: true, secret: true },
          after_sensitive: { password: true, secret: true },
          after_unknown: { id: true, output: true },
        }),
      ],
    };
    const text = textOfPlan(plan);
    expect(text).toContain('~ password: (secret) -> (secret)');
    expect(text).toContain('~ secret.0.value: (secret) -> (secret)');
    expect(text).toContain('~ id: "1" -> (known after apply)');
    expect(text).not.toContain('output');
    expect(text).not.toMatch(/old|new|"x"|"y"/);
  });

  it('leaves out attributes that a replacement computes anew', () => {
    const plan = {
      resource_changes: [
        resource({
          actions: ['delete', 'create'],
          before: { id: '1', mail_nickname: 'a' },
          after: { mail_nickname: 'b' },
          after_unknown: { id: true },
          replace_paths: [['mail_nickname']],
        }),
      ],
    };
    expect(textOfPlan(plan)).toContain('~ mail_nickname: "a" -> "b"');
    expect(textOfPlan(plan)).not.toContain('~ id');
  });

  it('names outputs that change', () => {
    expect(textOfPlan({ output_changes: { url: { actions: ['update'] } } })).toContain(
      'outputs change: url',
    );
  });
});
