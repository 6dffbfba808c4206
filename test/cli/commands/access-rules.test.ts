import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

const group = (name: string, rule: string): string =>
  `  ${name}: { kind: security, displayName: ${name}, dynamicMembership: { rule: '${rule}' } }\n`;

const config = `version: 1
stack: shop
groups:
${group('nobody', 'user.department -eq "A" -and user.department -eq "B"')}${group(
  'everybody',
  'user.department -ne "A" -or user.department -ne "B"',
)}${group('some', 'user.department -startsWith "A" -or user.department -eq "AB"')}${group(
  'pattern',
  'user.department -match "\\bA"',
)}${group('reference', 'user.department -match "(a)\\1"')}  listed: { kind: security, displayName: listed, members: [] }
`;

test('access rules prints whom of all possible people the rule of each group selects', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'castellan-access-'));
  writeFileSync(join(cwd, 'castellan.yaml'), config);
  const { stdout, exitCode } = await runCli(['access', 'rules', '--format', 'json'], { cwd });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    rules: [
      expect.objectContaining({ group: 'nobody', verdict: 'never', withoutEffect: [] }),
      expect.objectContaining({ group: 'everybody', verdict: 'always', withoutEffect: [] }),
      {
        group: 'some',
        stack: 'shop',
        rule: 'user.department -startsWith "A" -or user.department -eq "AB"',
        verdict: 'some',
        withoutEffect: ['user.department -eq "AB"'],
      },
      expect.objectContaining({
        group: 'pattern',
        verdict: 'unknown',
        reasons: [expect.stringContaining('regular expressions read differently')],
      }),
      {
        group: 'reference',
        stack: 'shop',
        rule: 'user.department -match "(a)\\1"',
        verdict: 'unknown',
        withoutEffect: [],
        reasons: [expect.stringContaining("the rule can't be read: the pattern of -match")],
      },
    ],
  });
  const text = await runCli(['access', 'rules', '.'], { cwd });
  expect(text.stdout).toContain(
    '  changes nothing: user.department -eq "AB": everyone whom it selects is selected without it\n',
  );
});

test('access --for-all prints who of all possible people can get in', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'castellan-access-'));
  const app = (groups: string): string =>
    `{ image: "ghcr.io/c/s@sha256:${'0'.repeat(64)}", targetPort: 80, ingress: { external: true }, auth: { excludedPaths: [/healthz], providers: { directory: { registration: login, allowedGroups: [${groups}] } } } }`;
  writeFileSync(
    join(cwd, 'castellan.yaml'),
    `version: 1
stack: shop
registrations: { login: { displayName: Sign-in } }
containerApps:
  shop: ${app('shoppers')}
  admin: ${app('operators')}
groups:
  shoppers: { kind: security, displayName: S, dynamicMembership: { rule: 'user.department -eq "Retail"' } }
  operators: { kind: security, displayName: O, dynamicMembership: { rule: 'user.userType -eq "Member"' } }
`,
  );
  const { stdout, exitCode } = await runCli(['access', '--for-all', '--from', 'none'], { cwd });
  expect(stdout).toBe(`shop
  everybody at /healthz
  only people by the rule of shoppers: user.department -eq "Retail", whose account is enabled
  guests, too: anyone whose userType is "Guest" and department is "Retail"
admin
  everybody at /healthz
  only people by the rule of operators: user.userType -eq "Member", whose account is enabled
  no guest of the directory (proved for all possible people)
`);
  expect(exitCode).toBe(0);
  const flags = ['access', '--for-all', '--from', 'none', '--format', 'json'];
  expect(JSON.parse((await runCli(flags, { cwd })).stdout)).toMatchObject({
    apps: [{ app: 'shop', guests: { verdict: 'some' } }, { guests: { verdict: 'none' } }],
  });
});

test('access rules says that no group has a rule', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'castellan-access-'));
  writeFileSync(join(cwd, 'castellan.yaml'), 'version: 1\nstack: shop\n');
  const { stdout, exitCode } = await runCli(['access', 'rules'], { cwd });
  expect([stdout, exitCode]).toEqual(['No group has a membership rule.\n', 0]);
  const json = await runCli(['access', 'rules', '--format', 'json'], { cwd });
  expect(JSON.parse(json.stdout)).toEqual({ version: 1, rules: [] });
});
