import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';
import { id, user } from '../../services/directory/support/directory.js';
import { ServedDirectory } from '../../services/directory/support/served.js';

/** `few` is in few groups, `unrelated` is in no group of the stack. */
const [ada, grace, mary, few, unrelated] = [id(1), id(2), id(3), id(4), id(5)];
const clientId = id(9);

const group = (
  number: number,
  displayName: string,
  moreProperties: object,
): Record<string, unknown> => ({
  id: id(number),
  displayName,
  mailNickname: `group${String(number)}`,
  mailEnabled: false,
  securityEnabled: true,
  ...moreProperties,
});

/** 100 groups that no stack refers to, and one that contains all of them. */
const otherGroups = (first: number, members: readonly string[], moreProperties: object = {}) => [
  ...Array.from({ length: 100 }, (_, index) =>
    group(first + index, `Other ${String(first + index)}`, { members, ...moreProperties }),
  ),
  group(first + 100, `Outer ${String(first)}`, {
    members: Array.from({ length: 100 }, (_, index) => id(first + index)),
  }),
];

const unified = { groupTypes: ['Unified'], mailEnabled: true, securityEnabled: false };
const seed = (groupMembershipClaims: string) => ({
  users: [
    user(ada, { userPrincipalName: 'ada@contoso.example' }),
    user(grace, { userPrincipalName: 'grace@contoso.example' }),
    user(mary, { userPrincipalName: 'mary@contoso.example', department: 'Retail' }),
    user(few, { userPrincipalName: 'few@contoso.example', department: 'Retail' }),
    user(unrelated, { userPrincipalName: 'unrelated@contoso.example' }),
  ],
  applications: [{ id: id(7), appId: clientId, displayName: 'Sign-in', groupMembershipClaims }],
  servicePrincipals: [{ id: id(8), appId: clientId, displayName: 'Sign-in' }],
  groups: [
    group(20, 'Staff', { members: [ada, grace, few] }),
    group(21, 'Retail', {
      groupTypes: ['DynamicMembership'],
      membershipRule: 'user.department -eq "Retail"',
      membershipRuleProcessingState: 'On',
    }),
    ...otherGroups(1_000, [ada, grace, mary, unrelated]),
    ...otherGroups(2_000, [ada, mary, few, unrelated]),
    // of the 203 groups of grace, 103 are security groups
    ...otherGroups(3_000, [grace], unified),
  ],
});

const config = (allowed: string): string => `version: 1
stack: shop
principals: { staff: { group: Staff } }
groups:
  retail: { displayName: Retail, description: Retail., kind: security, membershipRule: 'user.department -eq "Retail"' }
containerApps:
  shop:
    image: ghcr.io/contoso/shop@sha256:${'0'.repeat(64)}
    targetPort: 8080
    ingress: { external: true }
    auth: { providers: { directory: { clientId: ${clientId}, clientSecret: "\${env:SECRET}", allowedGroups: [${allowed}] } } }
`;

describe('a snapshot of people who are in more groups than a token lists', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-overage-'));
  let served: ServedDirectory;
  const run = (...args: string[]) => runCli(args, { cwd: folder, env: {} });
  const answerFrom = async (...source: string[]) => {
    const { stdout, stderr } = await run('access', '--format', 'json', '--from', ...source);
    if (stdout === '') throw new Error(stderr);
    const [app] = (JSON.parse(stdout) as { apps: { people: { person: string }[] }[] }).apps;
    return app ?? { people: [] };
  };

  afterEach(() => served.stop());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['staff', 'SecurityGroup', ['grace', 'few']],
    ['staff', 'All', ['few']],
    ['retail', 'SecurityGroup', ['few']],
    ['staff, retail', 'All', ['few']],
  ])(
    'answers as the whole directory does, with %s allowed and %s in tokens',
    async (allowed, claims, names) => {
      served = await ServedDirectory.start({ seed: seed(claims) });
      writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed(claims)));
      writeFileSync(join(folder, 'castellan.yaml'), config(allowed));
      const live = ['--endpoint', served.origin];
      await run('snapshot', '--from', 'live', ...live, '--out', 'people.json');
      const answer = await answerFrom('seed.json');
      expect(answer.people.map(({ person }) => person.split('@')[0])).toEqual(names);
      expect(await answerFrom('people.json')).toEqual(answer);
      expect(await answerFrom('live', ...live)).toEqual(answer);
    },
  );
});
