import fc from 'fast-check';
import {
  type MembershipRule,
  parseMembershipRule,
} from '../../../../kinds/membership-rule/index.js';
import {
  compileMembershipRule,
  type EvaluatedObject,
  type RuleContext,
  traceMembershipRule,
} from '../../../../services/directory/membership-rule/index.js';
import { anyRule } from '../../../kinds/membership-rule/rule-arbitraries.js';
import { runs } from '../../../support/property-tests.js';

const now = Date.parse('2026-03-31T12:00:00Z');
const ada: EvaluatedObject = {
  id: '00000000-0000-4000-8000-00000000000a',
  body: {
    department: 'Sales',
    displayName: 'Ada Lovelace',
    mail: 'ada@contoso.com',
    mailNickname: 'ada',
    mobilePhone: '+1 555',
    businessPhones: ['+44 20'],
    accountEnabled: true,
    employeeHireDate: '2026-03-01T00:00:00Z',
    otherMails: ['a@x.org', 'b@contoso.com'],
    city: null,
    onPremisesExtensionAttributes: { extensionAttribute3: 'Blue' },
    assignedPlans: [
      { servicePlanId: 'p1', service: 'exchange', capabilityStatus: 'Deleted' },
      { servicePlanId: 'p2', service: 'sharepoint', capabilityStatus: 'Enabled' },
    ],
  },
};
const laptop: EvaluatedObject = {
  id: '00000000-0000-4000-8000-00000000000d',
  body: {
    operatingSystem: 'Windows',
    manufacturer: 'Contoso',
    physicalIds: ['[ZTDId]:1', '[GID]:2'],
    isRooted: false,
    extensionAttributes: { extensionAttribute1: 'lab' },
  },
};

function ruleOf(text: string): MembershipRule {
  const { rule, error } = parseMembershipRule(text);
  if (!rule) throw new Error(error.message);
  return rule;
}

function matches(text: string, object = ada, context: Partial<RuleContext> = {}): boolean {
  return compileMembershipRule(ruleOf(text)).matches(object, { now, ...context });
}

