import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

const config = `version: 1
stack: shop
registrations:
  login: { displayName: Sign-in }
containerApps:
  admin:
    image: ghcr.io/contoso/admin@sha256:${'0'.repeat(64)}
    targetPort: 8080
    ingress: { external: true }
    auth: { providers: { directory: { registration: login, allowedGroups: [operators] } } }
  storefront:
    image: ghcr.io/contoso/storefront@sha256:${'0'.repeat(64)}
    targetPort: 8080
    ingress: { external: true }
    auth: { excludedPaths: [/healthz, /admin/help], providers: { directory: { registration: login, allowedGroups: [shoppers] } } }
groups:
  operators: { kind: security, displayName: Operators, dynamicMembership: { rule: 'user.department -eq "IT" -and user.userType -eq "Member"' } }
  auditors: { kind: security, displayName: Auditors, dynamicMembership: { rule: 'user.jobTitle -contains "Audit"' } }
  shoppers: { kind: security, displayName: Shoppers, dynamicMembership: { rule: 'user.department -eq "Retail"' } }
  customers: { kind: security, displayName: Customers, dynamicMembership: { rule: 'user.department -startsWith "Ret"' } }
  partners: { kind: security, displayName: Partners, members: [customers] }
  guides: { kind: security, displayName: Guides, dynamicMembership: { rule: 'user.city -eq "Oslo" -or (user.country -eq "NO" -and user.jobTitle -contains "Guide")' } }
  suppliers: { kind: security, displayName: Suppliers, dynamicMembership: { rule: "user.memberof -any (group.objectId -in ['3c1b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60'])" } }
`;

interface Cases {
  readonly cases: readonly {
    readonly test: string;
    readonly verdict: string;
    readonly failure?: string;
    readonly example?: object;
  }[];
}

function createFolder(tests: string): string {
  const cwd = mkdtempSync(join(tmpdir(), 'castellan-access-'));
  writeFileSync(join(cwd, 'castellan.yaml'), config);
  writeFileSync(join(cwd, 'castellan.access-test.yaml'), tests);
  return cwd;
}

async function caseOf(test: string, assume = '[]'): Promise<Cases['cases'][number] | undefined> {
  const cwd = createFolder(`from: none\nassume: ${assume}\ntests:\n  - ${test}\n`);
  const { stdout } = await runCli(['test', '--format', 'json'], { cwd });
  return (JSON.parse(stdout) as Cases).cases[0];
}

test.each([
  `{ app: admin, never: 'user.userType -eq "Guest"' }`,
  `{ app: admin, only: 'user.department -eq "IT" -and user.accountEnabled -eq true' }`,
  '{ group: shoppers, within: customers }',
  '{ group: shoppers, within: partners }',
  `{ group: shoppers, equivalent: 'user.department -in ["Retail"]' }`,
  '{ groups: [operators, customers], disjoint: true }',
  '{ app: storefront, path: /account, never: anonymous }',
  '{ app: admin, never: anonymous }',
  `{ app: storefront, path: /account, only: 'user.department -eq "Retail"' }`,
])('an invariant is proved for all possible people: %s', async (invariant) => {
  expect(await caseOf(invariant)).toMatchObject({ verdict: 'pass' });
});

test.each([
  [
    `{ app: admin, never: 'user.jobTitle -eq "Intern"' }`,
    'admin lets in anyone whose jobTitle is "Intern" and department is "IT" and userType is "Member"',
    { attributes: { department: 'IT', userType: 'Member', jobTitle: 'Intern' } },
  ],
  [
    `{ app: storefront, only: 'user.userType -eq "Member"' }`,
    'storefront lets in others, too: anyone whose department is "Retail" and userType is not set',
    { attributes: { department: 'Retail', userType: null } },
  ],
  [
    '{ group: customers, within: shoppers }',
    'customers can hold anyone whose department is "Ret", who is not in shoppers',
    { attributes: { department: 'Ret' } },
  ],
  [
    `{ group: customers, equivalent: 'user.department -in ["Retail"]' }`,
    'customers holds anyone whose department is "Ret", whom the rule does not select',
    { attributes: { department: 'Ret' } },
  ],
  [
    '{ groups: [operators, auditors], disjoint: true }',
    'operators and auditors can both hold anyone whose department is "IT" and userType is "Member" and jobTitle is "Audit"',
    { attributes: { department: 'IT', userType: 'Member', jobTitle: 'Audit' } },
  ],
  [
    '{ app: storefront, path: /admin, never: anonymous }',
    'a browser without a session reaches /admin/help of storefront',
    { attributes: {}, path: '/admin/help' },
  ],
  [
    '{ app: storefront, path: /account, requires: { acrValues: [mfa] } }',
    '/account of storefront does not ask for mfa',
    { attributes: {}, path: '/account' },
  ],
])(
  'an invariant that does not hold is reported with an example of a person: %s',
  async (invariant, message, example) => {
    const result = await caseOf(invariant);
    expect(result).toMatchObject({ verdict: 'fail', example });
    expect(result?.failure?.split('\n')[0]).toBe(message);
  },
);

