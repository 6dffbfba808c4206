import { Construct } from './cdktf.js';

/**
 * One section of castellan.yaml in the construct tree: an app and a group may have the same name there. What is declared in it keeps
 * its plain name as its Terraform address.
 */
export class Section extends Construct {}
