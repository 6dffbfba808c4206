/** The limits of membership questions. */
export const membershipLimits = {
  /** Ids in one `checkMemberGroups` or `checkMemberObjects`. */
  checkedIds: 20,
  /** Ids that `getMemberGroups` and `getMemberObjects` give. */
  resultSize: 11_000,
  /** Ids in one `getByIds`. */
  fetchedIds: 1_000,
} as const;
