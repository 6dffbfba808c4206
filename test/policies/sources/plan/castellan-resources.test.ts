import { change, useCheckedPlan } from './support/check-plan.js';

const check = useCheckedPlan();

const findingTexts = (findings: Awaited<ReturnType<typeof check>>): string[] =>
  findings
    .map(({ ruleId, path, fingerprint }) => `${ruleId} ${path?.join('.')} ${fingerprint}`)
    .sort();

describe("checking a plan with castellan's own resources", () => {
  it('gives mistakes of castellan_eventhouse the fingerprints that they have in the source', async () => {
    const yaml = `version: 1
stack: shop
workspaces:
  telemetry: { displayName: Telemetry, capacityId: 00000000-0000-0000-0000-000000000001 }
eventhouses:
  clicks:
    workspace: telemetry
    displayName: clicks of today
    minimumConsumptionUnits: 3
    sensitivityLabelSettings: { labelId: 00000000-0000-0000-0000-000000000002, sensitivityLabelApplyStrategy: Sometimes }
`;
    const house = {
      workspace_id: '00000000-0000-0000-0000-000000000009',
      display_name: 'clicks of today',
      minimum_consumption_units: 3,
      sensitivity_label: {
        label_id: '00000000-0000-0000-0000-000000000002',
        apply_strategy: 'Sometimes',
      },
    };
    const declared = await check(yaml, []);
    const planned = await check(undefined, [change('castellan_eventhouse', 'clicks', house)]);
    expect(planned.map(({ ruleId }) => ruleId).sort()).toEqual([
      'eventhouse-consumption-units',
      'item-display-name',
      'item-label-strategy',
    ]);
    expect(planned.map(({ fingerprint }) => fingerprint).sort()).toEqual(
      declared.map(({ fingerprint }) => fingerprint).sort(),
    );
  });

  it('gives mistakes of castellan_group_properties and castellan_group_settings the fingerprints that they have in the source', async () => {
    const yaml = `version: 1
stack: shop
groups:
  shoppers:
    kind: security
    displayName: Shoppers
    owners: [00000000-0000-0000-0000-000000000001, 00000000-0000-0000-0000-000000000002]
    preferredLanguage: xx-US
    preferredDataLocation: Europe
    accessType: open
    acceptedSenders: [00000000-0000-0000-0000-000000000003]
    assignedLabels: [{ labelId: top-secret }]
    settings: { Group.Security.Policies: { AllowToAddGuest: "false" } }
`;
    const group = {
      display_name: 'Shoppers',
      mail_nickname: 'shoppers',
      security_enabled: true,
      mail_enabled: false,
      owners: ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002'],
    };
    const properties = {
      preferred_language: 'xx-US',
      preferred_data_location: 'Europe',
      access_type: 'open',
      accepted_senders: ['00000000-0000-0000-0000-000000000003'],
      assigned_label_ids: ['top-secret'],
    };
    const settings = {
      template: 'Group.Security.Policies',
      values: { AllowToAddGuest: 'false' },
    };
    const resources = [
      change('azuread_group', 'shoppers', group),
      change('castellan_group_properties', 'shoppers', properties, { group_object_id: true }),
      change('castellan_group_settings', 'shoppers_settings', settings, { group_object_id: true }),
    ];
    const expressions = {
      group_object_id: {
        references: ['azuread_group.shoppers.object_id', 'azuread_group.shoppers'],
      },
    };
    const configured = resources
      .slice(1)
      .map(({ address, type, name }) => ({ address, mode: 'managed', type, name, expressions }));
    const groupConfigured = {
      address: 'azuread_group.shoppers',
      mode: 'managed',
      type: 'azuread_group',
      name: 'shoppers',
      expressions: {},
    };
    const configuration = { root_module: { resources: [groupConfigured, ...configured] } };
    const declared = await check(yaml, []);
    const planned = await check(undefined, resources, {}, { configuration });
    expect(findingTexts(planned)).toEqual(findingTexts(declared));
    expect(planned.length).toBeGreaterThan(5);
    expect(
      planned.find(({ ruleId }) => ruleId === 'group-preferred-language')?.terraformAddress,
    ).toBe('castellan_group_properties.shoppers');
  });

  it('lets pass properties of a security group that the directory chooses after apply', async () => {
    const group = {
      display_name: 'Staff',
      mail_nickname: 'staff',
      security_enabled: true,
      mail_enabled: false,
      owners: ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002'],
    };
    const unknown = {
      access_type: true,
      accepted_senders: true,
      assigned_label_ids: true,
      favorite: true,
      group_object_id: true,
      rejected_senders: true,
      subscribed_by_mail: true,
    };
    const resources = [
      change('azuread_group', 'staff', group),
      change('castellan_group_properties', 'staff', { classification: 'Internal' }, unknown),
    ];
    const rulesAgainst = async (moreExpressions: object) => {
      const expressions = {
        classification: { constant_value: 'Internal' },
        group_object_id: { references: ['azuread_group.staff.object_id', 'azuread_group.staff'] },
        ...moreExpressions,
      };
      const configured = resources.map(({ address, type, name }) => ({
        address,
        mode: 'managed',
        type,
        name,
        expressions: type === 'azuread_group' ? {} : expressions,
      }));
      const configuration = { root_module: { resources: configured } };
      const findings = await check(undefined, resources, {}, { configuration });
      return findings.map(({ ruleId, path = [] }) => `${ruleId} ${path.join('.')}`);
    };
    expect(await rulesAgainst({})).toEqual([]);
    expect(await rulesAgainst({ accepted_senders: { references: ['local.senders'] } })).toContain(
      'group-unified-only groups.staff.acceptedSenders',
    );
  });

  it('judges castellan_group_lifecycle_policy as the setting of the stack', async () => {
    const yaml = `version: 1
stack: shop
groupLifecyclePolicy: { groupLifetimeInDays: 29, managedGroupTypes: Some, alternateNotificationEmails: [nobody] }
`;
    const policy = {
      group_lifetime_in_days: 29,
      managed_group_types: 'Some',
      alternate_notification_emails: ['nobody'],
    };
    const declared = await check(yaml, []);
    const planned = await check(undefined, [
      change('castellan_group_lifecycle_policy', 'policy', policy),
    ]);
    expect(planned.map(({ fingerprint }) => fingerprint).sort()).toEqual(
      declared.map(({ fingerprint }) => fingerprint).sort(),
    );
    expect(planned).toHaveLength(3);
  });

  it('gives mistakes of a registration in all its resources the fingerprints that they have in the source', async () => {
    const yaml = `version: 1
stack: shop
registrations:
  login:
    displayName: ''
    idTokens: false
    logoutUrl: https://shop.example/${'a'.repeat(250)}
    homepageUrl: https://shop.example/
    owners: [00000000-0000-0000-0000-000000000001]
    redirectUris: [nonsense]
    secret: { displayName: ${'s'.repeat(121)}, expires: '2020-01-01T00:00:00Z' }
    tags: ['', portal]
    appRoles:
      - { id: reader, displayName: Reader, description: Reads., allowedMemberTypes: [Person], value: a b }
      - { id: 00000000-0000-0000-0000-000000000003, displayName: Writer, description: Writes., allowedMemberTypes: [User] }
    scopes:
      - { id: 00000000-0000-0000-0000-000000000004, value: a b, adminConsentDisplayName: Read, adminConsentDescription: Reads., type: Anyone }
    requiredPermissions:
      - { resourceAppId: 00000003-0000-0000-c000-000000000000, roles: [all], scopes: [00000000-0000-0000-0000-000000000005] }
`;
    const application = {
      display_name: '',
      sign_in_audience: 'AzureADMyOrg',
      owners: ['00000000-0000-0000-0000-000000000001'],
      tags: ['', 'portal'],
      web: [
        {
          homepage_url: 'https://shop.example/',
          logout_url: `https://shop.example/${'a'.repeat(250)}`,
          redirect_uris: [],
          implicit_grant: [
            { id_token_issuance_enabled: false, access_token_issuance_enabled: false },
          ],
        },
      ],
      app_role: [
        {
          id: 'reader',
          display_name: 'Reader',
          description: 'Reads.',
          allowed_member_types: ['Person'],
          enabled: true,
          value: 'a b',
        },
        {
          id: '00000000-0000-0000-0000-000000000003',
          display_name: 'Writer',
          description: 'Writes.',
          allowed_member_types: ['User'],
          enabled: true,
          value: '',
        },
      ],
      api: [
        {
          requested_access_token_version: 2,
          oauth2_permission_scope: [
            {
              id: '00000000-0000-0000-0000-000000000004',
              value: 'a b',
              admin_consent_display_name: 'Read',
              admin_consent_description: 'Reads.',
              type: 'Anyone',
              enabled: true,
            },
          ],
        },
      ],
      required_resource_access: [
        {
          resource_app_id: '00000003-0000-0000-c000-000000000000',
          resource_access: [
            { id: 'all', type: 'Role' },
            { id: '00000000-0000-0000-0000-000000000005', type: 'Scope' },
          ],
        },
      ],
    };
    const resources = [
      change('azuread_application', 'login', application),
      change(
        'azuread_application_redirect_uris',
        'login',
        { type: 'Web', redirect_uris: ['nonsense'] },
        { application_id: true },
      ),
      change(
        'azuread_application_password',
        'login',
        { display_name: 's'.repeat(121), end_date: '2020-01-01T00:00:00.000Z' },
        { application_id: true },
      ),
    ];
    const expressions = {
      application_id: { references: ['azuread_application.login.id', 'azuread_application.login'] },
    };
    const configured = resources.map(({ address, type, name }, index) => ({
      address,
      mode: 'managed',
      type,
      name,
      expressions: index === 0 ? {} : expressions,
    }));
    const declared = await check(yaml, []);
    const planned = await check(
      undefined,
      resources,
      {},
      { configuration: { root_module: { resources: configured } } },
    );
    expect(findingTexts(planned)).toEqual(findingTexts(declared));
    expect(planned.length).toBeGreaterThan(9);
  });

  it('gives mistakes of castellan_eventstream, its graph included, the fingerprints that they have in the source', async () => {
    const graph = {
      sources: [{ name: 'web', type: 'CustomEndpont', properties: {} }],
      streams: [
        {
          name: 'web-stream',
          type: 'DefaultStream',
          properties: {},
          inputNodes: [{ name: 'wob' }],
        },
      ],
      operators: [],
      destinations: [],
      compatibilityLevel: '1.0',
    };
    const payload = Buffer.from(JSON.stringify(graph)).toString('base64');
    const yaml = `version: 1
stack: shop
workspaces:
  telemetry: { displayName: Telemetry, capacityId: 00000000-0000-0000-0000-000000000001 }
eventstreams:
  clicks:
    workspace: telemetry
    displayName: clicks of today
    description: ${'d'.repeat(257)}
    tags: [web]
    folderId: here
    sensitivityLabelSettings: { labelId: secret, sensitivityLabelApplyStrategy: Sometimes }
    definition: { parts: [{ path: eventstream.json, payload: ${payload}, payloadType: InlineBase64 }] }
`;
    const stream = {
      workspace_id: '00000000-0000-0000-0000-000000000009',
      display_name: 'clicks of today',
      description: 'd'.repeat(257),
      tags: ['web'],
      folder_id: 'here',
      sensitivity_label: { label_id: 'secret', apply_strategy: 'Sometimes' },
      definition: { parts: { 'eventstream.json': { content: JSON.stringify(graph) } } },
    };
    const declared = await check(yaml, []);
    const planned = await check(undefined, [change('castellan_eventstream', 'clicks', stream)]);
    expect(findingTexts(planned)).toEqual(findingTexts(declared));
    expect(planned.map(({ ruleId }) => ruleId)).toEqual(
      expect.arrayContaining([
        'item-display-name',
        'eventstream-definition',
        'eventstream-node-type',
      ]),
    );
  });

  it('judges a switched-off update of the definition beside units as castellan.yaml does', async () => {
    const yaml = `version: 1
stack: shop
workspaces:
  telemetry: { displayName: Telemetry, capacityId: 00000000-0000-0000-0000-000000000001 }
eventhouses:
  clicks: { workspace: telemetry, displayName: clicks, description: Clicks, minimumConsumptionUnits: 4.25, definitionUpdateEnabled: false }
`;
    const house = {
      display_name: 'clicks',
      description: 'Clicks',
      definition_update_enabled: false,
    };
    const declared = await check(yaml, []);
    const official = { ...house, configuration: { minimum_consumption_units: 4.25 } };
    const own = { ...house, minimum_consumption_units: 4.25 };
    expect(findingTexts(declared)).toEqual([
      expect.stringContaining(
        'eventhouse-definition-conflict eventhouses.clicks.minimumConsumptionUnits',
      ),
    ]);
    expect(
      findingTexts(await check(undefined, [change('fabric_eventhouse', 'clicks', official)])),
    ).toEqual(findingTexts(declared));
    expect(
      findingTexts(await check(undefined, [change('castellan_eventhouse', 'clicks', own)])),
    ).toEqual(findingTexts(declared));
  });
});
