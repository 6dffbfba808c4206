import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PullRequest } from '../support/pull-request.js';

// Each pull request lets somebody into the app `admin`, whom the access test of the main branch
// keeps out, and disarms that test.

const yaml = `version: 1
stack: shop
azure: { tenantId: 22222222-2222-4222-8222-222222222222 }
principals: { ada: { user: ada@contoso.example }, bob: { user: bob@contoso.example } }
groups:
  staff: { kind: security, displayName: Staff, members: [ada], owners: [ada, bob] }
registrations: { login: { displayName: Sign-in } }
containerApps:
  admin:
    image: example.com/admin:1
    targetPort: 80
    ingress: { external: true }
    auth: { providers: { directory: { registration: login, allowedGroups: [staff] } } }
`;
const test = `from: people.yaml
tests:
  - { app: admin, person: ada, expect: allowed }
  - { app: admin, only: [ada] }
`;
const user = (name: string) =>
  `  - { userPrincipalName: ${name}@contoso.example, displayName: ${name} }\n`;
const files = {
  'shop/castellan.yaml': yaml,
  'shop/castellan.access-test.yaml': test,
  'shop/people.yaml': `users:\n${user('ada')}${user('bob')}`,
};

let pullRequest: PullRequest;
beforeEach(() => (pullRequest = new PullRequest(files)));
afterEach(() => pullRequest.remove());

const configuration = 'shop/castellan.yaml';
const accessTest = 'shop/castellan.access-test.yaml';
const letInBob = (): void =>
  pullRequest.edit(configuration, 'members: [ada]', 'members: [ada, bob]');
const removeFile = (file: string): void => rmSync(join(pullRequest.folder, file));

it.each<[string, () => void]>([
  ['keeps the test', () => undefined],
  [
    'removes the expectation',
    () => pullRequest.edit(accessTest, '  - { app: admin, only: [ada] }\n', ''),
  ],
  ['widens the expectation', () => pullRequest.edit(accessTest, 'only: [ada]', 'only: [ada, bob]')],
  ['removes the test', () => removeFile(accessTest)],
  [
    'moves the configuration away from the test',
    () => {
      pullRequest.put('other/castellan.yaml', pullRequest.read(configuration));
      removeFile(configuration);
    },
  ],
  [
    'removes the person from the seed',
    () => pullRequest.edit('shop/people.yaml', user('bob'), user('other')),
  ],
  [
    'renames the app',
    () => {
      pullRequest.edit(configuration, '  admin:', '  backstage:');
      pullRequest.put(accessTest, test.replace(/.*only.*/, '').replaceAll('admin', 'backstage'));
    },
  ],
  [
    'moves the app to another name and stack',
    () => {
      pullRequest.edit(configuration, '  admin:', '  backstage:');
      pullRequest.edit(
        configuration,
        'stack: shop',
        'stack: store\nmoved:\n  - { from: shop, to: store }\n  - { from: containerApps.admin, to: containerApps.backstage }',
      );
      pullRequest.put(accessTest, test.replace(/.*only.*/, '').replaceAll('admin', 'backstage'));
    },
  ],
])('an access test of the base fails a change that %s', async (_name, disarm) => {
  letInBob();
  disarm();
  pullRequest.commit();
  const { exitCode, findings } = await pullRequest.check();
  expect([exitCode, findings]).toEqual([1, ['access-test']]);
});

it.each<[string, () => void]>([
  ['changes nothing', () => undefined],
  [
    'adds a person who does not get in',
    () => pullRequest.put('shop/people.yaml', `${files['shop/people.yaml']}${user('carol')}`),
  ],
  [
    'removes an expectation that it keeps',
    () => pullRequest.edit(accessTest, '  - { app: admin, only: [ada] }\n', ''),
  ],
  [
    'renames the app',
    () => {
      pullRequest.edit(configuration, '  admin:', '  backstage:');
      pullRequest.put(accessTest, test.replaceAll('admin', 'backstage'));
    },
  ],
])('an access test of the base passes a change that %s', async (_name, change) => {
  change();
  pullRequest.commit();
  expect(await pullRequest.check()).toMatchObject({ exitCode: 0, findings: [] });
});

it('lets the owners of the access test approve another one', async () => {
  pullRequest.put('CODEOWNERS', '/shop/castellan.access-test.yaml @shop/security\n');
  pullRequest.put(
    'castellan.policy.yaml',
    "version: 1\nsuppressionLimits: { approvedBy: ['@shop/security'] }\n",
  );
  pullRequest.merge();
  letInBob();
  pullRequest.edit(accessTest, 'only: [ada]', 'only: [ada, bob]');
  pullRequest.commit();
  expect(await pullRequest.check()).toMatchObject({ exitCode: 0, findings: [] });
});

describe('people whom a rule selects', () => {
  const person = (name: string, department: string, more = ''): string =>
    `  - { userPrincipalName: ${name}@contoso.example, displayName: ${name}, department: ${department}${more} }\n`;
  const byRule = yaml
    .replace(', bob: { user: bob@contoso.example } }', ' }')
    .replace(
      'kind: security, displayName: Staff, members: [ada], owners: [ada, bob]',
      'kind: security, displayName: Staff, owners: [ada], membershipRule: (user.department -eq "IT")',
    );
  const people = `users:\n${person('ada', 'IT')}${person('bob', 'Sales')}`;
  const letInSales = (): void => pullRequest.edit(configuration, '-eq "IT"', '-ne "HR"');

  beforeEach(() => {
    pullRequest.put(configuration, byRule);
    pullRequest.put('shop/people.yaml', people);
    pullRequest.merge();
    letInSales();
  });

  it.each<[string, string]>([
    ['keeps them', people],
    ['takes them out of the seed', `users:\n${person('ada', 'IT')}`],
    [
      'takes them out of a seed that contradicts the one of the base',
      `users:\n${person('ada', 'IT', ', id: 33333333-3333-4333-8333-333333333333')}`,
    ],
  ])('are judged as they were at the base by a change that %s', async (_name, changedPeople) => {
    pullRequest.put('shop/people.yaml', changedPeople);
    pullRequest.commit();
    expect(await pullRequest.check()).toMatchObject({ exitCode: 1, findings: ['access-test'] });
  });
});

describe('the seed of the sandbox', () => {
  beforeEach(() => {
    pullRequest.remove();
    pullRequest = new PullRequest({
      'shop/castellan.yaml': yaml.replace('azure:', 'sandbox: { seed: people.yaml }\nazure:'),
      'shop/castellan.access-test.yaml': test.replace('from: people.yaml\n', ''),
      'shop/people.yaml': files['shop/people.yaml'],
    });
  });

  it.each<[string, () => void]>([
    [
      'names another seed',
      () => {
        pullRequest.edit(configuration, 'seed: people.yaml', 'seed: others.yaml');
        pullRequest.put('shop/others.yaml', `users:\n${user('ada')}`);
      },
    ],
    [
      'names none',
      () => {
        pullRequest.edit(configuration, 'sandbox: { seed: people.yaml }\n', '');
        removeFile('shop/people.yaml');
      },
    ],
  ])('keeps its people in a change that %s', async (_name, disarm) => {
    letInBob();
    disarm();
    removeFile(accessTest);
    pullRequest.commit();
    const { exitCode, findings } = await pullRequest.check();
    expect([exitCode, findings]).toEqual([1, ['access-test']]);
  });
});