test.each([
  '{ group: shoppers, within: suppliers }',
  `{ group: suppliers, equivalent: 'user.department -eq "Retail"' }`,
  '{ groups: [shoppers, suppliers], disjoint: true }',
])('nobody is said to be outside of a group that is not known: %s', async (invariant) => {
  const result = await caseOf(invariant);
  expect(result).toMatchObject({ verdict: 'unknown' });
  expect(result?.failure).toContain('the group 3c1b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60 is neither');
});

test('what is assumed bounds the proof, and is printed with it', async () => {
  const never = `{ app: storefront, never: 'user.userPrincipalName -endsWith "@fabrikam.example"' }`;
  expect(await caseOf(never)).toMatchObject({ verdict: 'fail' });
  const domain = `['user.userPrincipalName -match "@contoso\\.example$"']`;
  expect(await caseOf(never, domain)).toMatchObject({ verdict: 'pass' });
  const otherResult = await caseOf(`{ app: storefront, never: 'user.city -eq "Oslo"' }`, domain);
  expect(otherResult?.failure).toContain('(assuming user.userPrincipalName -match');
  expect(otherResult?.example).toMatchObject({
    attributes: { department: 'Retail', city: 'Oslo', userPrincipalName: 'a@contoso.example' },
  });
});

test('a failing invariant shows the clause that lets somebody in', async () => {
  const result = await caseOf(`{ app: storefront, never: 'user.city -eq "Oslo"' }`);
  expect(result?.failure).toContain(
    'rule        shoppers: user.department -eq "Retail" (user.department is "Retail")',
  );
  expect(result?.test).toBe('app: storefront, never: user.city -eq "Oslo"');
});

test.each([
  [
    '{ group: customers, within: shoppers }',
    'rule        customers: user.department -startsWith "Ret" (user.department is "Ret")',
  ],
  [
    `{ group: customers, equivalent: 'user.department -in ["Retail"]' }`,
    'rule        customers: user.department -startsWith "Ret" (user.department is "Ret")',
  ],
  [
    '{ groups: [operators, auditors], disjoint: true }',
    'rule        auditors: user.jobTitle -contains "Audit" (user.jobTitle is "Audit")',
  ],
  ['{ group: partners, within: shoppers }', 'group       partners: holds customers'],
  [
    `{ group: guides, equivalent: 'user.city -eq "Oslo"' }`,
    '(by (user.country -eq "NO" -and user.jobTitle -contains "Guide"): user.country is "NO", user.jobTitle is "Guide")',
  ],
])('a failing invariant of groups shows the clause, too: %s', async (invariant, chain) => {
  expect((await caseOf(invariant))?.failure).toContain(chain);
});

test.each([
  [`{ app: admin, never: 'user.department = a' }`, "the rule of never can't be read: "],
  ['{ app: nothing, never: anonymous }', 'there is no app "nothing"'],
  ['{ group: nothing, within: shoppers }', 'there is no group "nothing"'],
  ['{ groups: [operators], disjoint: true }', 'disjoint needs at least two groups'],
  ['{ app: admin, requires: { acrValues: [mfa] } }', 'requires needs an app, a path'],
])('a mistake in an invariant is reported: %s', async (invariant, message) => {
  expect((await caseOf(invariant))?.failure).toContain(message);
});

test('check reports what does not hold, and groups with a common member by their own rule', async () => {
  const cwd = createFolder(
    `- { groups: [operators, auditors], disjoint: true }\n- { app: storefront, path: /admin, never: anonymous }\n`,
  );
  const { stdout, exitCode } = await runCli(['check', '--format', 'json'], { cwd });
  const { findings } = JSON.parse(stdout) as {
    readonly findings: readonly { readonly ruleId: string; readonly message: string }[];
  };
  const invariantFindings = findings.filter(({ ruleId }) =>
    /^(?:access-test|group-rule-overlaps)$/.test(ruleId),
  );
  expect(invariantFindings).toEqual([
    expect.objectContaining({
      ruleId: 'group-rule-overlaps',
      severity: 'error',
      parameters: expect.objectContaining({
        example: { attributes: { department: 'IT', userType: 'Member', jobTitle: 'Audit' } },
      }) as unknown,
    }),
    expect.objectContaining({ ruleId: 'access-test', severity: 'error' }),
  ]);
  expect(exitCode).toBe(1);
});
