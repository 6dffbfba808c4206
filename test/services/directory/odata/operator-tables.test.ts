import {
  type AdvancedRequestParts,
  checkQuery,
  ODataError,
  parseQueryOptions,
} from '../../../../services/directory/odata/index.js';
import { groupQueryRules } from '../../../../services/directory/groups/group-queries.js';

type Outcome = 'plain' | 'advanced' | 'refused';

function findRefusal(
  filter: string,
  advanced: boolean,
  otherOptions: Record<string, string> = {},
): ODataError | undefined {
  const request: AdvancedRequestParts = { eventual: advanced };
  try {
    checkQuery(
      parseQueryOptions(
        new URLSearchParams({
          $filter: filter,
          ...(advanced && { $count: 'true' }),
          ...otherOptions,
        }),
      ),
      groupQueryRules,
      request,
    );
    return undefined;
  } catch (error) {
    if (error instanceof ODataError) return error;
    throw error;
  }
}

function outcomeOf(filter: string): Outcome {
  if (findRefusal(filter, false) === undefined) return 'plain';
  return findRefusal(filter, true) === undefined ? 'advanced' : 'refused';
}

/**
 * Every row of the group table of Directory rules with the operators that it names, and with some
 * that it does not name.
 */
const rows: readonly (readonly [filter: string, expected: Outcome])[] = [
  ["id eq 'x'", 'plain'],
  ["id in ('x')", 'plain'],
  ["id ne 'x'", 'advanced'],
  ["not (id eq 'x')", 'advanced'],
  ["startsWith(id,'x')", 'refused'],
  ["displayName eq 'x'", 'plain'],
  ["displayName ge 'x'", 'plain'],
  ["displayName le 'x'", 'plain'],
  ["displayName in ('x')", 'plain'],
  ["startsWith(displayName,'x')", 'plain'],
  ["displayName ne 'x'", 'advanced'],
  ["not startsWith(displayName,'x')", 'advanced'],
  ['displayName eq null', 'advanced'],
  ["displayName gt 'x'", 'refused'],
  ["displayName lt 'x'", 'refused'],
  ["endsWith(displayName,'x')", 'refused'],
  ["contains(displayName,'x')", 'refused'],
  ["description eq 'x'", 'plain'],
  ["startsWith(description,'x')", 'plain'],
  ["description ne 'x'", 'advanced'],
  ["description ge 'x'", 'advanced'],
  ["description in ('x')", 'refused'],
  ['mailEnabled eq true', 'plain'],
  ['mailEnabled ne true', 'advanced'],
  ['mailEnabled in (true)', 'refused'],
  ['securityEnabled eq true', 'plain'],
  ['securityEnabled in (true)', 'advanced'],
  ['securityEnabled gt true', 'refused'],
  ["mailNickname eq 'x'", 'plain'],
  ["mailNickname ge 'x'", 'plain'],
  ['mailNickname eq null', 'advanced'],
  ["endsWith(mailNickname,'x')", 'refused'],
  ["mail eq 'x'", 'plain'],
  ["endsWith(mail,'x')", 'advanced'],
  ["mail ne 'x'", 'advanced'],
  ["groupTypes/any(x:x eq 'Unified')", 'plain'],
  ["not groupTypes/any(x:x eq 'Unified')", 'advanced'],
  ["groupTypes/any(x:startsWith(x,'U'))", 'refused'],
  ["groupTypes eq 'Unified'", 'refused'],
  ["visibility eq 'Private'", 'refused'],
  ["theme eq 'Blue'", 'refused'],
  ["classification eq 'x'", 'plain'],
  ["classification ne 'x'", 'advanced'],
  ["classification in ('x')", 'refused'],
  ['createdDateTime ge 2026-01-01T00:00:00Z', 'plain'],
  ['createdDateTime ne 2026-01-01T00:00:00Z', 'advanced'],
  ["createdDateTime ge 'yesterday'", 'refused'],
  ['expirationDateTime le 2026-01-01T00:00:00Z', 'plain'],
  ['expirationDateTime in (2026-01-01T00:00:00Z)', 'plain'],
  ['renewedDateTime ge 2026-01-01T00:00:00Z', 'plain'],
  ["startsWith(membershipRule,'user')", 'plain'],
  ["membershipRule ne 'x'", 'advanced'],
  ["membershipRuleProcessingState eq 'On'", 'plain'],
  ["membershipRuleProcessingState in ('On')", 'plain'],
  ["startsWith(membershipRuleProcessingState,'O')", 'refused'],
  ['isAssignableToRole eq true', 'plain'],
  ['isAssignableToRole ne true', 'advanced'],
  ['assignedLicenses/any(x:x/skuId eq 00000000-0000-0000-0000-000000000001)', 'plain'],
  ['assignedLicenses/any(x:x/other eq 1)', 'refused'],
  ['hasMembersWithLicenseErrors eq true', 'plain'],
  ['hasMembersWithLicenseErrors ne true', 'refused'],
  ["onPremisesSamAccountName eq 'x'", 'advanced'],
  ["startsWith(onPremisesSamAccountName,'x')", 'advanced'],
  ["onPremisesSecurityIdentifier eq 'x'", 'plain'],
  ['onPremisesSecurityIdentifier eq null', 'advanced'],
  ['onPremisesSyncEnabled eq true', 'plain'],
  ['onPremisesSyncEnabled eq null', 'advanced'],
  ['onPremisesLastSyncDateTime ge 2026-01-01T00:00:00Z', 'advanced'],
  ["preferredLanguage eq 'en'", 'advanced'],
  ["proxyAddresses/any(p:p eq 'smtp:x')", 'plain'],
  ["proxyAddresses/any(p:startsWith(p,'smtp'))", 'plain'],
  ["proxyAddresses/any(p:endsWith(p,'x'))", 'advanced'],
  ['proxyAddresses/$count eq 0', 'advanced'],
  ['proxyAddresses/$count eq 2', 'refused'],
  ['owners/$count eq 0', 'advanced'],
  ['owners/$count ne 1', 'advanced'],
  ['owners/$count gt 1', 'refused'],
  ['members/$count eq 0', 'refused'],
  ["resourceProvisioningOptions/any(x:x eq 'Team')", 'plain'],
  ['serviceProvisioningErrors/any(x:x/isResolved eq true)', 'plain'],
  ["nonsense eq 'x'", 'refused'],
];

