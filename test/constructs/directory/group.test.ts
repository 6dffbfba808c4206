import { TerraformVariable } from '../../../constructs/internal/cdktf.js';
import { Group, User, SecurityGroup, UnifiedGroup } from '../../../constructs/index.js';
import { synthesized } from '../support/synthesized.js';

const robotId = '6F1D2C3B-1111-4222-8333-444455556666';

describe('SecurityGroup', () => {
  it('is an azuread_group with the principals looked up by name', () => {
    const { resource, data } = synthesized((stack) => {
      const ada = User.fromPrincipalName(stack, 'ada', 'ada@contoso.example');
      new SecurityGroup(stack, 'admins', {
        displayName: 'Administrators',
        mailNickname: 'shop-admins',
        owners: [ada, robotId],
        members: [ada],
      });
    });
    expect(data).toEqual({ azuread_user: { ada: { user_principal_name: 'ada@contoso.example' } } });
    expect(resource).toEqual({
      azuread_group: {
        admins: {
          display_name: 'Administrators',
          description: 'Administrators',
          mail_enabled: false,
          mail_nickname: 'shop-admins',
          security_enabled: true,
          owners: ['${data.azuread_user.ada.object_id}', robotId.toLowerCase()],
          members: ['${data.azuread_user.ada.object_id}'],
        },
      },
    });
  });

  it('is owned by the applying account by default, and never has an empty list of owners', () => {
    const { resource, data } = synthesized(
      (stack) => new SecurityGroup(stack, 'admins', { displayName: 'Administrators', members: [] }),
    );
    expect(data).toEqual({ azuread_client_config: { caller: {} } });
    expect(resource['azuread_group']?.['admins']).toEqual({
      display_name: 'Administrators',
      description: 'Administrators',
      mail_enabled: false,
      mail_nickname: 'admins',
      security_enabled: true,
      owners: ['${data.azuread_client_config.caller.object_id}'],
    });
  });

  it('is always private if it can have directory roles', () => {
    const { resource } = synthesized(
      (stack) =>
        new SecurityGroup(stack, 'admins', {
          displayName: 'Administrators',
          isAssignableToRole: true,
        }),
    );
    expect(resource['azuread_group']?.['admins']).toMatchObject({
      assignable_to_role: true,
      visibility: 'Private',
    });
  });

  it('ignores members that are managed elsewhere', () => {
    const { resource } = synthesized(
      (stack) =>
        new SecurityGroup(stack, 'admins', { displayName: 'A', membersManagedElsewhere: true }),
    );
    expect(Object.keys(resource)).toEqual(['azuread_group_without_members']);
    expect(resource['azuread_group_without_members']?.['admins']).not.toHaveProperty('members');
  });

  it('ignores owners that are managed elsewhere, and otherwise makes the caller the owner', () => {
    const owners = (elsewhere: boolean): unknown =>
      synthesized(
        (stack) =>
          new SecurityGroup(stack, 'admins', {
            displayName: 'A',
            ownersManagedElsewhere: elsewhere,
          }),
      ).resource['azuread_group']?.['admins']?.['owners'];
    expect([owners(true), owners(false)]).toEqual([
      undefined,
      ['${data.azuread_client_config.caller.object_id}'],
    ]);
  });

  it('may have other groups of the stack as members', () => {
    const { resource } = synthesized((stack) => {
      const inner = new SecurityGroup(stack, 'inner', { displayName: 'Inner' });
      new SecurityGroup(stack, 'outer', { displayName: 'Outer', members: [inner] });
    });
    expect(resource['azuread_group']?.['outer']?.['members']).toEqual([
      '${azuread_group.inner.object_id}',
    ]);
  });
});

