import { checkStack } from '../../../policies/check/check-stack.js';
import { loadConfig } from '../../../policies/model/load-config.js';

/** The rules that a configuration breaks. */
async function ruleIdsOf(yaml: string): Promise<readonly string[]> {
  const bytes = Buffer.from(`version: 1\nstack: limits\n${yaml}`);
  const files = {
    stat: () => ({ kind: 'file', size: bytes.length }) as const,
    read: () => bytes,
    list: () => [],
  };
  const { stacks, findings } = await loadConfig({ paths: ['castellan.yaml'], files });
  return [...findings, ...stacks.flatMap((stack) => checkStack(stack, { env: {} }))]
    .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
    .map(({ ruleId }) => ruleId);
}

const group = (properties: string) => `groups:\n  g: { displayName: G, ${properties} }\n`;
const house = (properties: string) =>
  `workspaces: { w: { displayName: W } }\neventhouses:\n  h: { workspace: w, ${properties} }\n`;
const people = `principals:\n  u: { user: u@example.com }\n  s: { servicePrincipal: s }\n  d: { device: d }\n  c: { contact: c@example.com }\n`;
const allGroups = `groups:\n  sec: { kind: security, displayName: S }\n  uni: { kind: unified, displayName: U }\n`;

describe('the limits of a group', () => {
  it.each([
    ['A security group', group('kind: security'), []],
    ['A unified group that is security-enabled', group('kind: unified, securityEnabled: true'), []],
    ['A unified group needs mail', group('kind: unified, mailEnabled: false'), ['group-kind']],
    ['A security group has no mail', group('kind: security, mailEnabled: true'), ['group-kind']],
    [
      'A security group is security-enabled',
      group('kind: security, securityEnabled: false'),
      ['group-kind'],
    ],
    ['There is no kind of its own for distribution', group('kind: distribution'), ['group-kind']],
    [
      'The types of a unified group without a kind',
      group('groupTypes: [Unified], mailEnabled: true, securityEnabled: false'),
      [],
    ],
    [
      'The types of a security group without a kind',
      group('groupTypes: [], mailEnabled: false, securityEnabled: true'),
      [],
    ],
    [
      'Mail and security without the type Unified',
      group('groupTypes: [], mailEnabled: true, securityEnabled: true'),
      ['group-kind'],
    ],
    [
      'Mail alone without the type Unified',
      group('groupTypes: [], mailEnabled: true, securityEnabled: false'),
      ['group-kind'],
    ],
    [
      'Neither mail nor security',
      group('groupTypes: [], mailEnabled: false, securityEnabled: false'),
      ['group-kind'],
    ],
    [
      'The kind contradicts the types',
      group('kind: security, groupTypes: [Unified]'),
      ['group-kind'],
    ],
    ['A misspelt type', group('kind: security, groupTypes: [Unifed]'), ['property-value']],
    ['A public unified group', group('kind: unified, visibility: Public'), []],
    ['A hidden unified group', group('kind: unified, visibility: HiddenMembership'), []],
    [
      'Hidden membership in the letter case of the provider',
      group('kind: unified, visibility: Hiddenmembership'),
      ['group-visibility'],
    ],
    [
      'A security group is never hidden',
      group('kind: security, visibility: HiddenMembership'),
      ['group-visibility'],
    ],
    ['A security group that can hold roles', group('kind: security, isAssignableToRole: true'), []],
    [
      'A group that can hold roles is private',
      group('kind: security, isAssignableToRole: true, visibility: Public'),
      ['group-role-assignable'],
    ],
    [
      'A unified group that can hold roles is private and security-enabled',
      group('kind: unified, isAssignableToRole: true'),
      ['group-role-assignable', 'group-role-assignable'],
    ],
    [
      'A private, security-enabled unified group that can hold roles',
      group('kind: unified, isAssignableToRole: true, securityEnabled: true, visibility: Private'),
      [],
    ],
    [
      'The default visibility of a unified group is public',
      group('kind: unified, isAssignableToRole: true, securityEnabled: true'),
      ['group-role-assignable'],
    ],
    ['A language with a region', group('kind: unified, preferredLanguage: de-CH'), []],
    [
      'A language that no one speaks',
      group('kind: unified, preferredLanguage: zz'),
      ['group-preferred-language'],
    ],
    [
      'A setting without values',
      group('kind: unified, settings: { Group.Unified.Guest: {} }'),
      ['group-settings'],
    ],
    [
      'Hidden membership of a group that can hold roles',
      group(
        'kind: unified, securityEnabled: true, isAssignableToRole: true, visibility: HiddenMembership',
      ),
      [],
    ],
    [
      'A group that can hold roles has no membership rule',
      group(
        'kind: security, isAssignableToRole: true, dynamicMembership: { rule: \'user.department -eq "a"\' }',
      ),
      ['group-role-assignable'],
    ],
    ['A theme', group('kind: unified, theme: Teal'), []],
    ['A theme in another letter case', group('kind: unified, theme: teal'), ['group-theme']],
    ['A theme of a security group', group('kind: security, theme: Teal'), ['group-unified-only']],
    [
      'A paused membership rule',
      group(
        'kind: unified, membershipRule: \'user.department -eq "a"\', membershipRuleProcessingState: Paused',
      ),
      [],
    ],
    [
      'An unknown state of a membership rule',
      group(
        'kind: unified, membershipRule: \'user.department -eq "a"\', membershipRuleProcessingState: Off',
      ),
      ['group-processing-state'],
    ],
    [
      'A state without a rule',
      group('kind: unified, membershipRuleProcessingState: On'),
      ['group-dynamic-rule'],
    ],
    [
      'The type of a dynamic group without a rule',
      group('groupTypes: [Unified, DynamicMembership], mailEnabled: true, securityEnabled: false'),
      ['group-dynamic-rule'],
    ],
    ['A flag kept with the mailbox', group('kind: unified, autoSubscribeNewMembers: true'), []],
    [
      'A read-only property with a value',
      group('kind: unified, mail: g@example.com'),
      ['property-read-only'],
    ],
    ['A read-only count', group('kind: unified, unseenCount: 1'), ['property-read-only']],
    ['A property that no group has', group('kind: unified, colour: Teal'), ['property-unknown']],
    ['A property that is null', group('kind: unified, description: null'), ['property-type']],
    ['The longest nickname', group(`kind: unified, mailNickname: ${'a'.repeat(64)}`), []],
    [
      'A nickname that is too long',
      group(`kind: unified, mailNickname: ${'a'.repeat(65)}`),
      ['group-mail-nickname'],
    ],
    [
      'The longest display name',
      `groups:\n  g: { kind: security, displayName: ${'a'.repeat(256)} }\n`,
      [],
    ],
    [
      'A display name that is too long',
      `groups:\n  g: { kind: security, displayName: ${'a'.repeat(257)} }\n`,
      ['group-display-name'],
    ],
    [
      'As many owners as a group can have',
      group(
        `kind: security, owners: [${Array.from({ length: 100 }, (_, index) => `"00000000-0000-4000-8000-${String(index).padStart(12, '0')}"`).join()}]`,
      ),
      [],
    ],
    [
      'One owner too many',
      group(
        `kind: security, owners: [${Array.from({ length: 101 }, (_, index) => `"00000000-0000-4000-8000-${String(index).padStart(12, '0')}"`).join()}]`,
      ),
      ['group-owners-limit'],
    ],
  ])('%s', async (_, yaml, expected) => {
    expect(await ruleIdsOf(yaml)).toEqual(expected);
  });

  it.each([...'@()\\[]";:<>, é'])('allow no %j in a mail nickname', async (character) => {
    expect(
      await ruleIdsOf(group(`kind: unified, mailNickname: ${JSON.stringify(`a${character}b`)}`)),
    ).toEqual(['group-mail-nickname']);
  });

  it.each([..."!#$%&'*+-./=?^_`{|}~0Aa"])('allow %j in a mail nickname', async (character) => {
    expect(
      await ruleIdsOf(group(`kind: unified, mailNickname: ${JSON.stringify(`a${character}b`)}`)),
    ).toEqual([]);
  });

  it.each([
    ['security', 'u', true],
    ['security', 's', true],
    ['security', 'd', true],
    ['security', 'c', true],
    ['security', 'sec', true],
    ['security', 'uni', false],
    ['unified', 'u', true],
    ['unified', 's', false],
    ['unified', 'd', false],
    ['unified', 'c', false],
    ['unified', 'sec', false],
    ['unified', 'uni', false],
  ])('follow the membership table: %s group, member %s: %s', async (kind, member, allowed) => {
    const yaml = `${people}${allGroups}  g: { kind: ${kind}, displayName: G, members: [${member}] }\n`;
    expect(await ruleIdsOf(yaml)).toEqual(allowed ? [] : ['group-member-kind']);
  });

  it.each([
    ['u', true],
    ['s', true],
    ['d', false],
    ['c', false],
  ])('let owners be users and service principals: %s is %s', async (owner, allowed) => {
    expect(await ruleIdsOf(`${people}${group(`kind: security, owners: [${owner}]`)}`)).toEqual(
      allowed ? [] : ['group-owner-kind'],
    );
  });
});

