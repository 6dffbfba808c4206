import { judgeAll } from './judge.js';
import type { Case } from './judge.js';

const g = (v: string, more = ''): string => `groups: { g: { ${v} } }\n${more}`;
const sec = (v: string, more = ''): string => g('kind: security, displayName: G, ' + v, more);
const uni = (v: string, more = ''): string => g('kind: unified, displayName: G, ' + v, more);
const P =
  'principals: { ada: { user: ada@c.example }, sp: { servicePrincipal: x }, dev: { device: d }, con: { contact: c@c.example }, eg: { group: E, groupKind: security }, eu: { group: U, groupKind: unified } }';
const W = 'workspaces: { w: { displayName: W, capacityId: 11111111-1111-1111-1111-111111111111 } }';
const eh = (v: string, more = ''): string => `${W}\neventhouses: { e: { workspace: w, displayName: e, ${v} } }\n${more}`;
const es = (v: string, more = ''): string => `${W}\neventstreams: { e: { workspace: w, displayName: e, ${v} } }\n${more}`;
const b64 = (t: string): string => Buffer.from(t).toString('base64');
const cases: readonly Case[] = [
  ['kind distribution', g('displayName: G, mailEnabled: true, securityEnabled: false, groupTypes: []'), 'group-kind'],
  ['kind mail sec', g('displayName: G, mailEnabled: true, securityEnabled: true, groupTypes: []'), 'group-kind'],
  ['kind none', g('displayName: G, mailEnabled: false, securityEnabled: false'), 'group-kind'],
  ['kind flags unified mail false', g('displayName: G, groupTypes: [Unified], mailEnabled: false, securityEnabled: false'), 'group-kind'],
  ['groupTypes bad', g('displayName: G, groupTypes: [Team], mailEnabled: true, securityEnabled: false'), 'property-value'],
  ['groupTypes twice', g('displayName: G, groupTypes: [Unified, Unified], mailEnabled: true, securityEnabled: false'), 'group-kind'],
  ['name missing', g('kind: security'), 'property-required'],
  ['name empty', g('kind: security, displayName: ""'), 'group-display-name'],
  ['name 257', g('kind: security, displayName: "' + 'x'.repeat(257) + '"'), 'group-display-name'],
  ['nick 65', uni('mailNickname: ' + 'x'.repeat(65)), 'group-mail-nickname'],
  ['nick ascii', uni('mailNickname: käse'), 'group-mail-nickname'],
  ...['@', '(', ')', '\\\\', '[', ']', '\\"', ';', ':', '<', '>', ',', ' '].map((c): Case => [
    'nick ' + c,
    uni(`mailNickname: "a${c}b"`),
    'group-mail-nickname',
  ]),
  ['nick ok chars', uni(`mailNickname: "a!#$%&'*+-/=?^_\`{|}~."`), ''],
  [
    'nick dup',
    'groups: { a: { kind: unified, displayName: A, mailNickname: X }, b: { kind: unified, displayName: B, mailNickname: x } }',
    'group-mail-nickname-unique',
  ],
  [
    'nick dup sec ok',
    'groups: { a: { kind: security, displayName: A, mailNickname: X }, b: { kind: security, displayName: B, mailNickname: x } }',
    '',
  ],
  ['visibility bad', uni('visibility: Hidden'), 'group-visibility'],
  ['visibility Hiddenmembership', uni('visibility: Hiddenmembership'), 'group-visibility'],
  ['visibility hidden sec', sec('visibility: HiddenMembership'), 'group-visibility'],
  ['role public', sec('isAssignableToRole: true, visibility: Public'), 'group-role-assignable'],
  ['role dynamic', sec('isAssignableToRole: true, dynamicMembership: { rule: "user.a -eq \\"b\\"" }'), 'group-role-assignable'],
  ['role unified not sec', uni('isAssignableToRole: true'), 'group-role-assignable'],
  ['role hidden', uni('isAssignableToRole: true, securityEnabled: true, visibility: HiddenMembership'), ''],
  ['dyn no rule', g('displayName: G, groupTypes: [DynamicMembership], mailEnabled: false, securityEnabled: true'), 'group-dynamic-rule'],
  ['dyn members', sec('dynamicMembership: { rule: "user.department -eq \\"b\\"" }, members: []'), 'group-dynamic-members'],
  [
    'dyn membersManagedElsewhere',
    sec('dynamicMembership: { rule: "user.department -eq \\"b\\"" }, membersManagedElsewhere: true'),
    'group-members-elsewhere',
  ],
  ['members & managed elsewhere', sec('members: [ada], membersManagedElsewhere: true', P), 'group-members-elsewhere'],
  ['owners & managed elsewhere', sec('owners: [ada], ownersManagedElsewhere: true', P), 'group-members-elsewhere'],
  ['dyn syntax', sec('dynamicMembership: { rule: "user.department = b" }'), 'group-dynamic-rule'],
  ['dyn prop', sec('dynamicMembership: { rule: "user.nothing -eq \\"b\\"" }'), 'group-dynamic-rule'],
  ['dyn app', sec('dynamicMembership: { rule: "group.displayName -eq \\"b\\"" }'), 'group-dynamic-rule'],
  [
    'dyn mix',
    sec('dynamicMembership: { rule: "(user.department -eq \\"b\\") -and (device.displayName -eq \\"b\\")" }'),
    'group-dynamic-rule',
  ],
  ['dyn device in unified', uni('dynamicMembership: { rule: "device.displayName -eq \\"b\\"" }'), 'group-dynamic-rule'],
  ['dyn state bad', sec('dynamicMembership: { rule: "user.department -eq \\"b\\"", processing: paused }'), 'group-processing-state'],
  ['dyn 3073', sec('dynamicMembership: { rule: "user.department -eq \\"' + 'b'.repeat(3060) + '\\"" }'), 'group-dynamic-rule'],
  ['owner group', sec('owners: [eg]', P), 'group-owner-kind'],
  ['owner device', sec('owners: [dev]', P), 'group-owner-kind'],
  ['owner missing', sec('owners: [nobody]', P), 'reference-exists'],
  ['owners []', sec('owners: []'), 'group-owners-limit'],
  [
    'owners 101',
    sec('owners: [' + Array.from({ length: 101 }, (_, i) => `11111111-1111-1111-1111-${String(i).padStart(12, '0')}`).join(', ') + ']'),
    'group-owners-limit',
  ],
  ['owners dup', sec('owners: [ada, ada]', P), 'group-owners-limit'],
  [
    'owners dup guid case',
    sec('owners: [AAAAAAAA-1111-1111-1111-111111111111, aaaaaaaa-1111-1111-1111-111111111111]', P),
    'group-owners-limit',
  ],
  ['members uni device', uni('members: [dev]', P), 'group-member-kind'],
  ['members uni group', uni('members: [eg]', P), 'group-member-kind'],
  ['members uni sp', uni('members: [sp]', P), 'group-member-kind'],
  ['members uni contact', uni('members: [con]', P), 'group-member-kind'],
  ['members sec unified', sec('members: [eu]', P), 'group-member-kind'],
  ['members sec all', sec('members: [ada, sp, dev, con, eg]', P), ''],
  ['lic unified', uni('licenses: [ { skuId: 11111111-1111-1111-1111-111111111111 } ]'), 'group-licenses'],
  ['settings tmpl', uni('settings: { Group.Security: { a: 1 } }'), 'group-settings'],
  ['settings name', uni('settings: { Group.Unified.Guest: { AllowToAddGuest: false } }'), 'group-settings'],
  ['settings value', uni('settings: { Group.Unified.Guest: { AllowToAddGuests: maybe } }'), 'group-settings'],
  ['settings ok', uni('settings: { Group.Unified.Guest: { AllowToAddGuests: false } }'), ''],
  ['theme', uni('theme: red'), 'group-theme'],
  ['theme sec', sec('theme: Red'), 'group-unified-only'],
  ['lang', uni('preferredLanguage: english'), 'group-preferred-language'],
  ['lang EN', uni('preferredLanguage: EN-us'), 'group-preferred-language'],
  ['behaviour', uni('resourceBehaviorOptions: [AllowOnlyMembersToPostt]'), 'property-value'],
  ['provisioning', uni('resourceProvisioningOptions: [team]'), 'property-value'],
  ['accessType', uni('accessType: open'), 'property-value'],
  ...[
    'isArchived',
    'unseenCount',
    'unseenConversationsCount',
    'unseenMessagesCount',
    'cloudLicensing',
    'membershipRuleProcessingStatus',
    'id',
    'mail',
    'createdDateTime',
    'deletedDateTime',
    'expirationDateTime',
    'renewedDateTime',
    'assignedLicenses',
    'hasMembersWithLicenseErrors',
    'licenseProcessingState',
    'isManagementRestricted',
    'onPremisesDomainName',
    'onPremisesSyncEnabled',
    'proxyAddresses',
    'securityIdentifier',
    'serviceProvisioningErrors',
    'onPremisesSamAccountName',
  ].map((k): Case => ['ro ' + k, uni(k + ': x'), 'property-read-only']),
  ...['team', 'memberOf', 'createdOnBehalfOf', 'uniqueNam'].map((k): Case => ['other ' + k, uni(k + ': 1'), 'property-unknown']),
  ['senders both', uni('acceptedSenders: [ada], rejectedSenders: [ada]', P), 'group-senders'],
  ['senders contact', uni('acceptedSenders: [con]', P), 'group-senders'],
  ['lifecycle sec', sec('lifecycle: { renewable: true }'), 'group-unified-only'],
  [
    'lifecycle policy none',
    uni('lifecycle: { renewable: true }', 'groupLifecyclePolicy: { groupLifetimeInDays: 180, managedGroupTypes: None }'),
    'group-lifecycle',
  ],
  [
    'lifecycle false but All',
    uni('lifecycle: { renewable: false }', 'groupLifecyclePolicy: { groupLifetimeInDays: 180, managedGroupTypes: All }'),
    'group-lifecycle',
  ],
  [
    'lifecycle ok',
    uni('lifecycle: { renewable: true }', 'groupLifecyclePolicy: { groupLifetimeInDays: 180, managedGroupTypes: Selected }'),
    '',
  ],
  ['lifecycle 29', 'groupLifecyclePolicy: { groupLifetimeInDays: 29, managedGroupTypes: All }', 'property-value'],
  ['principal none', 'principals: { a: {} }', 'principal-kind'],
  ['principal two', 'principals: { a: { user: a@b.c, device: x } }', 'principal-kind'],
  ['principal groupKind alone', 'principals: { a: { user: a@b.c, groupKind: security } }', 'principal-kind'],
  [
    'cycle',
    'groups: { a: { kind: security, displayName: A, members: [b] }, b: { kind: security, displayName: B, members: [a] } }',
    'group-membership-cycle',
  ],
  ['self member', sec('members: [g]'), 'group-member-kind'],
  ['units 1', eh('minimumConsumptionUnits: 1'), 'eventhouse-consumption-units'],
  ['units 50.5', eh('minimumConsumptionUnits: 50.5'), 'eventhouse-consumption-units'],
  ['units 323', eh('minimumConsumptionUnits: 323'), 'eventhouse-consumption-units'],
  ['units -1', eh('creationPayload: { minimumConsumptionUnits: -1 }'), 'eventhouse-consumption-units'],
  ['units ok', eh('minimumConsumptionUnits: 51.5'), ''],
  ['units text', eh('minimumConsumptionUnits: "4.25"'), 'property-type'],
  ['name space', eh('').replace('displayName: e', 'displayName: "e e"'), 'item-display-name'],
  ['name umlaut', eh('').replace('displayName: e', 'displayName: é'), 'item-display-name'],
  ['name missing', `${W}\neventhouses: { e: { workspace: w } }`, 'property-required'],
  ['desc 257', eh('description: "' + 'x'.repeat(257) + '"'), 'item-description'],
  ['desc es 257', es('description: "' + 'x'.repeat(257) + '"'), 'item-description'],
  ['folder', eh('folderId: nope'), 'property-value'],
  ['folder null', eh('folderId: null'), ''],
  [
    'label strategy',
    eh('sensitivityLabelSettings: { labelId: 11111111-1111-1111-1111-111111111111, sensitivityLabelApplyStrategy: ignore }'),
    'item-label-strategy',
  ],
  ['label id', eh('sensitivityLabelSettings: { labelId: x }'), 'property-value'],
  [
    'def+payload',
    eh('minimumConsumptionUnits: 0, definition: { parts: [ { path: EventhouseProperties.json, payload: e30= } ] }'),
    'eventhouse-definition-conflict',
  ],
  ['part path', eh('definition: { parts: [ { path: EventhouseProps.json, payload: e30= } ] }'), 'item-definition-parts'],
  ['part base64', eh('definition: { parts: [ { path: EventhouseProperties.json, payload: "***" } ] }'), 'item-definition-parts'],
  [
    'part json',
    eh('definition: { parts: [ { path: EventhouseProperties.json, payload: ' + b64('{oops') + ' } ] }'),
    'item-definition-parts',
  ],
  [
    'part type',
    eh('definition: { parts: [ { path: EventhouseProperties.json, payload: e30=, payloadType: Inline } ] }'),
    'item-definition-parts',
  ],
  [
    'es part graph bad',
    es(
      'definition: { parts: [ { path: eventstream.json, payload: ' +
        b64('{"sources":[{"name":"a","type":"Nope"}],"destinations":[],"streams":[],"operators":[],"compatibilityLevel":"1.0"}') +
        ' } ] }',
    ),
    'eventstream-definition',
  ],
  [
    'es part retention',
    es(
      'definition: { parts: [ { path: eventstream.json, payload: ' +
        b64('{"sources":[],"destinations":[],"streams":[],"operators":[],"compatibilityLevel":"1.0"}') +
        ' }, { path: eventstreamProperties.json, payload: ' +
        b64('{"retentionTimeInDays":900,"eventThroughputLevel":"Huge"}') +
        ' } ] }',
    ),
    'eventstream-definition',
  ],
  [
    'es dest missing',
    es(
      'definition: { sources: [ { name: in, type: CustomEndpoint } ], destinations: [ { name: out, type: Eventhouse, eventhouse: nope, properties: { dataIngestionMode: DirectIngestion } } ] }',
    ),
    'eventstream-destination',
  ],
  ['es no source', es('definition: { sources: [], destinations: [ { name: out, type: CustomEndpoint } ] }'), 'eventstream-definition'],
  [
    'es unknown input',
    es(
      'definition: { sources: [ { name: in, type: CustomEndpoint } ], destinations: [ { name: out, type: CustomEndpoint, inputNodes: [nope] } ] }',
    ),
    'eventstream-definition',
  ],
  ['es type', es('definition: { sources: [ { name: in, type: CustomEndpont } ], destinations: [] }'), 'eventstream-definition'],
  ['es retention', es('retentionTimeInDays: 91'), 'property-value'],
  ['es throughput', es('eventThroughputLevel: Huge'), 'property-value'],
  [
    'es retention + parts props',
    es(
      'retentionTimeInDays: 7, definition: { parts: [ { path: eventstream.json, payload: ' +
        b64('{"sources":[],"destinations":[],"streams":[],"operators":[],"compatibilityLevel":"1.0"}') +
        ' }, { path: eventstreamProperties.json, payload: ' +
        b64('{"retentionTimeInDays":9}') +
        ' } ] }',
    ),
    'eventstream-definition',
  ],
  ['es platform', es('definition: { parts: [ { path: .platform, payload: e30= } ] }'), 'item-definition-parts'],
  ['names dup', `${W}\neventhouses: { a: { workspace: w, displayName: x }, b: { workspace: w, displayName: X } }`, 'item-name-unique'],
  ['no capacity', 'workspaces: { w: { displayName: W } }\neventhouses: { a: { workspace: w, displayName: x } }', 'workspace-capacity'],
  ['ws reserved', 'workspaces: { w: { displayName: my workspace } }', 'workspace-name'],
  ['ws dup names', 'workspaces: { w: { displayName: A }, v: { displayName: a } }', 'workspace-name-unique'],
  [
    'ws role twice',
    P + '\nworkspaces: { w: { displayName: W, roles: [ { principal: ada, role: Admin }, { principal: ada, role: Viewer } ] } }',
    'workspace-roles',
  ],
  ['ws role device', P + '\nworkspaces: { w: { displayName: W, roles: [ { principal: dev, role: Admin } ] } }', 'workspace-roles'],
  ['ws role', P + '\nworkspaces: { w: { displayName: W, roles: [ { principal: ada, role: Owner } ] } }', 'property-value'],
];

describe('what the documents on groups and items say', () => judgeAll(cases));
