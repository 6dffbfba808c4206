import { defineRule } from '../../engine/rule.js';

export const authRoleAssignableGroup = defineRule({
  id: 'auth-role-assignable-group',
  title: 'A role-assignable group is not used to let people into an app.',
  why: 'Everyone who uses the app would also get the roles of the group.',
  severity: 'error',
  source:
    'Directory rules, "Group properties" (isAssignableToRole); Sign-in rules, "Configuring the directory identity provider" 7',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  scope: 'stack',
  reads: ['auth.providers.directory.allowedGroups', 'auth.providers.directory.claimGroups'],
  messages: {
    roles: 'the group "{given}" can hold directory roles; let people in by another group',
  },
  check({ value }, context) {
    const directory = value.auth?.providers?.directory;
    for (const list of ['allowedGroups', 'claimGroups'] as const) {
      if (!Array.isArray(directory?.[list])) continue;
      directory[list].forEach((text: string, index: number) => {
        if (context.index.find('groups', text)?.value.isAssignableToRole !== true) return;
        context.report({
          messageId: 'roles',
          path: ['auth', 'providers', 'directory', list, index],
        });
      });
    }
  },
});
