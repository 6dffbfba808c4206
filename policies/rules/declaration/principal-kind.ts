import { principalKinds } from '../../../kinds/principal/principal.js';
import { defineRule, removal } from '../../engine/rule.js';

export const principalKind = defineRule({
  id: 'principal-kind',
  title: 'A principal is exactly one of user, servicePrincipal, device, contact and group.',
  why: 'It could not be looked up in the directory.',
  severity: 'error',
  source: 'Directory rules, "What the service does" 8 (kinds of members)',
  sections: ['principals'],
  messages: {
    none: 'the principal has none of {allowed}: declare one',
    several: 'the principal has {given}: keep one',
    groupKind: 'groupKind is for a principal that is a group: remove it',
    upn: '"{given}" is neither a user principal name (name@domain) nor an object id',
  },
  check({ value }, context) {
    const kinds = principalKinds.filter((kind) => value[kind] !== undefined);
    if (kinds.length === 0)
      context.report({ messageId: 'none', parameters: { allowed: principalKinds } });
    if (kinds.length > 1)
      context.report({ messageId: 'several', parameters: { given: kinds.join(' and ') } });
    if (value.groupKind !== undefined && value.group === undefined && kinds.length > 0)
      context.report({ messageId: 'groupKind', path: ['groupKind'], at: 'key', fix: removal });
    if (typeof value.user === 'string' && !/^(\S+@\S+|[0-9a-fA-F-]{36}|.*\$\{.*)$/.test(value.user))
      context.report({ messageId: 'upn', path: ['user'] });
  },
});