describe('the operator table of groups', () => {
  it.each(rows)('%s is %s', (filter, expected) => {
    expect(outcomeOf(filter)).toBe(expected);
  });

  /**
   * @claim advanced-query: ne, not, endsWith, $search, $count and $orderby with $filter need
   *   ConsistencyLevel: eventual and $count=true.
   * @source https://learn.microsoft.com/graph/aad-advanced-queries
   */
  it('names the operator and the requirement when an advanced query is needed', () => {
    expect(findRefusal("displayName ne 'x'", false)).toMatchObject({
      code: 'Request_UnsupportedQuery',
      message:
        "The operator 'ne' on property 'displayName' is supported only in an advanced query: add the header 'ConsistencyLevel: eventual' and the query option '$count=true'.",
    });
  });

  it('names the property of an unsupported clause', () => {
    expect(findRefusal("visibility eq 'x'", true)).toMatchObject({
      code: 'Request_UnsupportedQuery',
      message:
        "Unsupported or invalid query filter clause specified for property 'visibility' of resource 'Group'.",
    });
  });

  it('makes $filter with $orderby an advanced query, and refuses $orderby on anything but the display name', () => {
    expect(findRefusal("displayName eq 'x'", false, { $orderby: 'displayName' })?.code).toBe(
      'Request_UnsupportedQuery',
    );
    expect(findRefusal("displayName eq 'x'", true, { $orderby: 'displayName' })).toBeUndefined();
    expect(findRefusal("displayName eq 'x'", true, { $orderby: 'mail' })?.message).toContain(
      "sort clause specified for property 'mail'",
    );
  });

  /**
   * @claim advanced-no-expand: $expand and advanced queries exclude each other.
   * @source https://learn.microsoft.com/graph/aad-advanced-queries
   */
  it('does not combine $expand with an advanced query', () => {
    expect(findRefusal("displayName ne 'x'", true, { $expand: 'members' })?.message).toContain(
      '$expand',
    );
    expect(findRefusal("displayName eq 'x'", false, { $expand: 'members' })).toBeUndefined();
  });

  it('requires the header for $search, and for the /$count segment', () => {
    const search = parseQueryOptions(new URLSearchParams({ $search: '"displayName:x"' }));
    expect(() => checkQuery(search, groupQueryRules, { eventual: false })).toThrow(
      'ConsistencyLevel: eventual',
    );
    expect(() => checkQuery(search, groupQueryRules, { eventual: true })).not.toThrow();
    expect(() =>
      checkQuery(parseQueryOptions(new URLSearchParams()), groupQueryRules, {
        eventual: false,
        countSegment: true,
      }),
    ).toThrow('$count is not currently supported.');
  });

  /**
   * @claim count-needs-header: Without the header $count=true is ignored.
   * @source https://learn.microsoft.com/graph/aad-advanced-queries
   */
  it('ignores $count=true without the header', () => {
    expect(
      checkQuery(parseQueryOptions(new URLSearchParams({ $count: 'true' })), groupQueryRules, {
        eventual: false,
      }),
    ).toEqual({
      count: false,
    });
    expect(
      checkQuery(parseQueryOptions(new URLSearchParams({ $count: 'true' })), groupQueryRules, {
        eventual: true,
      }),
    ).toEqual({
      count: true,
    });
  });
});