describe('the evaluation of a membership rule', () => {
  it.each([
    ['user.department -eq "sales"', true],
    ['user.department -ne "sales"', false],
    ['user.department -in ["ops","SALES"]', true],
    ['user.department -notIn ["ops"]', true],
    ['user.displayName -startsWith "ada"', true],
    ['user.displayName -notStartsWith "ada"', false],
    ['user.mail -endsWith "@CONTOSO.com"', true],
    ['user.mail -contains "contoso"', true],
    ['user.mail -notContains "contoso"', false],
    ['user.mail -match "^a.a@"', true],
    ['user.mail -notMatch "^b"', true],
    ['user.accountEnabled -eq true', true],
    ['user.accountEnabled -eq "true"', true],
    ['user.accountEnabled -ne true', false],
    ['user.dirSyncEnabled -eq true', false],
    ['user.dirSyncEnabled -ne true', true],
    ['user.employeeHireDate -ge 2026-03-01', true],
    ['user.employeeHireDate -ge 2026-03-01T00:00:00Z', true],
    // without an offset it is UTC, wherever the service runs
    ['user.employeeHireDate -eq "2026-03-01T00:00:00"', true],
    ['user.employeeHireDate -eq "2026-03-01T01:00:00+01:00"', true],
    ['user.otherMails -endsWith "@contoso.com"', true],
    ['user.otherMails -notEndsWith "@contoso.com"', false],
    ['user.otherMails -notStartsWith "x"', true],
    ['user.city -eq null', true],
    ['user.city -ne null', false],
    ['user.state -eq "x"', false],
    ['user.state -ne "x"', true],
    ['user.state -notContains "x"', true],
    ['user.state -notIn ["x"]', true],
    ['user.state -contains ""', false],
    ['user.objectId -ne null', true],
    ['user.mailNickName -eq "ada"', true],
    ['user.mobile -startsWith "+1"', true],
    ['user.telephoneNumber -startsWith "+44"', true],
    ['user.extensionAttribute3 -eq "blue"', true],
    ['user.otherMails -any (_ -endsWith "contoso.com")', true],
    ['user.otherMails -all (_ -contains "@")', true],
    ['user.otherMails -all (_ -endsWith "contoso.com")', false],
    ['user.proxyAddresses -any (_ -contains "x")', false],
    [
      'user.assignedPlans -any (assignedPlan.servicePlanId -eq "p2" -and assignedPlan.capabilityStatus -eq "Enabled")',
      true,
    ],
    [
      'user.assignedPlans -any (assignedPlan.servicePlanId -eq "p1" -and assignedPlan.capabilityStatus -eq "Enabled")',
      false,
    ],
    ['user.employeeHireDate -ge system.now -minus p30d', false],
    ['user.employeeHireDate -ge system.now -minus p1m', true],
    ['user.employeeHireDate -le system.now', true],
    ['user.employeeHireDate -ge "2026-03-01"', true],
    ['-not (user.department -eq "sales") -or user.city -eq null', true],
    ['user.department -eq "ops" -or user.department -eq "sales" -and user.city -eq "x"', false],
  ])('%s matches Ada: %s', (text, expected) => {
    expect(matches(text)).toBe(expected);
  });

  it.each([
    ['device.deviceOSType -eq "windows"', true],
    ['device.deviceManufacturer -eq "contoso"', true],
    ['device.devicePhysicalIds -any _ -startsWith "[ZTDId]"', true],
    ['device.isRooted -eq true', false],
    ['device.extensionAttribute1 -eq "lab"', true],
  ])('%s matches the laptop: %s', (text, expected) => {
    expect(matches(text, laptop)).toBe(expected);
  });

  it('reads other objects for direct reports and members of groups', () => {
    const manager = '00000000-0000-4000-8000-000000000001';
    expect(matches(`Direct Reports for "${manager}"`, ada, { managerId: manager })).toBe(true);
    expect(matches(`Direct Reports for "${manager}"`)).toBe(false);
    const rule = `user.memberof -any (group.objectId -in ['${manager}'])`;
    expect(matches(rule, ada, { groupIds: new Set([manager]) })).toBe(true);
    expect(matches(rule, ada, { groupIds: new Set() })).toBe(false);
    expect(compileMembershipRule(ruleOf(rule)).neededContext).toBe('groups');
  });

  it('knows when the result depends on time alone', () => {
    expect(
      compileMembershipRule(ruleOf('user.employeeHireDate -ge system.now -minus p1d'))
        .dependsOnTime,
    ).toBe(true);
    expect(compileMembershipRule(ruleOf('user.city -eq "x"')).dependsOnTime).toBe(false);
  });

  it('is inverted by -not, whatever the rule', () => {
    fc.assert(
      fc.property(anyRule, (text) => {
        expect(matches(`-not (${text})`)).toBe(!matches(text));
      }),
      { numRuns: runs(300) },
    );
  });

  it('traces every part with its result and the value that it read', () => {
    const text = '(user.department -eq "Sales") -and (user.otherMails -any (_ -contains "zzz"))';
    expect(traceMembershipRule(ruleOf(text), ada, { now })).toEqual({
      membershipRule: text,
      membershipRuleEvaluationResult: false,
      membershipRuleEvaluationDetails: {
        expression: text,
        expressionResult: false,
        propertyToEvaluate: null,
        expressionEvaluationDetails: [
          {
            expression: '(user.department -eq "Sales")',
            expressionResult: true,
            propertyToEvaluate: { propertyName: 'user.department', propertyValue: 'Sales' },
            expressionEvaluationDetails: [],
          },
          {
            expression: '(user.otherMails -any (_ -contains "zzz"))',
            expressionResult: false,
            propertyToEvaluate: {
              propertyName: 'user.otherMails',
              propertyValue: '["a@x.org","b@contoso.com"]',
            },
            expressionEvaluationDetails: [],
          },
        ],
      },
    });
  });
});
