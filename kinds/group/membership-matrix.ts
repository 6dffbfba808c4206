/** What may be a member of what (Directory rules, the two membership tables). */
export const membershipMatrix = {
  user: { security: true, unified: true },
  securityGroup: { security: true, unified: false },
  unifiedGroup: { security: false, unified: false },
  device: { security: true, unified: false },
  servicePrincipal: { security: true, unified: false },
  contact: { security: true, unified: false },
} as const;
