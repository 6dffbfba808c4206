/** The kinds of groups of which an object may be a member (Directory rules, membership tables). */
export const membershipMatrix = {
  user: { security: true, unified: true },
  securityGroup: { security: true, unified: false },
  unifiedGroup: { security: false, unified: false },
  device: { security: true, unified: false },
  servicePrincipal: { security: true, unified: false },
  contact: { security: true, unified: false },
} as const;
