import type { TerraformResource } from './cdktf.js';

/**
 * Whether a resource only stands for a `moved` block: its object now belongs to another resource
 * (`moveTo`).
 */
export function isMovedAway(resource: TerraformResource): boolean {
  const move = resource.hasResourceMove();
  if (move === undefined) return false;
  const ownAddress = `${resource.terraformResourceType}.${resource.friendlyUniqueId}`;
  return 'moveTarget' in move || move.to !== ownAddress;
}