describe('the limits of an eventhouse', () => {
  it.each([0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, 51, 51.5, 100.25, 322])(
    'allow %d units',
    async (units) => {
      expect(await ruleIdsOf(house(`displayName: h, minimumConsumptionUnits: ${units}`))).toEqual(
        [],
      );
    },
  );

  it.each([-1, 1, 2, 2.5, 4, 8, 50.5, 50.99, 322.01, 323])('allow no %d units', async (units) => {
    expect(await ruleIdsOf(house(`displayName: h, minimumConsumptionUnits: ${units}`))).toEqual([
      'eventhouse-consumption-units',
    ]);
  });

  it.each([
    ['A name with every allowed sign', 'displayName: a_b.c-1', []],
    ['A name with a blank', 'displayName: "a b"', ['item-display-name']],
    ['A name beyond ASCII', 'displayName: "é"', ['item-display-name']],
    ['An empty name', 'displayName: ""', ['item-display-name']],
    ['The longest description', `displayName: h, description: ${'a'.repeat(256)}`, []],
    [
      'A description that is too long',
      `displayName: h, description: ${'a'.repeat(257)}`,
      ['item-description'],
    ],
    ['A folder that is null', 'displayName: h, folderId: null', []],
    ['A folder that is no id', 'displayName: h, folderId: here', ['property-value']],
    ['Units in quotes', 'displayName: h, minimumConsumptionUnits: "4.25"', ['property-type']],
    [
      'A label',
      'displayName: h, sensitivityLabelSettings: { labelId: 11111111-2222-4333-8444-555555555555 }',
      [],
    ],
    [
      'A strategy without a label',
      'displayName: h, sensitivityLabelSettings: { sensitivityLabelApplyStrategy: Ignore }',
      ['property-required'],
    ],
  ])('%s', async (_, properties, expected) => {
    expect(await ruleIdsOf(house(properties))).toEqual(expected);
  });
});

