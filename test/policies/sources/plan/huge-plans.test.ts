import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../../../core/findings/finding.js';
import { runCheck } from '../../../../policies/check/run-check.js';
import { change, useCheckedPlan } from './support/check-plan.js';

const check = useCheckedPlan();

describe('checking a plan whose values are nested endlessly', () => {
  it('is refused with one clear error', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-plan-'));
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const text = JSON.stringify({
      format_version: '1.2',
      resource_changes: [change('azuread_group', 'g', { owners: 'NESTED' }, { members: 'NESTED' })],
    });
    writeFileSync(join(folder, 'plan.json'), text.replaceAll('"NESTED"', nested));
    const options = { paths: [], plan: 'plan.json', cwd: folder, env: {} };
    await expect(runCheck(options)).rejects.toMatchObject({
      code: 'CAS7101',
      message: expect.stringContaining('nested too deeply') as string,
    });
    rmSync(folder, { recursive: true });
  });
});

describe('checking a plan of very many unknown values', () => {
  const after = { display_name: 'S', mail_enabled: false, security_enabled: true };
  const groups = Array.from({ length: 2_500 }, (_, index) =>
    change('azuread_group', `g${String(index)}`, after, { mail_nickname: true }),
  );
  const nicknameFindings = (findings: readonly Finding[]) =>
    findings.flatMap(({ ruleId, terraformAddress, further }) =>
      ruleId === 'group-mail-nickname' ? [{ terraformAddress, further }] : [],
    );

  it('names the first thousand resources and counts the others', async () => {
    const findings = nicknameFindings(await check(undefined, groups));
    expect(findings).toHaveLength(1_001);
    expect(findings[999]).toEqual({ terraformAddress: 'azuread_group.g999' });
    expect(findings[1_000]).toEqual({ terraformAddress: 'azuread_group.g1000', further: 1_499 });
  });

  it('does not count resources whose value the provider chooses, and lists the others', async () => {
    const resources = groups.map(({ address, name }) => {
      const isSet = Number(name.slice(1)) % 250 === 0;
      return {
        address,
        expressions: {
          display_name: {},
          ...(isSet && { mail_nickname: { references: ['local.x'] } }),
        },
      };
    });
    const findings = nicknameFindings(
      await check(undefined, groups, {}, { configuration: { root_module: { resources } } }),
    );
    expect(findings).toEqual(
      Array.from({ length: 10 }, (_, index) => ({
        terraformAddress: `azuread_group.g${String(index * 250)}`,
      })),
    );
  });

  it('does not count resources that a configuration declares', async () => {
    const declared = groups
      .slice(0, 2_400)
      .map(({ name }) => `  ${name}: { kind: security, displayName: S, mailNickname: ${name} }\n`);
    const findings = nicknameFindings(
      await check(`version: 1\nstack: shop\ngroups:\n${declared.join('')}`, groups),
    );
    expect(findings.map(({ terraformAddress }) => terraformAddress)).toEqual(
      groups.slice(2_400).map(({ address }) => address),
    );
  });
});

describe('checking a plan of very many mistakes', () => {
  it('reports all of them: 140,000 findings of 16,000 groups', async () => {
    const after = {
      display_name: '',
      mail_nickname: '@'.repeat(65),
      mail_enabled: true,
      security_enabled: false,
      types: ['Unified', 'Unified'],
      owners: [],
      theme: 'Grey',
      visibility: 'Open',
      assignable_to_role: true,
    };
    const invalidGroup = change('azuread_group', 'g', after);
    const invalidGroups = Array.from({ length: 16_000 }, (_, index) => ({
      ...invalidGroup,
      address: `azuread_group.g[${String(index)}]`,
    }));
    expect((await check(undefined, invalidGroups)).length).toBeGreaterThanOrEqual(135_000);
  });
});
