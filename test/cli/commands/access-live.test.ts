import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSeedFile } from '../../../sandbox/serve/seed-file.js';
import { type CliRun, runCli } from '../../support/run-cli.js';
import { id, user } from '../../services/directory/support/directory.js';
import { ServedDirectory } from '../../services/directory/support/served.js';

const [ada, grace, mary, robot, clientId] = [id(1), id(2), id(3), id(4), id(5)];
const assignedClientId = id(31);
/** Of an application of another tenant, of which this one has the service principal only. */
const foreignClientId = id(41);
/** The role of an application that declares none. */
const defaultRole = '00000000-0000-0000-0000-000000000000';
const crowd = Array.from({ length: 2_100 }, (_, index) =>
  user(id(1_000 + index), {
    userPrincipalName: `user${String(index)}@contoso.example`,
    displayName: `User ${String(index)}`,
    department: 'Crowd',
  }),
);
const group = (
  number: number,
  displayName: string,
  properties: object = {},
): Record<string, unknown> => ({
  id: id(number),
  displayName,
  mailNickname: displayName.toLowerCase(),
  mailEnabled: false,
  securityEnabled: true,
  ...properties,
});
const seed = {
  users: [
    user(ada, {
      userPrincipalName: 'ada@contoso.example',
      displayName: 'Ada Lovelace',
      department: 'Retail',
    }),
    user(grace, {
      userPrincipalName: 'grace@contoso.example',
      displayName: 'Grace Hopper',
      department: 'Operations',
      manager: ada,
    }),
    user(mary, {
      userPrincipalName: 'mary@contoso.example',
      displayName: 'Mary Jackson',
      accountEnabled: false,
    }),
    ...crowd,
  ],
  devices: [{ id: id(6), displayName: 'laptop' }],
  applications: [
    {
      id: id(7),
      appId: clientId,
      displayName: 'Sign-in',
      groupMembershipClaims: 'All',
      owners: [robot],
    },
    { id: id(8), appId: id(9), displayName: 'Unrelated' },
    { id: id(30), appId: assignedClientId, displayName: 'For some', groupMembershipClaims: 'All' },
  ],
  servicePrincipals: [
    { id: robot, appId: id(14), displayName: 'robot' },
    { id: id(15), appId: clientId, displayName: 'Sign-in', appRoleAssignmentRequired: false },
    {
      id: id(32),
      appId: assignedClientId,
      displayName: 'For some',
      appRoleAssignmentRequired: true,
      appRoleAssignedTo: [
        { principalId: id(25), principalType: 'Group', appRoleId: defaultRole },
        { principalId: ada, principalType: 'User', appRoleId: defaultRole },
      ],
    },
    {
      id: id(42),
      appId: foreignClientId,
      displayName: 'Foreign',
      appRoleAssignmentRequired: true,
      appRoleAssignedTo: [
        { principalId: id(25), principalType: 'Group', appRoleId: defaultRole },
        { principalId: ada, principalType: 'User', appRoleId: defaultRole },
      ],
    },
  ],
  groups: [
    group(20, 'Staff', { members: [id(21), grace, mary, id(6)], owners: [ada] }),
    group(21, 'Inner', { members: [id(1_000)] }),
    group(22, 'Unrelated', { members: [id(1_001)], owners: [grace] }),
    group(23, 'Retail', {
      groupTypes: ['DynamicMembership'],
      membershipRule: 'user.department -eq "Retail"',
      membershipRuleProcessingState: 'On',
    }),
    group(24, 'Team', {
      groupTypes: ['DynamicMembership'],
      membershipRule: `Direct Reports for "${ada}"`,
      membershipRuleProcessingState: 'On',
    }),
    group(26, 'Former team', {
      groupTypes: ['DynamicMembership'],
      membershipRule: `Direct Reports for "${id(99)}"`,
      membershipRuleProcessingState: 'On',
    }),
    group(25, 'Assigned', { members: [grace, id(1_002), id(22)] }),
  ],
};