describe('the limits of combined properties', () => {
  const app = (properties: string) =>
    `containerApps:\n  shop: { image: "ghcr.io/contoso/shop:1", ${properties} }\n`;
  const signIn = (properties: string) =>
    app(
      `targetPort: 80, ingress: { external: true }, secrets: { s: "\${env:S}" }, auth: { ${properties} providers: { codehost: { clientId: a, clientSecret: "secret:s" } } }`,
    );

  it.each([
    ['Sign-in with one provider', signIn(''), []],
    [
      'Unauthenticated requests that are restricted and let in',
      signIn('unauthenticatedAction: allowAnonymous,'),
      ['auth-access-action'],
    ],
    [
      'Unauthenticated requests that are let in',
      signIn('restrictAccess: allowUnauthenticated, unauthenticatedAction: allowAnonymous,'),
      ['auth-public-app'],
    ],
    [
      'One person under two names',
      'principals:\n  a: { user: ada@contoso.example }\n  b: { user: ADA@contoso.example }\n',
      ['principal-twice'],
    ],
    [
      'A redirect URI that is a URN',
      'registrations:\n  r: { displayName: R, redirectUris: ["urn:ietf:wg:oauth:2.0:oob"] }\n',
      [],
    ],
    [
      'A redirect URI with a custom scheme',
      'registrations:\n  r: { displayName: R, redirectUris: ["myapp://auth"] }\n',
      ['registration-redirect-uris'],
    ],
    ['Tags with common signs', app('tags: { cost-centre: a, "hidden-link:app": b }'), []],
    ['A slash in the name of a tag', app('tags: { "a/b": c }'), ['property-value']],
    ['Angle brackets in the name of a tag', app('tags: { "<a>": c }'), ['property-value']],
    ['A reserved prefix of a tag', app('tags: { azureThing: c }'), ['property-value']],
    [
      'More tags than a resource can have',
      app(
        `tags: { ${Array.from({ length: 51 }, (_, index) => `t${String(index)}: a`).join(', ')} }`,
      ),
      ['property-value'],
    ],
  ])('%s', async (_, yaml, expected) => {
    expect(await ruleIdsOf(yaml)).toEqual(expected);
  });

  it('are refused for a unified group with a group of unspecified kind, which takes neither', async () => {
    const bytes = Buffer.from(
      'version: 1\nstack: limits\nprincipals:\n  g: { group: Partners }\ngroups:\n  u: { kind: unified, displayName: U, members: [g] }\n  s: { kind: security, displayName: S, members: [11111111-2222-4333-8444-555555555555] }\n',
    );
    const files = {
      stat: () => ({ kind: 'file', size: bytes.length }) as const,
      read: () => bytes,
      list: () => [],
    };
    const { stacks } = await loadConfig({ paths: ['castellan.yaml'], files });
    const found = stacks
      .flatMap((stack) => checkStack(stack, { env: {} }))
      .filter(({ ruleId }) => ruleId === 'group-member-kind');
    expect(found.map(({ verdict, path }) => `${verdict} ${(path ?? []).join('.')}`)).toEqual([
      'fail groups.u.members.0',
    ]);
  });
});
