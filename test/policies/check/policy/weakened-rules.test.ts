import { type KnownRule, weakenedRules } from '../../../../policies/check/policy/weakened-rules.js';
import type { PolicyConfig } from '../../../../kinds/policy/schema.js';

const integer = { type: 'integer' };
const rules: readonly KnownRule[] = [
  {
    id: 'limit',
    severity: 'warning',
    options: {
      type: 'object',
      properties: {
        limit: integer,
        allowAll: { type: 'boolean' },
        except: { type: 'array' },
        prefixes: { type: 'array', 'x-demand': true },
      },
    },
  },
  { id: 'of-a-pack', severity: 'error' },
];
const targets = { stacks: ['shop'], environments: ['prod'] };

type Policy = Omit<PolicyConfig, 'version'>;
/** What a change of the policy weakens, as `kind path`. */
const weakened = (before: Policy, now: Policy): readonly string[] =>
  weakenedRules({ version: 1, ...now }, { version: 1, ...before }, rules, targets).map(
    (each) => `${each.weakened} ${each.path.join('.')}`,
  );
const withOptions = (options: object, id = 'limit'): Policy => ({
  rules: { [id]: { options: { ...options } } },
});

describe('a policy that is changed', () => {
  it.each<[what: string, before: Policy, now: Policy, weaker: string[], wayBack?: string[]]>([
    ['switches a rule off', {}, { rules: { limit: 'off' } }, ['rule-off rules.limit']],
    [
      'lowers a severity',
      { rules: { limit: 'error' } },
      { rules: { limit: 'warning' } },
      ['severity rules.limit'],
    ],
    ['falls back to a lower severity', { rules: { limit: 'error' } }, {}, ['severity rules.limit']],
    [
      'switches a rule off for a stack',
      {},
      { scopes: [{ stacks: ['shop'], rules: { limit: 'off' } }] },
      ['rule-off scopes.0.rules.limit'],
    ],
    [
      'switches a rule off for an environment of a stack',
      {},
      { scopes: [{ stacks: ['shop'], environments: ['prod'], rules: { limit: 'off' } }] },
      ['rule-off scopes.0.rules.limit'],
    ],
    [
      'drops a stricter scope',
      { scopes: [{ environments: ['prod'], rules: { limit: 'error' } }] },
      {},
      ['severity rules.limit'],
    ],
    [
      'unlocks rules',
      { locked: ['limit', 'of-a-pack'] },
      { locked: ['limit'] },
      ['rule-off locked'],
    ],
    ['unlocks all rules', { locked: ['limit'] }, {}, ['rule-off locked']],
    [
      'raises a limit',
      withOptions({ limit: 1 }),
      withOptions({ limit: 2 }),
      ['option rules.limit'],
    ],
    [
      'drops a limit, or sets one: the default may be stricter',
      withOptions({ limit: 1 }),
      {},
      ['option rules.limit'],
      ['option rules.limit'],
    ],
    [
      'allows something',
      withOptions({ allowAll: false }),
      withOptions({ allowAll: true }),
      ['option rules.limit'],
    ],
    [
      'has another exception',
      withOptions({ except: ['a', 'b'] }),
      withOptions({ except: ['b', 'c'] }),
      ['option rules.limit'],
      ['option rules.limit'],
    ],
    [
      'demands less',
      withOptions({ prefixes: ['a', 'b'] }),
      withOptions({ prefixes: ['a'] }),
      ['option rules.limit'],
    ],
    [
      'changes an option of a pack, whose meaning is not known',
      withOptions({ least: 2 }, 'of-a-pack'),
      withOptions({ least: 3 }, 'of-a-pack'),
      ['option rules.of-a-pack'],
      ['option rules.of-a-pack'],
    ],
    [
      'lets suppressions run for longer',
      { suppressionLimits: { longest: '30d' } },
      { suppressionLimits: { longest: '31d' } },
      ['suppression suppressionLimits'],
    ],
    [
      'lets suppressions run without an end',
      { suppressionLimits: { longest: '30d' } },
      {},
      ['suppression suppressionLimits'],
    ],
    [
      'lets one more approve',
      { suppressionLimits: { approvedBy: ['@security'] } },
      { suppressionLimits: { approvedBy: ['@security', '@all'] } },
      ['suppression suppressionLimits'],
    ],
    [
      'lets somebody approve where the included policies name nobody together',
      { suppressionLimits: { approvedBy: [] } },
      { suppressionLimits: { approvedBy: ['@all'] } },
      ['suppression suppressionLimits'],
    ],
    [
      'lets everybody approve',
      { suppressionLimits: { approvedBy: ['@security'] } },
      { suppressionLimits: {} },
      ['suppression suppressionLimits'],
    ],
  ])('is weaker when it %s', (_what, before, now, weaker, wayBack = []) => {
    expect(weakened(before, now)).toEqual(weaker);
    expect(weakened(now, before)).toEqual(wayBack);
    expect(weakened(before, before)).toEqual([]);
  });
});
