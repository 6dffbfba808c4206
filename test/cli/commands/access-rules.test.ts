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
)}  listed: { kind: security, displayName: listed, members: [] }
`;

test('what the rules of groups select, whoever there may be', async () => {
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
    ],
  });
  const text = await runCli(['access', 'rules', '.'], { cwd });
  expect(text.stdout).toContain(
    '  changes nothing: user.department -eq "AB": everyone whom it selects is selected without it\n',
  );
});
