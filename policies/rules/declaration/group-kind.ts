import { defineRule } from '../../engine/rule.js';
import { isUnified } from '../../engine/stack-index.js';

export const groupKind = defineRule({
  id: 'group-kind',
  title:
    'A group is a security group or a unified group, and groupTypes, mailEnabled and securityEnabled say the same.',
  why: 'Mail-enabled security groups and distribution groups are read-only through the API, and a group that is neither mail- nor security-enabled does not exist.',
  severity: 'error',
  source: 'Directory rules, "What the service does" 4 (table of group kinds)',
  sections: ['groups'],
  reportsSchemaMistakesOf: ['kind'],
  reads: ['kind', 'groupTypes', 'mailEnabled', 'securityEnabled'],
  messages: {
    enum: 'a group of kind "{given}" can\'t be managed; allowed: {allowed}{hint}',
    missing: 'say which kind of group this is: kind: security or kind: unified',
    flag: '{property} is {given}, but a {kind} group has {wanted}',
    types: 'groupTypes lacks Unified, but the kind is unified',
    typesExtra: 'groupTypes has Unified, but the kind is security',
    readOnly:
      'a group with mailEnabled {mail} and securityEnabled {security} and without Unified is a {what}, which the API only reads',
    twice: 'groupTypes has {given} twice',
    none: 'a group that is neither mail-enabled nor security-enabled does not exist: write securityEnabled: true',
  },
  check({ value }, context) {
    const { kind, groupTypes, mailEnabled, securityEnabled } = value;
    groupTypes?.forEach((value, index) => {
      if (groupTypes.indexOf(value) < index)
        context.report({ messageId: 'twice', path: ['groupTypes', index] });
    });
    if (
      kind === undefined &&
      groupTypes === undefined &&
      mailEnabled === undefined &&
      securityEnabled === undefined
    )
      return context.report({
        messageId: 'missing',
        path: ['kind'],
        fix: { description: 'declare a security group', value: 'security' },
      });
    // the check by the schema reports any other kind
    if (kind !== undefined && kind !== 'unified' && kind !== 'security') return;
    if (kind === 'unified' && groupTypes !== undefined && !groupTypes.includes('Unified'))
      return context.report({ messageId: 'types', path: ['groupTypes'] });
    if (kind === 'security' && groupTypes?.includes('Unified') === true)
      return context.report({ messageId: 'typesExtra', path: ['groupTypes'] });
    if (isUnified(value)) {
      if (mailEnabled === false) reportFlag('mailEnabled', false, 'unified', true);
      return;
    }
    if (kind === 'security') {
      if (mailEnabled === true) reportFlag('mailEnabled', true, 'security', false);
      if (securityEnabled === false) reportFlag('securityEnabled', false, 'security', true);
      return;
    }
    if (mailEnabled === true) {
      const what = securityEnabled === true ? 'mail-enabled security group' : 'distribution group';
      const parameters = { mail: true, security: securityEnabled ?? false, what };
      return context.report({ messageId: 'readOnly', path: ['mailEnabled'], parameters });
    }
    if (securityEnabled !== true)
      context.report({
        messageId: 'none',
        path: [securityEnabled === undefined ? 'mailEnabled' : 'securityEnabled'],
      });

    function reportFlag(
      property: string,
      declared: boolean,
      kindName: string,
      expected: boolean,
    ): void {
      const fix = { description: `write ${property}: ${String(expected)}`, value: expected };
      context.report({
        messageId: 'flag',
        path: [property],
        parameters: { property, kind: kindName, wanted: `${property}: ${String(expected)}` },
        fix,
      });
    }
  },
});
