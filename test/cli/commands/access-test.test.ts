import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

const config = `version: 1
stack: shop
registrations:
  login: { displayName: Sign-in }
containerApps:
  storefront:
    image: ghcr.io/contoso/storefront@sha256:${'0'.repeat(64)}
    targetPort: 8080
    ingress: { external: true }
    auth: { excludedPaths: [/healthz], providers: { directory: { registration: login, allowedGroups: [shoppers] } } }
groups:
  shoppers: { kind: security, displayName: Shoppers, dynamicMembership: { rule: 'user.department -eq "Retail"' } }
`;

const seed = `users:
  - { id: 0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60, userPrincipalName: ada@contoso.example, displayName: Ada, department: Retail }
  - { id: 1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071, userPrincipalName: grace@contoso.example, displayName: Grace, department: Operations }
`;

function project(tests: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-access-test-'));
  writeFileSync(join(folder, 'castellan.yaml'), config);
  writeFileSync(join(folder, 'seed.yaml'), seed);
  writeFileSync(join(folder, 'castellan.access-test.yaml'), tests);
  return folder;
}

const passingExpectations = `- { app: storefront, path: /admin, person: ada, expect: allowed }
- { app: storefront, path: /admin, person: grace, expect: denied }
- { app: storefront, anonymous: true, path: /healthz, expect: allowed }
- { group: shoppers, expect: { at most: 1, at least: 1 } }
- { app: storefront, expect: { at most: 1 } }
- { app: storefront, only: [shoppers] }
`;

test('expectations that hold pass', async () => {
  const cwd = project(passingExpectations);
  const { stdout, exitCode } = await runCli(['test'], { cwd });
  expect(stdout).toContain('1 file, 6 passed, 0 failed\n');
  expect(exitCode).toBe(0);
  expect((await runCli(['check', '--format', 'json'], { cwd })).stdout).not.toContain(
    'access-test',
  );
});

test.each([
  ['form: seed.yaml', 'there is no key "form"; did you mean "from"?'],
  ['from: [seed.yaml]', 'from must be text: sandbox, live, none or a file'],
])('a file with %s is refused: it would test other people', async (line, mistake) => {
  const cwd = project(
    `${line}\ntests:\n  - { app: storefront, path: /, person: grace, expect: denied }\n`,
  );
  const { stderr, exitCode } = await runCli(['test'], { cwd });
  expect(stderr).toContain(`castellan.access-test.yaml: ${mistake}`);
  expect(exitCode).toBe(2);
});

test('expectations of a further document are refused, as they would not be tested', async () => {
  const cwd = project(
    `${passingExpectations}---\n- { app: storefront, path: /, person: ada, expect: denied }\n`,
  );
  const { stderr, exitCode } = await runCli(['test'], { cwd });
  expect(stderr).toContain('castellan.access-test.yaml:8: an access test is one document');
  expect(exitCode).toBe(2);
});

test.each([
  [
    '- { app: storefront, person: grace, expect: allowed }',
    'grace at storefront/: expected allowed, is denied (403)',
  ],
  [
    '- { app: storefront, anonymous: true, expect: allowed }',
    'a browser without a session at storefront/: expected allowed, is denied (302)',
  ],
  [
    '- { group: shoppers, expect: { at most: 0 } }',
    'the group shoppers has 1 person, expected at most 0',
  ],
  [
    '- { app: storefront, only: [grace] }',
    'storefront lets in ada@contoso.example, expected only grace',
  ],
  [
    '- { app: storefrond, person: ada, expect: allowed }',
    'there is no app "storefrond": there are storefront',
  ],
  ['- { app: storefront, persn: ada, expect: allowed }', '"persn" is no part of an expectation'],
  ['- { app: storefront, person: nobody, expect: denied }', 'no person "nobody"'],
  [
    '- { app: storefront, person: ada, expect: yes please }',
    'expect is allowed, denied, unknown, not "yes please"',
  ],
])('%s fails in castellan test and in castellan check', async (line, message) => {
  const cwd = project(`${line}\n`);
  const testRun = await runCli(['test'], { cwd });
  expect(testRun.stdout).toContain(message);
  expect(testRun.exitCode).toBe(1);
  const { stdout, exitCode } = await runCli(['check', '--format', 'json'], { cwd });
  const { findings } = JSON.parse(stdout) as {
    findings: { ruleId: string; message: string; location: { file: string; line: number } }[];
  };
  const [finding] = findings.filter(({ ruleId }) => ruleId === 'access-test');
  expect(finding?.message).toContain(message);
  expect(finding?.location).toMatchObject({ file: 'castellan.access-test.yaml', line: 1 });
  expect(exitCode).toBe(1);
});

test('a failing expectation shows the chain', async () => {
  const { stdout } = await runCli(['test'], {
    cwd: project('- { app: storefront, person: grace, expect: allowed }\n'),
  });
  expect(stdout).toContain(
    'no   rule        shoppers: user.department -eq "Retail" (user.department is "Operations")',
  );
});

test('a file without expectations is an error', async () => {
  const { stderr, exitCode } = await runCli(['test'], { cwd: project('tests: []\n') });
  expect(stderr).toContain('castellan.access-test.yaml has no expectations');
  expect(exitCode).toBe(2);
});

describe('a configuration that castellan check refuses', () => {
  const projectWithGroupKind = (broken: string): string => {
    const cwd = project('- { group: shoppers, equivalent: \'user.department -in ["Retail"]\' }\n');
    writeFileSync(join(cwd, 'castellan.yaml'), config.replace('kind: security', broken));
    return cwd;
  };

  test.each([
    ['a value that is not allowed', 'kind: securty', 'castellan.yaml:12:21: ', 'group-kind'],
    [
      'a rule of the catalogue',
      'kind: security, mailNickname: "shop@pers"',
      'castellan.yaml:12:45: ',
      'group-mail-nickname',
    ],
  ])('%s is a failure of its own', async (_what, broken, place, rule) => {
    const { stdout, exitCode } = await runCli(['test'], { cwd: projectWithGroupKind(broken) });
    expect(stdout).toMatch(/^not ok {2}castellan\.access-test\.yaml: the configuration is valid\n/);
    expect(stdout).toContain(place);
    expect(stdout).toContain(`(${rule})`);
    expect(stdout).toContain(' passed, 1 failed\n');
    expect(exitCode).toBe(1);
  });

  test('the JSON has the failure of the configuration before the verdicts', async () => {
    const { stdout } = await runCli(['test', '--format', 'json'], {
      cwd: projectWithGroupKind('kind: securty'),
    });
    const { cases } = JSON.parse(stdout) as { cases: { test: string; verdict: string }[] };
    expect(cases.map(({ verdict }) => verdict)).toEqual(['fail', 'pass']);
    expect(cases[0]?.test).toBe('the configuration is valid');
  });

  test('the policy says which findings are errors', async () => {
    const cwd = projectWithGroupKind('kind: security');
    expect((await runCli(['test'], { cwd })).exitCode).toBe(0);
    writeFileSync(
      join(cwd, 'castellan.policy.yaml'),
      'version: 1\nrules: { group-two-owners: error }\n',
    );
    const { stdout, exitCode } = await runCli(['test'], { cwd });
    expect(stdout).toContain('(group-two-owners)');
    expect(exitCode).toBe(1);
  });
});

it('is run without the folders whose names are not UTF-8', async () => {
  const cwd = project(passingExpectations);
  mkdirSync(Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from([0xfe])]));
  expect(await runCli(['test'], { cwd })).toMatchObject({ exitCode: 0, stderr: '' });
});