describe('UnifiedGroup', () => {
  it('has its members by a rule', () => {
    const { resource } = synthesized((stack) => {
      new UnifiedGroup(stack, 'shoppers', {
        displayName: 'Shoppers',
        description: 'Who shops',
        mailNickname: 'shoppers',
        visibility: 'Private',
        owners: [robotId],
        dynamicMembership: { rule: 'user.department -eq "Retail"', processing: 'On' },
      });
    });
    expect(resource).toEqual({
      azuread_group: {
        shoppers: {
          display_name: 'Shoppers',
          description: 'Who shops',
          mail_enabled: true,
          mail_nickname: 'shoppers',
          security_enabled: false,
          types: ['Unified', 'DynamicMembership'],
          visibility: 'Private',
          dynamic_membership: { enabled: true, rule: 'user.department -eq "Retail"' },
          owners: [robotId.toLowerCase()],
        },
      },
    });
  });

  it('spells hidden membership as the provider does, and sets only the mailbox properties that are declared', () => {
    const { resource } = synthesized((stack) => {
      new UnifiedGroup(stack, 'board', {
        displayName: 'Board',
        visibility: 'HiddenMembership',
        securityEnabled: true,
        hideFromAddressLists: true,
        allowExternalSenders: false,
        theme: 'Teal',
        resourceBehaviorOptions: ['WelcomeEmailDisabled'],
        resourceProvisioningOptions: ['Team'],
        owners: [robotId],
      });
    });
    expect(resource['azuread_group']?.['board']).toEqual({
      display_name: 'Board',
      description: 'Board',
      mail_enabled: true,
      mail_nickname: 'board',
      security_enabled: true,
      types: ['Unified'],
      visibility: 'Hiddenmembership',
      hide_from_address_lists: true,
      external_senders_allowed: false,
      theme: 'Teal',
      behaviors: ['WelcomeEmailDisabled'],
      provisioning_options: ['Team'],
      owners: [robotId.toLowerCase()],
    });
  });

  it("declares properties that the official provider lacks as castellan's own resources", () => {
    const { resource } = synthesized((stack) => {
      const ada = User.fromPrincipalName(stack, 'ada', 'ada@contoso.example');
      new UnifiedGroup(stack, 'board', {
        displayName: 'Board',
        securityEnabled: true,
        owners: [ada],
        classification: 'Confidential',
        preferredLanguage: 'en-GB',
        acceptedSenders: [ada],
        licenses: [{ skuId: robotId }],
        settings: { 'Group.Unified.Guest': { AllowToAddGuests: false } },
      });
    });
    expect(resource['castellan_group_properties']).toEqual({
      board: {
        group_object_id: '${azuread_group.board.object_id}',
        classification: 'Confidential',
        preferred_language: 'en-GB',
        accepted_senders: ['${data.azuread_user.ada.object_id}'],
        assigned_licenses: [{ sku_id: robotId.toLowerCase() }],
      },
    });
    expect(Object.values(resource['castellan_group_settings'] ?? {})).toEqual([
      {
        group_object_id: '${azuread_group.board.object_id}',
        template: 'Group.Unified.Guest',
        values: { AllowToAddGuests: 'false' },
      },
    ]);
  });
});

describe('Group', () => {
  it('takes the kind from groupTypes, and the rule from the properties of the interface', () => {
    const { resource } = synthesized((stack) => {
      new Group(stack, 'g', {
        displayName: 'G',
        groupTypes: ['Unified', 'DynamicMembership'],
        mailEnabled: true,
        securityEnabled: false,
        membershipRule: 'user.accountEnabled -eq true',
        membershipRuleProcessingState: 'Paused',
      });
    });
    expect(resource['azuread_group']?.['g']).toMatchObject({
      types: ['Unified', 'DynamicMembership'],
      dynamic_membership: { enabled: false, rule: 'user.accountEnabled -eq true' },
    });
  });

  it('escapes text that looks like a Terraform template', () => {
    const { resource } = synthesized(
      (stack) =>
        new Group(stack, 'g', {
          kind: 'security',
          displayName: '100 %{ of ${it}',
          description: 'a $ b',
        }),
    );
    expect(resource['azuread_group']?.['g']).toMatchObject({
      display_name: '100 %%{ of $${it}',
      description: 'a $ b',
    });
  });

  it('refuses a reference that is neither a construct nor an object id', () => {
    expect(() =>
      synthesized(
        (stack) => new Group(stack, 'g', { kind: 'security', displayName: 'G', owners: ['ada'] }),
      ),
    ).toThrow(/"ada" is not an object id/);
  });

  it('says how to take an entry of a list that is known only at apply', () => {
    expect(() =>
      synthesized((stack) => {
        const [entry] = new TerraformVariable(stack, 'ids', { type: 'list(string)' }).listValue;
        new SecurityGroup(stack, 'g', { displayName: 'G' }).addOwner(entry ?? '');
      }),
    ).toThrow(/Fn\.element\(list, 0\) instead of list\[0\]/);
  });
});