const config = (allowedLists: string, sections = ''): string => `version: 1
stack: shop
principals: { ada: { user: ada@contoso.example } }
containerApps:
  shop:
    image: ghcr.io/contoso/shop@sha256:${'0'.repeat(64)}
    targetPort: 8080
    ingress: { external: true }
    auth: { providers: { directory: { clientId: ${clientId}, clientSecret: "\${env:SECRET}"${allowedLists} } } }
${sections}`;

describe('access --from live and snapshot', () => {
  let served: ServedDirectory;
  let proxy: Server;
  let requestedUrls: string[] = [];
  let throttledRequests = 0;
  let throttlesEveryFifth = false;
  const folder = mkdtempSync(join(tmpdir(), 'castellan-live-'));
  const run = (text: string, ...args: string[]): Promise<CliRun> => {
    writeFileSync(join(folder, 'castellan.yaml'), text);
    requestedUrls = [];
    throttledRequests = 0;
    const origin = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
    const live = args.includes('--from') ? [] : ['--from', 'live', '--endpoint', origin];
    return runCli([...args, ...live], { cwd: folder, env: {} });
  };
  const accessOf = async (text: string, ...args: string[]): Promise<Record<string, unknown>> => {
    const { stdout, stderr } = await run(text, 'access', '--format', 'json', ...args);
    if (stdout === '') throw new Error(stderr);
    return (JSON.parse(stdout) as { apps: Record<string, unknown>[] }).apps[0] ?? {};
  };

  beforeAll(async () => {
    served = await ServedDirectory.start({ seed });
    proxy = createServer((incoming, outgoing) => {
      requestedUrls.push(decodeURIComponent(incoming.url ?? ''));
      if (throttlesEveryFifth && requestedUrls.length % 5 === 0) {
        throttledRequests++;
        outgoing
          .writeHead(429, { 'retry-after': '1', 'content-type': 'application/json' })
          .end('{"error":{"code":"TooManyRequests"}}');
        return;
      }
      const { pathname } = new URL(served.origin);
      const forwarded = request(
        served.origin + (incoming.url ?? pathname),
        { method: incoming.method, headers: { ...incoming.headers } },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        },
      );
      incoming.pipe(forwarded);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await served.stop();
  });
  afterEach(() => (throttlesEveryFifth = false));

  it('reads the allowed group, nested groups and their people, and nothing that the stack does not refer to', async () => {
    const access = await accessOf(config(`, allowedGroups: [${id(20)}]`), '--people');
    expect(access).toMatchObject({
      people: [{ person: 'grace@contoso.example' }, { person: 'user0@contoso.example' }],
      groups: [{ group: 'Staff', people: 3 }],
      counts: { people: 2, unknown: 0 },
    });
    const requested = requestedUrls.join('\n');
    expect(requested).not.toMatch(/\/users\?/);
    expect(requested).not.toContain(id(22));
    expect(requested).not.toContain(id(8));
  });

  it('reads a rule for the direct reports of somebody who was deleted', async () => {
    const access = await accessOf(config(`, allowedGroups: [${id(26)}]`), '--people');
    expect(access).toMatchObject({ people: [], counts: { people: 0, unknown: 0 } });
  });

  it('waits as long as a throttling service asks', async () => {
    throttlesEveryFifth = true;
    const startedAt = Date.now();
    const access = await accessOf(config(`, allowedGroups: [${id(20)}]`));
    expect(access).toMatchObject({ counts: { people: 2, unknown: 0 } });
    expect(throttledRequests).toBeGreaterThan(0);
    expect(Date.now() - startedAt).toBeGreaterThan(throttledRequests * 900);
  });

  it('reads everyone page by page if a rule needs everyone, with the properties that it reads', async () => {
    const access = await accessOf(config(`, allowedGroups: [${id(23)}]`));
    expect(access).toMatchObject({
      people: [{ person: 'ada@contoso.example' }],
      counts: { people: 1 },
    });
    const pages = requestedUrls.filter((url) => /\/users\?/.test(url));
    expect(pages.length).toBeGreaterThanOrEqual(3);
    expect(pages[0]).toContain('department');
    expect(pages[0]).not.toContain('jobTitle');
  });

  it('reads the direct reports of a manager named in a rule, and no one else', async () => {
    const access = await accessOf(config(`, allowedGroups: [${id(24)}]`));
    expect(access).toMatchObject({ people: [{ person: 'grace@contoso.example' }] });
    expect(requestedUrls.join('\n')).not.toMatch(/\/users\?/);
  });

  it.each([
    ['everyone', '', ['grace', 'user2', 'ada']],
    ['some', `, allowedGroups: [${id(20)}]`, ['grace']],
  ])(
    'reads the groups that have a role of the application, where one is required of %s',
    async (_whom, allowedLists, names) => {
      const text = config(allowedLists).replace(clientId, assignedClientId);
      const access = await accessOf(text, '--people');
      expect(access).toMatchObject({
        people: names.map((name) => ({ person: `${name}@contoso.example` })),
        counts: { unknown: 0 },
      });
    },
  );

  it('reads who has a role of an application of another tenant', async () => {
    const text = config('').replace(clientId, foreignClientId);
    expect(await accessOf(text, '--people')).toMatchObject({
      people: ['grace', 'user2', 'ada'].map((name) => ({ person: `${name}@contoso.example` })),
      counts: { unknown: 0 },
    });
  });

  it('reads the service principal of an application once', async () => {
    await accessOf(config('').replace(clientId, assignedClientId));
    const filter = `appId eq '${assignedClientId}'`;
    const lists = requestedUrls.filter(
      (url) => url.includes('/servicePrincipals?') && url.includes(filter),
    );
    expect(lists).toHaveLength(1);
  });

  it('finds a requested person who is in no group', async () => {
    const { stdout } = await run(
      config(`, allowedGroups: [${id(20)}]`),
      'access',
      '--person',
      'user7',
    );
    expect(stdout).toContain('shop/: no, user7@contoso.example: the browser gets 403\n');
    expect(stdout).toContain('  no   group       Staff: not a member\n');
  });

  it('stores what it read, with names and addresses replaced consistently by the same key', async () => {
    const text = config(
      ', allowedGroups: [staff], allowedPrincipals: [ada]',
      `groups:\n  staff: { kind: security, displayName: Staff, owners: [ada] }\n`,
    );
    writeFileSync(join(folder, 'key'), 'a key');
    const takeSnapshot = async (file: string, ...args: string[]): Promise<string> => {
      const { exitCode, stderr, stdout } = await run(text, 'snapshot', '--out', file, ...args);
      expect([exitCode, stderr, stdout]).toEqual([
        0,
        '',
        `${file}: 4 people, 2 groups and 1 registration of the directory\n`,
      ]);
      return readFileSync(join(folder, file), 'utf8');
    };
    const plain = await takeSnapshot('plain.yaml');
    expect(plain).toContain('"userPrincipalName":"grace@contoso.example"');
    const [first, second] = [
      await takeSnapshot('one.yaml', '--pseudonyms', '--key-file', 'key'),
      await takeSnapshot('two.yaml', '--pseudonyms', '--key-file', 'key'),
    ];
    expect(second).toBe(first);
    writeFileSync(join(folder, 'key'), 'another key');
    expect(await takeSnapshot('three.yaml', '--pseudonyms', '--key-file', 'key')).not.toBe(first);
    expect(first).not.toMatch(/contoso\.example|Grace|Hopper|Ada|Lovelace|user0/i);
    expect(Object.keys(readSeedFile(join(folder, 'one.yaml')))).toEqual([
      'snapshot',
      'users',
      'groups',
      'applications',
      'servicePrincipals',
    ]);
    const answers = await Promise.all(
      ['plain.yaml', 'one.yaml'].map((from) => accessOf(text, '--from', from)),
    );
    expect(answers[1]).toMatchObject({ counts: (answers[0] as { counts: object }).counts });
    expect(answers[0]).toMatchObject({ counts: { people: 3, unknown: 0 } });
    const { stdout } = await run(text, 'access', '--person', 'ada', '--from', 'one.yaml');
    expect(stdout).toMatch(/^shop\/: yes, person-[0-9a-f]{12}@pseudonym\.example/);
  });

  it('reports as unknown what a rule matches if it reads a property that the snapshot lacks', async () => {
    const text = (rule: string): string =>
      config(
        ', allowedGroups: [retail]',
        `groups:\n  retail: { kind: security, displayName: Retail, dynamicMembership: { rule: '${rule}' } }\n`,
      );
    expect(
      (
        await run(
          text('user.mail -endsWith "x"'),
          'snapshot',
          '--out',
          'people.yaml',
          '--pseudonyms',
        )
      ).stderr,
    ).toContain(
      'whom user.mail -endsWith "x" matches will not be known, as pseudonyms replace mail: keep it with --properties mail\n',
    );
    await run(
      text('user.department -eq "Retail"'),
      'snapshot',
      '--out',
      'people.yaml',
      '--pseudonyms',
    );
    const from = ['--from', 'people.yaml'];
    expect(await accessOf(text('user.department -eq "Crowd"'), ...from)).toMatchObject({
      counts: { people: 2_100, unknown: 0 },
    });
    expect(await accessOf(text('user.jobTitle -eq "Buyer"'), ...from)).toMatchObject({
      counts: { people: 0, unknown: 2_102 },
    });
    expect(await accessOf(text('user.mail -endsWith "x"'), ...from)).toMatchObject({
      counts: { people: 0, unknown: 2_102 },
    });
    await run(
      text('user.department -eq "Retail"'),
      'snapshot',
      '--out',
      'people.yaml',
      '--pseudonyms',
      '--properties',
      'jobTitle',
    );
    expect(await accessOf(text('user.jobTitle -eq "Buyer"'), ...from)).toMatchObject({
      counts: { people: 0, unknown: 0 },
    });
  });

  it('reports for an app for everyone that anyone in the directory gets in, if the snapshot has only some', async () => {
    await run(config(`, allowedGroups: [${id(20)}]`), 'snapshot', '--out', 'people.yaml');
    expect(await accessOf(config(''), '--from', 'people.yaml')).toMatchObject({
      anyone: ['directory'],
    });
  });

  it.each([
    [
      ['--properties', 'jobtitle'],
      '--properties jobtitle: no rule can ask it, did you mean jobTitle?',
    ],
    [['--from', 'people.yaml'], '--from people.yaml: a snapshot is taken from sandbox or live'],
    [['--from', 'sandbox'], 'no sandbox is running'],
  ])('refuses %j', async (args, message) => {
    const { exitCode, stderr } = await run(config(''), 'snapshot', '--out', 'people.yaml', ...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  it.each([
    [['access', '--from', 'none']],
    [['access', '--from', 'sandbox']],
    [['snapshot', '--out', 'x.yaml', '--from', 'sandbox']],
  ])('refuses --endpoint where it asks no service: %j', async (words) => {
    const { exitCode, stderr } = await run(
      config(''),
      ...words,
      '--endpoint',
      'https://directory.example',
    );
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('--endpoint says where --from live looks: give --from live, too'),
    ]);
  });

  it('keeps the key of pseudonyms from git', async () => {
    await run(config(''), 'snapshot', '--out', 'keyed.yaml', '--pseudonyms');
    expect(readFileSync(join(folder, '.castellan/.gitignore'), 'utf8')).toBe('*\n');
    expect(readFileSync(join(folder, '.castellan/pseudonyms.key'), 'utf8')).not.toBe('');
  });
});
