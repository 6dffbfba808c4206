import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../../../core/findings/finding.js';
import { runCheck } from '../../../../policies/check/run-check.js';
import { fakeDirectory, type FakeGroup } from '../../../support/fake-directory.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-live-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const head = [
  'version: 1',
  'stack: shop',
  'principals: { ada: { user: ada@contoso.example }, grace: { user: grace@contoso.example } }',
  'groups:',
];
const check = async (
  groupYaml: string,
  live: readonly FakeGroup[] | undefined,
  overrides: object = {},
): Promise<readonly Finding[]> => {
  writeFileSync(
    join(folder, 'castellan.yaml'),
    [...head, `  shoppers: { ${groupYaml} }`, ''].join('\n'),
  );
  const reader = live === undefined ? undefined : fakeDirectory(live);
  return (
    await runCheck({ paths: ['castellan.yaml'], live: reader, cwd: folder, env: {}, ...overrides })
  ).findings;
};
const ownerWithStrongMethod = (name: string) => ({
  name: `${name}@contoso.example`,
  methods: ['password', 'fido2'],
});
const group = (overrides: object = {}): FakeGroup => ({
  id: 'id-1',
  displayName: 'Shoppers',
  mailNickname: 'shoppers',
  visibility: 'Private',
  owners: [ownerWithStrongMethod('ada'), ownerWithStrongMethod('grace')],
  ...overrides,
});
const plain = 'kind: security, displayName: Shoppers, owners: [ada, grace]';
const findingLines = (findings: readonly Finding[]) =>
  findings
    .filter(({ ruleId }) => ruleId.startsWith('live-'))
    .map(({ ruleId, verdict, path = [] }) =>
      `${ruleId} ${verdict} ${path.slice(2).join('.')}`.trim(),
    );

