import { castellan } from './castellan.js';
import type { Construct } from './cdktf.js';
import { fabric } from './fabric.js';
import { type Attributes, PlainResource } from './plain-resource.js';

/** A resource of fabric or of castellan's own provider, which npm has no bindings for: its type, and attributes by Terraform's names. */
export class UnboundResource extends PlainResource {
  constructor(scope: Construct, id: string, type: `${'fabric' | 'castellan'}_${string}`, attributes: Attributes) {
    super(scope, id, { type, origin: type.startsWith('fabric_') ? fabric : castellan, meta: {} }, attributes);
  }
}
