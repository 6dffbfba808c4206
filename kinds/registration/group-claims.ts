/**
 * Which groups the tokens of a registration name: as declared, else what the apps that use it need. Security groups by themselves where
 * they suffice: the more groups a token names, the sooner the list is cut off.
 *
 * @param securityGroups for each group that an app lets in, whether it is declared as a security group.
 */
export function groupClaimsOf(declared: readonly string[] | undefined, securityGroups: readonly boolean[]): readonly string[] {
  if (declared !== undefined) return declared;
  if (securityGroups.length === 0) return [];
  return [securityGroups.every(Boolean) ? 'SecurityGroup' : 'All'];
}
