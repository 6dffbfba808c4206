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

const groupYaml = (name: string, rule: string): string =>
  `  ${name}: { kind: security, displayName: ${name}, dynamicMembership: { rule: '${rule}' } }\n`;

async function overlapFindings(
  changes: readonly object[],
  yaml?: string,
): Promise<readonly object[]> {
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
  const [equalsA, startsWithA] = ['user.department -eq "A"', 'user.department -startsWith "A"'];

  it('are judged together', async () => {
    expect(
      await overlapFindings([group('auditors', equalsA), group('operators', startsWithA)]),
    ).toMatchObject([
      { verdict: 'fail', severity: 'error', terraformAddress: 'azuread_group.operators' },
    ]);
    expect(
      await overlapFindings([group('auditors', equalsA), group('others', startsWithA)]),
    ).toEqual([]);
    expect(
      await overlapFindings([
        group('auditors', equalsA),
        group('operators', 'user.department -eq "B"'),
      ]),
    ).toEqual([]);
  });

  it('are reported once where the configuration declares them', async () => {
    const yaml = `version: 1\nstack: shop\ngroups:\n${groupYaml('auditors', equalsA)}${groupYaml('operators', startsWithA)}`;
    const changes = [group('auditors', equalsA), group('operators', startsWithA)];
    expect(await overlapFindings(changes, yaml)).toMatchObject([{ location: { line: 5 } }]);
  });
});
