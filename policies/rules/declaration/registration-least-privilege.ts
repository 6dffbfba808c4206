import { defineRule, removal } from '../../engine/rule.js';

/** Application permissions that give full control over the directory. */
const privilegedPermissions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '19dbc75e-c2e2-444c-a770-ec69d8559fc7': 'Directory.ReadWrite.All',
    '62a82d76-70ea-41e2-9197-370581804d09': 'Group.ReadWrite.All',
    '1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9': 'Application.ReadWrite.All',
    '9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8': 'RoleManagement.ReadWrite.Directory',
    '06b708a9-e830-4db3-a914-8e69da51d44f': 'AppRoleAssignment.ReadWrite.All',
    '741f803b-c850-494e-b5df-cde7c675a1ca': 'User.ReadWrite.All',
    '50483e42-d915-4231-9639-7fdb7fd190e5': 'UserAuthenticationMethod.ReadWrite.All',
  }),
);

export const registrationLeastPrivilege = defineRule({
  id: 'registration-least-privilege',
  title: 'A registration for signing in requests no application permission over the directory.',
  why: 'An attacker with its secret could control the directory.',
  severity: 'warning',
  source: 'Directory rules, "Authentication" 5 (least-privileged roles)',
  sections: ['registrations'],
  reads: ['requiredPermissions'],
  messages: {
    powerful: 'the application permission {permission} gives power over the whole directory',
    unused: 'access tokens of the implicit flow are not needed to sign in',
  },
  check({ value }, context) {
    value.requiredPermissions?.forEach(({ roles }, index) => {
      roles?.forEach((role, roleIndex) => {
        const permission = privilegedPermissions.get(role.toLowerCase());
        if (permission !== undefined)
          context.report({
            messageId: 'powerful',
            path: ['requiredPermissions', index, 'roles', roleIndex],
            parameters: { given: role, permission },
          });
      });
    });
    if (value.accessTokens === true)
      context.report({ messageId: 'unused', path: ['accessTokens'], fix: removal });
  },
});
