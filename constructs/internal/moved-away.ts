import type { TerraformResource } from './cdktf.js';
import { addressOf } from './terraform-address.js';

/**
 * Whether a resource only stands for a `moved` block: its object now belongs to another resource
 * (`moveTo`).
 */
export function isMovedAway(resource: TerraformResource): boolean {
  const move = resource.hasResourceMove();
  if (move === undefined) return false;
  return 'moveTarget' in move || move.to !== addressOf(resource);
}
