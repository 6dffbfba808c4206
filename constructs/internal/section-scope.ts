import { Construct } from './cdktf.js';

/**
 * The scope for the constructs of a section of castellan.yaml: an app and a group may have the same
 * name there. The Terraform names of the constructs do not contain the section.
 *
 * @example
 * const apps = new SectionScope(stack, 'containerApps');
 */
export class SectionScope extends Construct {}
