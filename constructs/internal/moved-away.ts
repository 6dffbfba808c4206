import type { TerraformResource } from './cdktf.js';

/** Whether a resource is only written as moved to another one (`moveTo`, `moveToId`). */
export function isMovedAway(resource: TerraformResource): boolean {
  const move = resource.hasResourceMove();
  if (move === undefined) return false;
  const own = `${resource.terraformResourceType}.${resource.friendlyUniqueId}`;
  return 'moveTarget' in move || move.to !== own;
}
