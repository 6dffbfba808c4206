import { defineResourceRule, runResourceRule } from '../../../policies/engine/resource-rule.js';

describe('a rule about resources', () => {
  it.each([
    ['network_rules.*.default_action', 'unknown'],
    ['*.0.default_action', 'unknown'],
    ['network_rules', 'unknown'],
    ['network_rules.*.bypass', 'fail'],
    ['*.1.default_action', 'fail'],
  ])('that reads %s is %s where one default_action is not known', (property, verdict) => {
    const rule = defineResourceRule({
      id: 'closed',
      title: 'Closed.',
      why: 'Open is public.',
      severity: 'error',
      source: 'our baseline',
      resources: ['azurerm_storage_account'],
      reads: [property],
      messages: { open: 'open' },
      check: (_resource, context) => context.report({ messageId: 'open' }),
    });
    const resource = {
      address: 'azurerm_storage_account.logs',
      type: 'azurerm_storage_account',
      name: 'logs',
      module: '',
      actions: ['create'],
      values: { network_rules: [{}] },
      unknown: [['network_rules', 0, 'default_action']],
      references: {},
    };
    const findings = runResourceRule(rule, [resource], { options: {}, now: new Date() });
    expect(findings.map((finding) => finding.verdict)).toEqual([verdict]);
  });
});
