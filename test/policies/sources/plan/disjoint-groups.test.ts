import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../../policies/check/run-check.js';
import { change } from './support/check-plan.js';

const group = (name: string, rule: string): object =>
  change('azuread_group', name, {
    display_name: name,
    security_enabled: true,
    types: ['DynamicMembership'],
    dynamic_membership: [{ enabled: true, rule }],
  });

const declared = (name: string, rule: string): string =>
  `  ${name}: { kind: security, displayName: ${name}, dynamicMembership: { rule: '${rule}' } }\n`;

async function overlaps(changes: readonly object[], yaml?: string): Promise<readonly object[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'castellan-plan-'));
  writeFileSync(
    join(cwd, 'castellan.policy.yaml'),
    'version: 1\nrules: { group-rule-overlaps: { options: { disjoint: [[auditors, operators]] } } }\n',
  );
  writeFileSync(
    join(cwd, 'plan.json'),
    JSON.stringify({ format_version: '1.2', resource_changes: changes }),
  );
  if (yaml !== undefined) writeFileSync(join(cwd, 'castellan.yaml'), yaml);
  const paths = yaml === undefined ? [] : ['castellan.yaml'];
  const { findings } = await runCheck({ paths, plan: 'plan.json', cwd, env: {} });
  return findings.filter(({ ruleId }) => ruleId === 'group-rule-overlaps');
}

describe('groups of a plan that the policy declares disjoint', () => {
  const [one, other] = ['user.department -eq "A"', 'user.department -startsWith "A"'];

  it('are judged together', async () => {
    expect(await overlaps([group('auditors', one), group('operators', other)])).toMatchObject([
      { verdict: 'fail', severity: 'error', terraformAddress: 'azuread_group.operators' },
    ]);
    expect(await overlaps([group('auditors', one), group('others', other)])).toEqual([]);
    expect(
      await overlaps([group('auditors', one), group('operators', 'user.department -eq "B"')]),
    ).toEqual([]);
  });

  it('are reported once where the configuration declares them', async () => {
    const yaml = `version: 1\nstack: shop\ngroups:\n${declared('auditors', one)}${declared('operators', other)}`;
    const changes = [group('auditors', one), group('operators', other)];
    expect(await overlaps(changes, yaml)).toMatchObject([{ location: { line: 5 } }]);
  });
});
