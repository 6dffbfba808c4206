import { Construct } from './cdktf.js';

/**
 * A section of castellan.yaml in the construct tree: an app and a group may have the same name
 * there. Constructs in it keep their plain name as Terraform address.
 *
 * @example
 * const apps = new SectionScope(stack, 'containerApps');
 */
export class SectionScope extends Construct {}
