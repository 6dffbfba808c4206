import { admittingGroupProperties, admittingGroups } from '../../engine/admitting-groups.js';
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
  reads: admittingGroupProperties,
  messages: {
    kind: '"{given}" is a {what}, not a group',
    empty: 'the group "{given}" has no members: no one can sign in',
    emptyAtPath: 'the group "{given}" has no members: it lets no one reach {at}',
  },
  check({ value }, context) {
    for (const { reference, path, requestPath } of admittingGroups(value.auth)) {
      const principal = context.index.find('principals', reference)?.value;
      const otherKind =
        principal === undefined
          ? undefined
          : Object.keys(principal).find((kind) => kind !== 'group' && kind !== 'groupKind');
      if (otherKind !== undefined) {
        context.report({ messageId: 'kind', path, parameters: { what: otherKind } });
        continue;
      }
      const group = context.index.find('groups', reference)?.value;
      if (group?.members?.length !== 0 || isDynamic(group)) continue;
      if (requestPath === undefined) context.report({ messageId: 'empty', path });
      else context.report({ messageId: 'emptyAtPath', path, parameters: { at: requestPath } });
    }
  },
});