describe('checking what lives in the directory', () => {
  it('finds groups that nobody declares, by prefix and by owner', async () => {
    writeFileSync(
      join(folder, 'castellan.policy.yaml'),
      'version: 1\nrules: { live-group-undeclared: { options: { prefixes: [Shop], owners: [ada@contoso.example] } } }\n',
    );
    const findings = await check(plain, [
      group(),
      group({ id: 'id-2', displayName: 'Shop admins', mailNickname: 'a', owners: [] }),
      group({
        id: 'id-3',
        displayName: 'Hers',
        mailNickname: 'b',
        owners: [ownerWithStrongMethod('ada')],
      }),
      group({ id: 'id-4', displayName: 'Others', mailNickname: 'c', owners: [] }),
    ]);
    const undeclared = findings.filter(({ ruleId }) => ruleId === 'live-group-undeclared');
    expect(undeclared.map(({ message, location }) => [message, location?.file])).toEqual([
      [
        'the directory has the group "Shop admins" (id-2), which no stack declares: its name begins with Shop',
        'castellan.policy.yaml',
      ],
      [
        'the directory has the group "Hers" (id-3), which no stack declares: ada@contoso.example owns it',
        'castellan.policy.yaml',
      ],
    ]);
  });

  it('finds a group that only has the name of a declared one', async () => {
    writeFileSync(
      join(folder, 'castellan.policy.yaml'),
      'version: 1\nrules: { live-group-undeclared: { options: { prefixes: [Shop] } } }\n',
    );
    const findings = await check(plain, [
      group({ id: 'id-2', mailNickname: 'other' }),
      group({ id: 'id-1' }),
      group({ id: 'id-3', displayName: 'Shops', mailNickname: 'SHOPPERS' }),
    ]);
    const undeclared = findings.filter(({ ruleId }) => ruleId === 'live-group-undeclared');
    expect(undeclared.map(({ liveId }) => liveId)).toEqual(['id-2', 'id-3']);
  });

  it('warns once of a person who owns several groups', async () => {
    const owners = [
      ownerWithStrongMethod('ada'),
      { name: 'grace@contoso.example', methods: ['password'] },
    ];
    const findings = await check(
      `${plain} }\n  sellers: { ${plain.replace('Shoppers', 'Sellers')}`,
      [
        group({ owners }),
        group({ id: 'id-2', displayName: 'Sellers', mailNickname: 'sellers', owners }),
      ],
    );
    const weakOwnerFindings = findings.filter(
      ({ ruleId }) => ruleId === 'live-owner-strong-method',
    );
    expect(weakOwnerFindings.map(({ message }) => message)).toEqual([
      'the owner grace@contoso.example signs in with password only; register an authenticator, a security key or the like (an owner of 2 groups)',
    ]);
  });

  it.each<[string, string, readonly FakeGroup[], readonly string[]]>([
    ['nothing where all is as declared', plain, [group()], []],
    ['a group that is missing', plain, [], ['live-group-missing fail']],
    [
      'one owner',
      plain,
      [group({ owners: [ownerWithStrongMethod('ada')] })],
      ['live-group-drift fail owners.1', 'live-group-owners fail owners'],
    ],
    [
      'no owner',
      plain,
      [group({ owners: [] })],
      [
        'live-group-drift fail owners.0',
        'live-group-drift fail owners.1',
        'live-group-ownerless fail owners',
        'live-group-owners fail owners',
      ],
    ],
    [
      'an owner with a password only, where it is declared',
      plain,
      [
        group({
          owners: [
            ownerWithStrongMethod('ada'),
            { name: 'GRACE@contoso.example', methods: ['password'] },
          ],
        }),
      ],
      ['live-owner-strong-method fail owners.1'],
    ],
    [
      'an undeclared owner without any method',
      plain,
      [group({ owners: [ownerWithStrongMethod('ada'), { name: 'eve@contoso.example' }] })],
      [
        'live-group-drift fail owners.1',
        'live-group-drift fail owners.eve@contoso.example',
        'live-owner-strong-method fail owners.eve@contoso.example',
      ],
    ],
    [
      'nothing of the methods of a service principal',
      plain,
      [
        group({
          owners: [
            ownerWithStrongMethod('ada'),
            ownerWithStrongMethod('grace'),
            { name: 'robot', isServicePrincipal: true },
          ],
        }),
      ],
      ['live-group-drift fail owners.robot'],
    ],
    [
      'members that are missing, and undeclared ones',
      `${plain}, members: [ada, "11111111-2222-4333-8444-555555555555"]`,
      [group({ members: ['11111111-2222-4333-8444-555555555555', 'eve@contoso.example'] })],
      ['live-group-drift fail members.0', 'live-group-drift fail members.eve@contoso.example'],
    ],
    [
      'nothing of members in another order and case',
      `${plain}, members: [ada, grace]`,
      [group({ members: ['Grace@Contoso.example', 'ada@contoso.example'] })],
      [],
    ],
    [
      'nothing of members that are managed elsewhere',
      `${plain}, members: [], membersManagedElsewhere: true`,
      [group({ members: ['eve'] })],
      [],
    ],
    [
      'that members may not be read',
      `${plain}, members: [ada]`,
      [group({ members: 'hidden' })],
      ['live-group-drift unknown members'],
    ],
    [
      'that methods may not be read',
      plain,
      [
        group({
          owners: [
            ownerWithStrongMethod('ada'),
            { name: 'grace@contoso.example', methods: 'hidden' },
          ],
        }),
      ],
      ['live-owner-strong-method unknown owners'],
    ],
    [
      'a changed description',
      `${plain}, description: Who shops`,
      [group({ description: null })],
      ['live-group-drift fail description'],
    ],
    [
      'a changed theme',
      `${plain}, theme: Teal`,
      [group({ theme: 'Red' })],
      ['live-group-drift fail theme'],
    ],
    [
      'a changed rule',
      `${plain}, dynamicMembership: { rule: 'user.city -eq "Rome"' }`,
      [group({ membershipRule: 'user.city -eq "Oslo"' })],
      ['live-group-drift fail dynamicMembership.rule'],
    ],
    [
      'visibility in any case as the same',
      `${plain}, visibility: Private`,
      [group({ visibility: 'private' })],
      [],
    ],
    ['nothing of what the directory did not tell', `${plain}, classification: Low`, [group()], []],
    [
      'nothing of what is known only later',
      'kind: security, displayName: "${env:NAME}", owners: [ada, grace]',
      [group()],
      [],
    ],
    [
      'a nickname that changed',
      `${plain}, mailNickname: buyers`,
      [group()],
      ['live-group-drift fail mailNickname'],
    ],
  ])('says %s', async (_, groupYaml, live, expectedLines) => {
    expect([...findingLines(await check(groupYaml, live))].sort()).toEqual([...expectedLines]);
  });

  it('judges a rule once, however it is declared', async () => {
    const membershipRule = 'user.city -eq "Rome" -and user.city -eq "Oslo"';
    for (const groupYaml of [
      `dynamicMembership: { rule: '${membershipRule}' }`,
      `membershipRule: '${membershipRule}', groupTypes: [DynamicMembership]`,
    ]) {
      const findings = await check(`${plain}, ${groupYaml}`, [group({ membershipRule })]);
      const neverFindings = findings.filter(({ ruleId }) => ruleId === 'group-rule-never');
      expect(neverFindings.map(({ liveId, location }) => [liveId, location?.line])).toEqual([
        ['id-1', 5],
      ]);
    }
  });

  it('gives findings the id in the directory and the place in the source', async () => {
    const findings = await check(`${plain}, theme: Teal`, [group({ theme: null })]);
    expect(findings.find(({ ruleId }) => ruleId === 'live-group-drift')).toMatchObject({
      liveId: 'id-1',
      location: { file: 'castellan.yaml', line: 5 },
      message: 'theme is not set in the directory, declared is "Teal"',
    });
  });

  it('reports that it cannot look for a group whose names are not known yet', async () => {
    const findings = await check(
      'kind: security, displayName: "${env:NAME}", mailNickname: "${env:NICK}", owners: [ada, grace]',
      [],
    );
    expect(findingLines(findings).every((line) => line.includes(' unknown'))).toBe(true);
    expect(findingLines(findings)).toContain('live-group-missing unknown');
  });

  it.each(['"${env:NOBODY}"', '5'])(
    'cannot compare owners with one who is not known yet: user %s',
    async (user) => {
      const yaml = `${plain.replace('grace', 'linus, alan@contoso.example')} }
principals: { ada: { user: ada@contoso.example }, linus: { user: ${user} }`;
      writeFileSync(
        join(folder, 'castellan.yaml'),
        [...head.filter((line) => !line.startsWith('principals')), `  shoppers: { ${yaml} }`].join(
          '\n',
        ),
      );
      const { findings } = await runCheck({
        paths: ['castellan.yaml'],
        live: fakeDirectory([group()]),
        cwd: folder,
        env: {},
      });
      const drift = findings.filter(({ ruleId }) => ruleId === 'live-group-drift');
      expect(drift.map(({ message }) => message)).toEqual([
        "owners.1 can't be judged: it is not known yet who linus is",
        'alan@contoso.example is in owners of the declaration, but not of the group in the directory',
      ]);
    },
  );

  it('calls the suppression of a live finding unused only where a live check was made', async () => {
    const policy = {
      version: 1,
      suppressions: [
        { rule: 'live-group-missing', reason: 'soon', owner: 'ada', until: '2099-01-01' },
      ],
    };
    writeFileSync(join(folder, 'castellan.policy.yaml'), JSON.stringify(policy));
    const unused = (findings: readonly Finding[]) =>
      findings.filter(({ ruleId }) => ruleId === 'suppression-unused');
    expect(unused(await check(plain, undefined))).toEqual([]);
    expect(unused(await check(plain, [group()]))).toHaveLength(1);
    expect(findingLines(await check(plain, []))).toEqual([]);
  });

  it('applies the policy', async () => {
    writeFileSync(
      join(folder, 'castellan.policy.yaml'),
      JSON.stringify({ version: 1, rules: { 'live-group-missing': 'off' } }),
    );
    expect(findingLines(await check(plain, []))).toEqual([]);
  });
});
