import { checkStack } from '../../../policies/check/check-stack.js';
import { loadConfig } from '../../../policies/model/load-config.js';

/** What the check says of a weight that fails it: `line ruleId`. */
async function told(yaml: string): Promise<readonly string[]> {
  const bytes = Buffer.from(`version: 1\nstack: limits\n${yaml}`);
  const files = { look: () => ({ kind: 'file', size: bytes.length }) as const, read: () => bytes, list: () => [] };
  const { stacks, findings } = await loadConfig({ paths: ['castellan.yaml'], files });
  return [...findings, ...stacks.flatMap((stack) => checkStack(stack, { env: {} }))]
    .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
    .map(({ ruleId }) => ruleId);
}

const group = (properties: string) => `groups:\n  g: { displayName: G, ${properties} }\n`;
const house = (properties: string) => `workspaces: { w: { displayName: W } }\neventhouses:\n  h: { workspace: w, ${properties} }\n`;
const people = `principals:\n  u: { user: u@example.com }\n  s: { servicePrincipal: s }\n  d: { device: d }\n  c: { contact: c@example.com }\n`;
const allGroups = `groups:\n  sec: { kind: security, displayName: S }\n  uni: { kind: unified, displayName: U }\n`;

describe('the limits of a group', () => {
  it.each([
    [group('kind: security'), []],
    [group('kind: unified, securityEnabled: true'), []],
    [group('kind: unified, mailEnabled: false'), ['group-kind']],
    [group('kind: security, mailEnabled: true'), ['group-kind']],
    [group('kind: security, securityEnabled: false'), ['group-kind']],
    [group('kind: distribution'), ['group-kind']],
    [group('groupTypes: [Unified], mailEnabled: true, securityEnabled: false'), []],
    [group('groupTypes: [], mailEnabled: false, securityEnabled: true'), []],
    [group('groupTypes: [], mailEnabled: true, securityEnabled: true'), ['group-kind']],
    [group('groupTypes: [], mailEnabled: true, securityEnabled: false'), ['group-kind']],
    [group('groupTypes: [], mailEnabled: false, securityEnabled: false'), ['group-kind']],
    [group('kind: security, groupTypes: [Unified]'), ['group-kind']],
    [group('kind: security, groupTypes: [Unifed]'), ['property-value']],
    [group('kind: unified, visibility: Public'), []],
    [group('kind: unified, visibility: HiddenMembership'), []],
    [group('kind: unified, visibility: Hiddenmembership'), ['group-visibility']],
    [group('kind: security, visibility: HiddenMembership'), ['group-visibility']],
    [group('kind: security, isAssignableToRole: true'), []],
    [group('kind: security, isAssignableToRole: true, visibility: Public'), ['group-role-assignable']],
    [group('kind: unified, isAssignableToRole: true'), ['group-role-assignable', 'group-role-assignable']],
    [group('kind: unified, isAssignableToRole: true, securityEnabled: true, visibility: Private'), []],
    [group('kind: unified, isAssignableToRole: true, securityEnabled: true'), ['group-role-assignable']],
    [group('kind: unified, preferredLanguage: de-CH'), []],
    [group('kind: unified, preferredLanguage: zz'), ['group-preferred-language']],
    [group('kind: unified, settings: { Group.Unified.Guest: {} }'), ['group-settings']],
    [group('kind: unified, securityEnabled: true, isAssignableToRole: true, visibility: HiddenMembership'), []],
    [
      group('kind: security, isAssignableToRole: true, dynamicMembership: { rule: \'user.department -eq "a"\' }'),
      ['group-role-assignable'],
    ],
    [group('kind: unified, theme: Teal'), []],
    [group('kind: unified, theme: teal'), ['group-theme']],
    [group('kind: security, theme: Teal'), ['group-unified-only']],
    [group('kind: unified, membershipRule: \'user.department -eq "a"\', membershipRuleProcessingState: Paused'), []],
    [group('kind: unified, membershipRule: \'user.department -eq "a"\', membershipRuleProcessingState: Off'), ['group-processing-state']],
    [group('kind: unified, membershipRuleProcessingState: On'), ['group-dynamic-rule']],
    [group('groupTypes: [Unified, DynamicMembership], mailEnabled: true, securityEnabled: false'), ['group-dynamic-rule']],
    [group('kind: unified, autoSubscribeNewMembers: true'), []],
    [group('kind: unified, mail: g@example.com'), ['property-read-only']],
    [group('kind: unified, unseenCount: 1'), ['property-read-only']],
    [group('kind: unified, colour: Teal'), ['property-unknown']],
    [group('kind: unified, description: null'), ['property-type']],
    [group(`kind: unified, mailNickname: ${'a'.repeat(64)}`), []],
    [group(`kind: unified, mailNickname: ${'a'.repeat(65)}`), ['group-mail-nickname']],
    [`groups:\n  g: { kind: security, displayName: ${'a'.repeat(256)} }\n`, []],
    [`groups:\n  g: { kind: security, displayName: ${'a'.repeat(257)} }\n`, ['group-display-name']],
    [
      group(
        `kind: security, owners: [${Array.from({ length: 100 }, (_, index) => `"00000000-0000-4000-8000-${String(index).padStart(12, '0')}"`).join()}]`,
      ),
      [],
    ],
    [
      group(
        `kind: security, owners: [${Array.from({ length: 101 }, (_, index) => `"00000000-0000-4000-8000-${String(index).padStart(12, '0')}"`).join()}]`,
      ),
      ['group-owners-limit'],
    ],
  ])('%#: %s', async (yaml, expected) => {
    expect(await told(yaml)).toEqual(expected);
  });

  it.each([...'@()\\[]";:<>, é'])('allow no %j in a mail nickname', async (character) => {
    expect(await told(group(`kind: unified, mailNickname: ${JSON.stringify(`a${character}b`)}`))).toEqual(['group-mail-nickname']);
  });

  it.each([..."!#$%&'*+-./=?^_`{|}~0Aa"])('allow %j in a mail nickname', async (character) => {
    expect(await told(group(`kind: unified, mailNickname: ${JSON.stringify(`a${character}b`)}`))).toEqual([]);
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
    expect(await told(yaml)).toEqual(allowed ? [] : ['group-member-kind']);
  });

  it.each([
    ['u', true],
    ['s', true],
    ['d', false],
    ['c', false],
  ])('let owners be users and service principals: %s is %s', async (owner, allowed) => {
    expect(await told(`${people}${group(`kind: security, owners: [${owner}]`)}`)).toEqual(allowed ? [] : ['group-owner-kind']);
  });
});

