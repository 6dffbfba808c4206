import { runRules } from '../../../../policies/engine/run-rules.js';
import { type Declaration, StackIndex } from '../../../../policies/engine/stack-index.js';
import { rules } from '../../../../policies/rules/index.js';
import type { Section, StackConfig } from '../../../../kinds/index.js';

const indexOf = (
  section: Section,
  value: object,
  settings: Partial<StackConfig> = {},
): StackIndex =>
  new StackIndex(
    settings,
    [{ section, name: 'it', value, unknownPaths: [], origin: {} } as Declaration],
    () => [],
    () => undefined,
  );
const changeRules = rules.filter(({ scope }) => scope === 'change');
const changeFindings = (base: StackIndex, head: StackIndex): readonly string[] =>
  runRules(head, changeRules, { scope: 'stack', base }).map(
    ({ ruleId, message }) => `${ruleId}: ${message}`,
  );

const azure = { location: 'westeurope', resourceGroup: 'rg-shop' };
const role = {
  id: '1f0c7a3e-0001-4a5b-9c1d-222233334444',
  displayName: 'Reader',
  description: 'Reads.',
  allowedMemberTypes: ['User'],
};
const group = { kind: 'unified', displayName: 'G' };
const eventhouse = { workspace: 'w', displayName: 'e' };

describe('a change that replaces', () => {
  it.each([
    [
      'a group that changes its kind',
      'groups',
      group,
      { ...group, kind: 'security' },
      'kind was unified, now security: the group',
    ],
    [
      'a nickname',
      'groups',
      { ...group, mailNickname: 'a' },
      { ...group, mailNickname: 'b' },
      'mailNickname was a, now b',
    ],
    [
      'a rule in place of members',
      'groups',
      group,
      { ...group, membershipRule: 'user.a -eq "b"' },
      'dynamicMembership was members, now a rule',
    ],
    [
      'members managed elsewhere',
      'groups',
      group,
      { ...group, membersManagedElsewhere: true },
      'membersManagedElsewhere was false, now true',
    ],
    [
      'a behaviour',
      'groups',
      group,
      { ...group, resourceBehaviorOptions: ['WelcomeEmailDisabled'] },
      'resourceBehaviorOptions was , now Welcome',
    ],
    [
      'what is provisioned',
      'groups',
      group,
      { ...group, resourceProvisioningOptions: ['Team'] },
      'resourceProvisioningOptions was , now Team',
    ],
    [
      'the first role of a registration',
      'registrations',
      { displayName: 'L' },
      { displayName: 'L', appRoles: [role] },
      'appRoles was unset, now declared',
    ],
    [
      'the last tag of a registration',
      'registrations',
      { displayName: 'L', tags: ['a'] },
      { displayName: 'L' },
      'tags was declared, now unset',
    ],
    [
      'units',
      'eventhouses',
      eventhouse,
      { ...eventhouse, minimumConsumptionUnits: 4.25 },
      'minimumConsumptionUnits was unset, now 4.25: the eventhouse is deleted',
    ],
    [
      'a label',
      'eventhouses',
      eventhouse,
      { ...eventhouse, sensitivityLabelSettings: { labelId: role.id } },
      'sensitivityLabelSettings was unset, now a label',
    ],
    [
      'a workspace',
      'eventstreams',
      eventhouse,
      { ...eventhouse, workspace: 'v' },
      'workspace was w, now v: the eventstream',
    ],
    [
      'the name of an app',
      'containerApps',
      { image: 'a:1' },
      { image: 'a:1', name: 'other' },
      'name was it, now other: the app',
    ],
    [
      'the environment of an app',
      'containerApps',
      { image: 'a:1' },
      { image: 'a:1', environment: 'b' },
      'environment was unset, now b',
    ],
    [
      'the name of an environment',
      'environments',
      {},
      { name: 'cae-other' },
      'name was it, now cae-other: the environment is deleted and recreated; this loses every app in it',
    ],
  ] as const)('is found: %s', (_, section, before, after, message) => {
    expect(changeFindings(indexOf(section, before), indexOf(section, after))).toEqual([
      expect.stringContaining(`change-replaces: ${message}`),
    ]);
  });

  it('is found if the whole stack moves', () => {
    const otherLocation = { ...azure, location: 'northeurope' };
    expect(
      changeFindings(
        indexOf('environments', {}, { azure }),
        indexOf('environments', {}, { azure: otherLocation }),
      ),
    ).toEqual([
      'change-replaces: azure.location was westeurope, now northeurope: the environment is deleted and recreated; this loses everything in the resource group',
    ]);
    const otherSpelling = { ...azure, location: 'West Europe' };
    expect(
      changeFindings(
        indexOf('environments', {}, { azure }),
        indexOf('environments', {}, { azure: otherSpelling }),
      ),
    ).toEqual([]);
  });

  it.each([
    ['a description', 'groups', group, { ...group, description: 'For all.' }],
    [
      'an owner beside a role',
      'registrations',
      { displayName: 'L', appRoles: [role] },
      { displayName: 'L', appRoles: [role], owners: ['o'] },
    ],
    [
      'another role',
      'registrations',
      { displayName: 'L', appRoles: [role] },
      { displayName: 'L', appRoles: [role, role] },
    ],
    [
      'the same units elsewhere',
      'eventhouses',
      { ...eventhouse, minimumConsumptionUnits: 13 },
      { ...eventhouse, creationPayload: { minimumConsumptionUnits: 13 } },
    ],
    ['an image', 'containerApps', { image: 'a:1' }, { image: 'a:2' }],
  ] as const)('is not found: %s', (_, section, before, after) => {
    expect(changeFindings(indexOf(section, before), indexOf(section, after))).toEqual([]);
  });

  it('reports a removed theme, which no plan removes', () => {
    expect(
      changeFindings(indexOf('groups', { ...group, theme: 'Teal' }), indexOf('groups', group)),
    ).toEqual([
      'change-theme-removed: the theme was Teal and is gone: the group keeps it, and every plan shows the change again; write one of the seven',
    ]);
  });
});
