import { CastellanError } from '../../core/errors/castellan-error.js';
import { Token } from '../internal/cdktf.js';
import { isObjectId } from '../internal/object-id.js';

/** What has an object id in the directory: a principal or a group of the stack. */
export interface DirectoryObject {
  readonly objectId: string;
}

/**
 * The object id that a reference means: that of a construct, or an object id as it is, in lower case.
 *
 * @throws CAS2003 where the text is no object id: a name must be looked up with a Principal.
 */
export function objectIdOf(reference: DirectoryObject | string): string {
  if (typeof reference !== 'string') return reference.objectId;
  if (Token.isUnresolved(reference)) return reference;
  if (isObjectId(reference)) return reference.toLowerCase();
  throw new CastellanError(
    'CAS2003',
    `${JSON.stringify(reference)} is no object id; pass a Principal or a group of the stack, or the object id itself`,
  );
}

/** The object ids of a list of references; none for none, as the provider never settles on an empty list. */
export function objectIdsOf(references: readonly (DirectoryObject | string)[] | undefined): string[] | undefined {
  return references === undefined || references.length === 0 ? undefined : references.map(objectIdOf);
}
