import { defineRule } from '../../engine/rule.js';
import { isDynamic } from '../../engine/stack-index.js';

export const authAllowedGroups = defineRule({
  id: 'auth-allowed-groups',
  title: 'The groups that let people into an app are groups and can have members.',
  why: 'No one could sign in.',
  severity: 'error',
  source:
    'Directory rules, "What the service does" 4 and 8; Sign-in rules, "Configuring the directory identity provider" 7',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  scope: 'stack',
  reads: ['auth.providers.directory.allowedGroups', 'auth.providers.directory.claimGroups'],
  messages: {
    kind: '"{given}" is a {what}, not a group',
    empty: 'the group "{given}" has no members: no one can sign in',
  },
  check({ value }, context) {
    const directory = value.auth?.providers?.directory;
    for (const list of ['allowedGroups', 'claimGroups'] as const) {
      if (!Array.isArray(directory?.[list])) continue;
      directory[list].forEach((text: string, index: number) => {
        const path = ['auth', 'providers', 'directory', list, index];
        const principal = context.index.find('principals', text)?.value;
        const otherKind =
          principal === undefined
            ? undefined
            : Object.keys(principal).find((kind) => kind !== 'group' && kind !== 'groupKind');
        if (otherKind !== undefined)
          return context.report({ messageId: 'kind', path, parameters: { what: otherKind } });
        const group = context.index.find('groups', text)?.value;
        if (group?.members?.length === 0 && !isDynamic(group))
          context.report({ messageId: 'empty', path });
      });
    }
  },
});
