import { withLocation } from '../internal/castellan-construct.js';
import type { Construct } from '../internal/cdktf.js';
import { callerLocation } from '../internal/caller-location.js';
import type { MetaArguments } from '../internal/meta-arguments.js';
import {
  ApplicationPrincipal,
  ExistingPrincipal,
  IdentifiedPrincipal,
} from './existing-principal.js';
import type { IGroup, IPrincipal } from './references.js';

/**
 * Finds users that already exist in the directory.
 *
 * @example
 * const ada = User.fromPrincipalName(this, 'ada', 'ada@contoso.example');
 */
export class User {
  private constructor() {}

  /**
   * A user, looked up by user principal name when the stack is planned.
   */
  static fromPrincipalName(
    scope: Construct,
    id: string,
    userPrincipalName: string,
    meta: MetaArguments = {},
  ): IPrincipal {
    return createAtCallSite(User.fromPrincipalName, () => {
      return new ExistingPrincipal(scope, id, { ...meta, user: userPrincipalName });
    });
  }

  /**
   * A user by object id; nothing is looked up.
   *
   * @throws CAS2003 when the text is not an object id.
   */
  static fromObjectId(scope: Construct, id: string, objectId: string): IPrincipal {
    return createAtCallSite(User.fromObjectId, () => {
      return new IdentifiedPrincipal(scope, id, { user: objectId });
    });
  }
}

/**
 * Finds service principals that already exist in the directory.
 *
 * @example
 * const pipeline = ServicePrincipal.fromDisplayName(this, 'pipeline', 'Deployment pipeline');
 */
export class ServicePrincipal {
  private constructor() {}

  /** A service principal, looked up by display name when the stack is planned. */
  static fromDisplayName(
    scope: Construct,
    id: string,
    displayName: string,
    meta: MetaArguments = {},
  ): IPrincipal {
    return createAtCallSite(ServicePrincipal.fromDisplayName, () => {
      return new ExistingPrincipal(scope, id, { ...meta, servicePrincipal: displayName });
    });
  }

  /**
   * A service principal, looked up by the client id of its application when the stack is planned.
   */
  static fromApplicationId(
    scope: Construct,
    id: string,
    clientId: string,
    meta: MetaArguments = {},
  ): IPrincipal {
    return createAtCallSite(ServicePrincipal.fromApplicationId, () => {
      return new ApplicationPrincipal(scope, id, clientId, meta);
    });
  }

  /**
   * A service principal by object id; nothing is looked up.
   *
   * @throws CAS2003 when the text is not an object id.
   */
  static fromObjectId(scope: Construct, id: string, objectId: string): IPrincipal {
    return createAtCallSite(ServicePrincipal.fromObjectId, () => {
      return new IdentifiedPrincipal(scope, id, { servicePrincipal: objectId });
    });
  }
}

/**
 * Refers to devices that already exist in the directory. No provider finds one by its name.
 *
 * @example
 * const laptop = Device.fromObjectId(this, 'laptop', '6f1d2c3b-1111-4222-8333-444455556666');
 */
export class Device {
  private constructor() {}

  /**
   * A device by object id; nothing is looked up.
   *
   * @throws CAS2003 when the text is not an object id.
   */
  static fromObjectId(scope: Construct, id: string, objectId: string): IPrincipal {
    return createAtCallSite(Device.fromObjectId, () => {
      return new IdentifiedPrincipal(scope, id, { device: objectId });
    });
  }
}

/**
 * Refers to organizational contacts that already exist in the directory. No provider finds one by its
 * name or address.
 *
 * @example
 * const press = Contact.fromObjectId(this, 'press', '6f1d2c3b-1111-4222-8333-444455556666');
 */
export class Contact {
  private constructor() {}

  /**
   * A contact by object id; nothing is looked up.
   *
   * @throws CAS2003 when the text is not an object id.
   */
  static fromObjectId(scope: Construct, id: string, objectId: string): IPrincipal {
    return createAtCallSite(Contact.fromObjectId, () => {
      return new IdentifiedPrincipal(scope, id, { contact: objectId });
    });
  }
}

/** Options for the lookup of a group. */
export interface GroupLookupOptions extends MetaArguments {
  /** The kind of the group, if rules about members depend on it. @default either */
  readonly kind?: 'security' | 'unified' | undefined;
}

/** A group that exists already, by object id. */
export function groupFromObjectId(
  scope: Construct,
  id: string,
  objectId: string,
  kind: GroupLookupOptions['kind'],
): IGroup {
  return new IdentifiedPrincipal(scope, id, { group: objectId, ...groupKindProps(kind) });
}

/** A group that exists already, looked up by display name. */
export function groupFromDisplayName(
  scope: Construct,
  id: string,
  displayName: string,
  { kind, ...meta }: GroupLookupOptions,
): IGroup {
  return new ExistingPrincipal(scope, id, { ...meta, group: displayName, ...groupKindProps(kind) });
}

function groupKindProps(groupKind: GroupLookupOptions['kind']): {
  groupKind?: 'security' | 'unified';
} {
  return groupKind === undefined ? {} : { groupKind };
}

/** Creates constructs for a static method, so that findings point at the line that calls it. */
export function createAtCallSite<Result>(
  method: (...args: never[]) => unknown,
  create: () => Result,
): Result {
  return withLocation(callerLocation(method), create);
}
