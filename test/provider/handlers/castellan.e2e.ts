import { callerId, configWith } from '../support/control-plane.js';
import { flat, useSeededServices } from '../support/seeded-services.js';

const grace = 'aaaaaaaa-0000-4000-8000-000000000002';
const sku = 'bbbbbbbb-0000-4000-8000-000000000001';
const label = 'dddddddd-0000-4000-8000-000000000001';
const seed = `
users:
  - { id: ${grace}, userPrincipalName: grace@contoso.example, displayName: Grace, mailNickname: grace, mail: grace@contoso.example }
  - { id: ${callerId}, userPrincipalName: caller@contoso.example, displayName: Caller, mailNickname: caller }
sensitivityLabels: [{ id: ${label}, displayName: Confidential }]
`;
const group = {
  display_name: 'Shoppers',
  description: 'd',
  mail_nickname: 'shoppers',
  mail_enabled: true,
  security_enabled: true,
  types: ['Unified'],
  owners: [callerId],
};

describe("castellan's own resources of the directory", () => {
  const seeded = useSeededServices(['directory'], seed);

  test('group properties are set, changed, read when they drift, imported', async () => {
    const properties = (changes: object = {}): object => ({
      azuread_group: { g: group },
      castellan_group_properties: {
        p: {
          group_object_id: '${azuread_group.g.object_id}',
          preferred_language: 'en-US',
          preferred_data_location: 'EUR',
          accepted_senders: [grace],
          assigned_licenses: [{ sku_id: sku }],
          ...changes,
        },
      },
    });
    expect(await seeded.apply(properties())).toContain('2 added');
    const id = String((await seeded.workspace.state())['azuread_group.g']?.['object_id']);
    expect((await seeded.controlPlane.directory.groups.get(id)).preferredLanguage).toBe('en-US');
    expect(
      await seeded.apply(
        properties({
          preferred_language: 'de-DE',
          accepted_senders: [],
          rejected_senders: [grace],
        }),
      ),
    ).toContain('1 changed');
    await seeded.controlPlane.directory.groups.update(id, { preferredLanguage: 'fr-FR' });
    expect(flat(await seeded.workspace.succeed('plan'))).toContain('"fr-FR" -> "de-DE"');
    await seeded.workspace.succeed('apply', '-auto-approve');
    await seeded.workspace.succeed('state', 'rm', 'castellan_group_properties.p');
    await seeded.workspace.succeed('import', 'castellan_group_properties.p', id);
    expect(await seeded.workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await seeded.workspace.succeed('destroy', '-auto-approve')).toContain('2 destroyed');
  });

  test('mailbox and label properties of a group are set, reverted, read when they drift', async () => {
    const otherLabel = 'dddddddd-0000-4000-8000-000000000002';
    const properties = (changes: object): object => ({
      azuread_group: { g: group },
      castellan_group_properties: {
        p: {
          group_object_id: '${azuread_group.g.object_id}',
          classification: 'Low',
          assigned_label_ids: [label],
          ...changes,
        },
      },
    });
    await seeded.apply(
      properties({ access_type: 'secret', subscribed_by_mail: false, favorite: true }),
    );
    const id = String((await seeded.workspace.state())['azuread_group.g']?.['object_id']);
    const select = [
      'classification',
      'assignedLabels',
      'accessType',
      'isSubscribedByMail',
      'isFavorite',
    ] as const;
    const readProperties = (): Promise<unknown> =>
      seeded.controlPlane.directory.groups.get(id, { select });
    expect(await readProperties()).toMatchObject({
      classification: 'Low',
      assignedLabels: [{ labelId: label }],
      accessType: 'secret',
    });
    expect(await readProperties()).toMatchObject({ isSubscribedByMail: false, isFavorite: true });
    await seeded.apply(
      properties({
        classification: 'High',
        assigned_label_ids: [otherLabel],
        access_type: 'private',
        subscribed_by_mail: true,
        favorite: false,
      }),
    );
    expect(await readProperties()).toMatchObject({
      classification: 'High',
      assignedLabels: [{ labelId: otherLabel }],
      accessType: 'private',
    });
    expect(await readProperties()).toMatchObject({ isSubscribedByMail: true, isFavorite: false });
    await seeded.controlPlane.directory.groups.update(id, { accessType: 'public' });
    expect(flat(await seeded.workspace.succeed('plan'))).toContain('"public" -> "private"');
  });

  test('a unique name is read, but never set on an existing group', async () => {
    const namedGroup = await seeded.controlPlane.directory.groups.create({
      displayName: 'Named',
      mailNickname: 'named',
      mailEnabled: false,
      securityEnabled: true,
      uniqueName: 'named-1',
    });
    const properties = (id: string, name: string): object => ({
      castellan_group_properties: { p: { group_object_id: id, unique_name: name } },
    });
    await seeded.apply(properties(namedGroup.id, 'named-1'));
    await seeded.workspace.write(configWith(properties(namedGroup.id, 'other')));
    expect(flat(await seeded.workspace.fail('apply', '-auto-approve'))).toContain(
      'can only be set when the group is created',
    );
  });

  test('group settings, tenant settings and the lifecycle policy are created, changed, imported and destroyed', async () => {
    const allResources = (guests: string, days: number): object => ({
      azuread_group: { g: group },
      castellan_group_settings: {
        tenant: { template: 'Group.Unified', values: { ClassificationList: 'Low,High' } },
        guests: {
          group_object_id: '${azuread_group.g.object_id}',
          template: 'Group.Unified.Guest',
          values: { AllowToAddGuests: guests },
        },
      },
      castellan_group_lifecycle_policy: {
        p: {
          group_lifetime_in_days: days,
          managed_group_types: 'Selected',
          alternate_notification_emails: ['b@contoso.example', 'a@contoso.example'],
          group_object_ids: ['${azuread_group.g.object_id}'],
        },
      },
    });
    expect(await seeded.apply(allResources('false', 180))).toContain('4 added');
    expect(await seeded.apply(allResources('true', 365))).toContain('2 changed');
    const state = await seeded.workspace.state();
    for (const address of [
      'castellan_group_settings.tenant',
      'castellan_group_settings.guests',
      'castellan_group_lifecycle_policy.p',
    ]) {
      await seeded.workspace.succeed('state', 'rm', address);
      await seeded.workspace.succeed('import', address, String(state[address]?.['id']));
    }
    const imported = await seeded.workspace.state();
    expect(imported['castellan_group_lifecycle_policy.p']?.['group_object_ids']).toEqual([
      state['azuread_group.g']?.['object_id'],
    ]);
    await seeded.workspace.succeed('apply', '-auto-approve');
    expect(await seeded.workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await seeded.workspace.succeed('destroy', '-auto-approve')).toContain('4 destroyed');
  });

  test("mistakes are reported before anything is sent, or by the directory's own message", async () => {
    await seeded.workspace.write(
      configWith({
        castellan_group_properties: {
          p: {
            group_object_id: 'x',
            accepted_senders: [grace],
            rejected_senders: [grace],
            preferred_language: 'English!',
          },
        },
        castellan_group_settings: { s: { template: 'A', template_id: label, values: {} } },
      }),
    );
    await seeded.workspace.succeed('init');
    const output = flat(await seeded.workspace.fail('validate'));
    for (const text of [
      'valid UUID',
      'A sender is both accepted and rejected',
      'ISO 639-1 code',
      'only one of `template,template_id`',
    ])
      expect(output).toContain(text);
    await seeded.workspace.write(
      configWith({ castellan_group_settings: { s: { template: 'Group.Unfied', values: {} } } }),
    );
    expect(flat(await seeded.workspace.fail('apply', '-auto-approve'))).toContain(
      'There is no template "Group.Unfied"',
    );
  });
});
