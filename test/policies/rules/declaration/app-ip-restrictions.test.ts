import { rulesBrokenBy, testRule } from '../support/test-rule.js';
import { app, servedApp } from '../support/stacks.js';

testRule('app-ip-restrictions', {
  finds: [
    [
      'an address range that is not valid',
      servedApp('').replace(
        '{ external: true }',
        '{ external: true, ipRestrictions: [ { name: a, action: allow, range: 999.1.1.1/99 } ] }',
      ),
    ],
  ],
});

it('does not compare rules without a name or an action', async () => {
  const rules = '[ { range: 203.0.113.0/24 }, { range: 203.0.114.0/24 } ]';
  const mixed =
    '[ { name: a, range: 203.0.113.0/24 }, { name: b, range: 203.0.114.0/24, action: allow } ]';
  for (const ipRestrictions of [rules, mixed]) {
    const broken = await rulesBrokenBy(app(`ingress: { ipRestrictions: ${ipRestrictions} }`));
    expect(new Set(broken)).toEqual(new Set(['property-required']));
  }
});
