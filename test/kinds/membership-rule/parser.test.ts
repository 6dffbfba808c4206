import fc from 'fast-check';
import {
  type MembershipRule,
  parseMembershipRule,
  printMembershipRule,
} from '../../../kinds/membership-rule/index.js';
import { anyRule } from './rule-arbitraries.js';
import { runs } from '../../support/property-tests.js';

const group = '00000000-0000-4000-8000-000000000001';

function withoutPositions(rule: MembershipRule | undefined): unknown {
  return JSON.parse(
    JSON.stringify(rule, (key, value: unknown) =>
      key === 'start' || key === 'end' || key === 'text' ? undefined : value,
    ),
  );
}

describe('a membership rule', () => {
  it.each([
    ['user.department -eq "Sales"'],
    ['(user.department -in ["Sales","Ops"]) -and (user.accountEnabled -eq true)'],
    ['user.proxyAddresses -any (_ -startsWith "contoso")'],
    [
      'user.assignedPlans -any (assignedPlan.servicePlanId -eq "x" -and assignedPlan.capabilityStatus -eq "Enabled")',
    ],
    ['user.objectId -ne null'],
    ['user.objectId -ne $null'],
    ['user.mail -notContains "x"'],
    ['user.employeeHireDate -ge system.now -minus p30d'],
    ['device.devicePhysicalIds -any _ -startsWith "[ZTDId]"'],
    [`user.memberof -any (group.objectId -in ['${group}'])`],
    [`Direct Reports for "${group}"`],
    ['user.department eq "Sales" and not user.city match "^R"'],
    ['user.department \u2013eq "Sales"'],
    ["user.city -eq 'O''Neil'"],
    ['User.Department -EQ "Sales"'],
    ['user.accountEnabled -eq "True"'],
    ['user.extension_c272a57b722d4eb29bfe327874ae79cb_Office -eq "x"'],
    ['(device.deviceOSType -eq "Windows") -or (device.isRooted -eq false)'],
    ['user.employeehiredate -le 2020-06-10T18:13:20Z'],
    ['user.employeeHireDate -ge "2020-06-10"'],
    ['user.employeeHireDate -ge 2020-06-10T18:13:20.5+02:00'],
    [`(user.memberof -any (group.objectId -in ['${group}']))`],
    [`((device.memberOf -any (group.objectId -in ['${group}'])))`],
  ])('%s is valid', (text) => {
    expect(parseMembershipRule(text).error).toBeUndefined();
  });

  it.each([
    ['', 0, 'empty'],
    ['user.department', 15, 'expected an operator such as -eq'],
    ['user.department -eq', 19, 'expected a value'],
    ['user.department -eq Sales', 20, `found 'Sales'; write text in quotes: "Sales"`],
    ['user.accountEnabled -eq flase', 24, "found 'flase'; did you mean false?"],
    ['user.department -eqq "x"', 16, 'did you mean -eq?'],
    ['user.departmnt -eq "x"', 0, 'did you mean user.department?'],
    ['group.name -eq "x"', 0, 'begin with "user." or "device."'],
    ['user.city -eq "x', 14, 'not closed'],
    ['user.city -eq "x" user.city -eq "y"', 18, 'expected -and, -or or the end'],
    ['(user.city -eq "x"', 18, "expected ')'"],
    ['user.city -eq "x")', 17, 'expected -and, -or or the end'],
    ['user.city -eq "x" -and device.isRooted -eq true', 23, 'about users or about devices'],
    ['user.city -in "x"', 14, 'takes a list'],
    ['user.city -eq ["x"]', 14, '-in and -notIn'],
    ['user.city -startsWith null', 22, '-eq and -ne'],
    ['user.accountEnabled -eq "perhaps"', 24, 'true or false'],
    ['user.accountEnabled -contains true', 20, "can't be used here"],
    ['user.city -ge "x"', 10, "can't be used here"],
    ['user.employeeHireDate -ge "soon"', 26, 'ISO 8601'],
    ['user.employeeHireDate -ge "March 7"', 26, 'ISO 8601'],
    ['user.employeeHireDate -ge "1"', 26, 'ISO 8601'],
    ['user.employeeHireDate -ge "2024-02-30"', 26, 'ISO 8601'],
    ['user.employeeHireDate -ge 2024-02-30', 26, 'ISO 8601'],
    ['user.employeeHireDate -ge 2024', 26, 'ISO 8601'],
    ['user.city -eq 2024-02-28', 14, "found '2024-02-28'"],
    ['user.employeeHireDate -ge system.now -minus 30', 44, 'duration'],
    ['user.city -eq system.now', 14, 'employeeHireDate'],
    ['user.otherMails -eq "x"', 16, '-any or -all'],
    ['user.otherMails -in ["x"]', 16, '-any or -all'],
    ['user.assignedPlans -startsWith "x"', 19, '-any or -all'],
    ['user.otherMails -any (x -eq "y")', 22, 'called _'],
    ['user.city -match "(a"', 17, "can't be used"],
    [`user.memberof -any (group.objectId -in ['x'])`, 39, 'GUIDs'],
    [
      `user.memberof -any (group.objectId -in ['${group}']) -and user.city -eq "x"`,
      81,
      'must be the whole rule',
    ],
    [
      `(user.memberof -any (group.objectId -in ['${group}'])) -and user.city -eq "x"`,
      83,
      'must be the whole rule',
    ],
    [`(user.memberof -any (group.objectId -in ['${group}'])`, 81, "expected ')'"],
    [
      `user.city -eq "x" -or user.memberof -any (group.objectId -in ['${group}'])`,
      22,
      'must be the whole rule',
    ],
    [
      `user.memberof -any (group.objectId -in [${Array.from({ length: 51 }, () => `'${group}'`).join(',')}])`,
      39,
      'at most 50',
    ],
    ['Direct Reports for "somebody"', 20, 'GUID'],
    ['user.city -eq "x" ; drop', 18, 'unexpected'],
    [`user.city -eq "${'x'.repeat(3072)}"`, 3072, 'at most 3072'],
  ])('%j is refused at position %i', (text, position, message) => {
    const { error } = parseMembershipRule(text);
    expect(error?.message).toContain(message);
    expect(error?.position).toBe(position);
  });

  it('may have 3,072 characters, and not one more', () => {
    const rule = (length: number): string => `user.city -eq "${'x'.repeat(length - 16)}"`;
    expect(rule(3072)).toHaveLength(3072);
    expect(parseMembershipRule(rule(3072)).error).toBeUndefined();
    expect(parseMembershipRule(rule(3073)).error?.message).toContain('3073 characters');
  });

  it('binds -not closer than -and, and -and closer than -or', () => {
    const { rule } = parseMembershipRule(
      '-not user.city -eq "a" -and user.city -eq "b" -or user.city -eq "c"',
    );
    expect(printMembershipRule(rule as MembershipRule)).toBe(
      '((-not (user.city -eq "a")) -and (user.city -eq "b")) -or (user.city -eq "c")',
    );
  });

  it.each([
    ['user.otherMails -startsWith "a"', 'user.otherMails -any (_ -startsWith "a")'],
    [
      'user.otherMails -endsWith"@contoso.com"',
      'user.otherMails -any (_ -endsWith "@contoso.com")',
    ],
    ['user.proxyAddresses -contains "a"', 'user.proxyAddresses -any (_ -contains "a")'],
    ['user.proxyAddresses -notEndsWith "a"', '-not (user.proxyAddresses -any (_ -endsWith "a"))'],
    ['device.systemLabels -startsWith "M365"', 'device.systemLabels -any (_ -startsWith "M365")'],
  ])('compares the entries of a collection without -any: %s', (text, meaning) => {
    expect(printMembershipRule(parseMembershipRule(text).rule as MembershipRule)).toBe(meaning);
  });

  it.each(['007', '12345678901234567890', '-0.50', '1234567890123456789012'])(
    'keeps the digits of the number %s, as properties are texts',
    (digits) => {
      const text = `user.employeeId -in [${digits}]`;
      expect(printMembershipRule(parseMembershipRule(text).rule as MembershipRule)).toBe(text);
    },
  );

  it('is parsed into the same rule again after it was printed', () => {
    fc.assert(
      fc.property(anyRule, (text) => {
        const { rule } = parseMembershipRule(text);
        expect(rule).toBeDefined();
        expect(
          withoutPositions(parseMembershipRule(printMembershipRule(rule as MembershipRule)).rule),
        ).toEqual(withoutPositions(rule));
      }),
      { numRuns: runs(500) },
    );
  });

  it('is parsed or refused, whatever its text, with a position inside the text', () => {
    const pieces = fc.constantFrom(
      'user.',
      'city',
      ' -eq ',
      '"',
      "'",
      '(',
      ')',
      '[',
      ']',
      ',',
      '-not ',
      ' -and ',
      '_',
      '`',
      'null',
      '\u2013',
      ' -any ',
      '\u{1f600}',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 40 }).map((chosen) => chosen.join('')),
        ),
        (text) => {
          const { rule, error } = parseMembershipRule(text);
          if (rule === undefined) {
            expect(error?.position).toBeGreaterThanOrEqual(0);
            expect(error?.position).toBeLessThanOrEqual(text.length);
          }
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  it('is refused if it is nested too deep', () => {
    expect(
      parseMembershipRule(`${'('.repeat(500)}user.city -eq "x"${')'.repeat(500)}`).error?.message,
    ).toContain('nested deeper');
    expect(parseMembershipRule(`${'-not '.repeat(500)}user.city -eq "x"`).error?.message).toContain(
      'nested deeper',
    );
  });
});