describe('the limits of an eventhouse', () => {
  it.each([0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, 51, 51.5, 100.25, 322])('allow %d units', async (units) => {
    expect(await told(house(`displayName: h, minimumConsumptionUnits: ${units}`))).toEqual([]);
  });

  it.each([-1, 1, 2, 2.5, 4, 8, 50.5, 50.99, 322.01, 323])('allow no %d units', async (units) => {
    expect(await told(house(`displayName: h, minimumConsumptionUnits: ${units}`))).toEqual(['eventhouse-consumption-units']);
  });

  it.each([
    ['displayName: a_b.c-1', []],
    ['displayName: "a b"', ['item-display-name']],
    ['displayName: "é"', ['item-display-name']],
    ['displayName: ""', ['item-display-name']],
    [`displayName: h, description: ${'a'.repeat(256)}`, []],
    [`displayName: h, description: ${'a'.repeat(257)}`, ['item-description']],
    ['displayName: h, folderId: null', []],
    ['displayName: h, folderId: here', ['property-value']],
    ['displayName: h, minimumConsumptionUnits: "4.25"', ['property-type']],
    ['displayName: h, sensitivityLabelSettings: { labelId: 11111111-2222-4333-8444-555555555555 }', []],
    ['displayName: h, sensitivityLabelSettings: { sensitivityLabelApplyStrategy: Ignore }', ['property-required']],
  ])('hold %s', async (properties, expected) => {
    expect(await told(house(properties))).toEqual(expected);
  });
});

describe('the limits of what belongs together', () => {
  const app = (properties: string) => `containerApps:\n  shop: { image: "ghcr.io/contoso/shop:1", ${properties} }\n`;
  const signIn = (properties: string) =>
    app(
      `targetPort: 80, ingress: { external: true }, secrets: { s: "\${env:S}" }, auth: { ${properties} providers: { codehost: { clientId: a, clientSecret: "secret:s" } } }`,
    );

  it.each([
    [signIn(''), []],
    [signIn('unauthenticatedAction: allowAnonymous,'), ['auth-access-action']],
    [signIn('restrictAccess: allowUnauthenticated, unauthenticatedAction: allowAnonymous,'), []],
    ['principals:\n  a: { user: ada@contoso.example }\n  b: { user: ADA@contoso.example }\n', ['principal-twice']],
    ['registrations:\n  r: { displayName: R, redirectUris: ["urn:ietf:wg:oauth:2.0:oob"] }\n', []],
    ['registrations:\n  r: { displayName: R, redirectUris: ["myapp://auth"] }\n', ['registration-redirect-uris']],
    [app('tags: { cost-centre: a, "hidden-link:app": b }'), []],
    [app('tags: { "a/b": c }'), ['property-value']],
    [app('tags: { "<a>": c }'), ['property-value']],
    [app('tags: { azureThing: c }'), ['property-value']],
    [app(`tags: { ${Array.from({ length: 51 }, (_, index) => `t${String(index)}: a`).join(', ')} }`), ['property-value']],
  ])('%#: %s', async (yaml, expected) => {
    expect(await told(yaml)).toEqual(expected);
  });

  it('leave open a unified group with a member of unspecified kind', async () => {
    const bytes = Buffer.from(
      'version: 1\nstack: limits\nprincipals:\n  g: { group: Partners }\ngroups:\n  u: { kind: unified, displayName: U, members: [g] }\n  s: { kind: security, displayName: S, members: [11111111-2222-4333-8444-555555555555] }\n',
    );
    const files = { look: () => ({ kind: 'file', size: bytes.length }) as const, read: () => bytes, list: () => [] };
    const { stacks } = await loadConfig({ paths: ['castellan.yaml'], files });
    const open = stacks.flatMap((stack) => checkStack(stack, { env: {} })).filter(({ verdict }) => verdict === 'unknown');
    expect(open.map(({ ruleId, path }) => `${ruleId} ${(path ?? []).join('.')}`)).toEqual(['group-member-kind groups.u.members.0']);
  });
});
