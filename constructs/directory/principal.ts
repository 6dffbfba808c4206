import { CheckedConstruct } from '../stack/checked-construct.js';
import { DataAzureadGroup } from '@cdktf/provider-azuread/lib/data-azuread-group';
import { DataAzureadServicePrincipal } from '@cdktf/provider-azuread/lib/data-azuread-service-principal';
import { DataAzureadUser } from '@cdktf/provider-azuread/lib/data-azuread-user';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { isGuid } from '../../core/values/guid.js';
import { type PrincipalKind, principalKinds } from '../../kinds/index.js';
import type { PrincipalDeclaration } from '../generated/props.js';
import { withLocation } from '../internal/castellan-construct.js';
import { type Construct, Lazy, Token } from '../internal/cdktf.js';
import { creationFrame } from '../internal/creation-frame.js';
import { escapeInterpolation } from '../internal/interpolation.js';
import type { MetaArguments } from '../internal/meta-arguments.js';
import type { IGroup, IPrincipal, PrincipalType } from './references.js';

/** An existing principal: exactly one of the kinds. */
export interface PrincipalProps extends PrincipalDeclaration, MetaArguments {}

/**
 * A principal that already exists in the directory, as castellan.yaml declares it: the way to name
 * devices and contacts. `User`, `ServicePrincipal` and `Group` have methods for the others.
 *
 * @example
 * const laptop = new Principal(this, 'laptop', { device: '6f1d2c3b-1111-4222-8333-444455556666' });
 */
export class Principal extends CheckedConstruct implements IPrincipal {
  /** The kind of principal. */
  readonly kind: PrincipalKind;
  /** The object id in the directory, in lower case. */
  readonly objectId: string;

  constructor(scope: Construct, id: string, props: PrincipalProps) {
    super(scope, id, 'principals', props);
    const kind = principalKinds.find((each) => props[each] !== undefined);
    if (kind === undefined)
      throw new CastellanError(
        'CAS2001',
        `principal ${id} names no one: give one of ${principalKinds.join(', ')}`,
      );
    this.kind = kind;
    const name = props[kind] ?? '';
    this.objectId = isGuid(name) ? name.toLowerCase() : this.find(kind, name, props);
  }

  /** The type of principal in role assignments; devices and contacts get no roles. */
  get principalType(): PrincipalType | undefined {
    return types[this.kind];
  }

  /** Finds the object id of a name. */
  protected find(kind: PrincipalKind, name: string, { groupKind }: PrincipalProps): string {
    this.requireProvider('azuread');
    const text = escapeInterpolation(name);
    switch (kind) {
      case 'user':
        return this.withDeclaredName(
          new DataAzureadUser(this, 'Default', { userPrincipalName: text }),
        ).objectId;
      case 'servicePrincipal':
        return this.withDeclaredName(
          new DataAzureadServicePrincipal(this, 'Default', { displayName: text }),
        ).objectId;
      case 'group': {
        const mailEnabled = groupKind === undefined ? undefined : groupKind === 'unified';
        return this.withDeclaredName(
          new DataAzureadGroup(this, 'Default', { displayName: text, mailEnabled }),
        ).objectId;
      }
      default:
        throw new CastellanError(
          'CAS2002',
          `principal ${this.node.id}: a ${kind} can't be looked up by the name ${JSON.stringify(name)}, as no provider finds one; give its object id`,
        );
    }
  }
}

const types: Readonly<Partial<Record<PrincipalKind, PrincipalType>>> = {
  user: 'User',
  servicePrincipal: 'ServicePrincipal',
  group: 'Group',
};

/** A principal that is known by its object id, which may be a token. */
class IdentifiedPrincipal extends Principal {
  protected override find(_kind: PrincipalKind, id: string): string {
    if (Token.isUnresolved(id)) return id;
    throw new CastellanError('CAS2003', `${this.node.path}: ${JSON.stringify(id)} is no object id`);
  }
}

/** A service principal that is looked up by the client id of its application. */
class ApplicationPrincipal extends CheckedConstruct implements IPrincipal {
  readonly principalType = 'ServicePrincipal';
  readonly objectId: string;

  constructor(scope: Construct, id: string, clientId: string, meta: MetaArguments) {
    super(scope, id, 'principals', {
      ...meta,
      servicePrincipal: Lazy.stringValue({ produce: () => this.objectId }),
    });
    this.requireProvider('azuread');
    this.objectId = this.withDeclaredName(
      new DataAzureadServicePrincipal(this, 'Default', { clientId: escapeInterpolation(clientId) }),
    ).objectId;
  }
}

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
    return createdBy(User.fromPrincipalName, () => {
      return new Principal(scope, id, { ...meta, user: userPrincipalName });
    });
  }

  /**
   * A user by object id; nothing is looked up.
   *
   * @throws CAS2003 when it is no object id.
   */
  static fromObjectId(scope: Construct, id: string, objectId: string): IPrincipal {
    return createdBy(User.fromObjectId, () => {
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
    return createdBy(ServicePrincipal.fromDisplayName, () => {
      return new Principal(scope, id, { ...meta, servicePrincipal: displayName });
    });
  }

  /** A service principal, looked up by the client id of its application when the stack is planned. */
  static fromApplicationId(
    scope: Construct,
    id: string,
    clientId: string,
    meta: MetaArguments = {},
  ): IPrincipal {
    return createdBy(ServicePrincipal.fromApplicationId, () => {
      return new ApplicationPrincipal(scope, id, clientId, meta);
    });
  }

  /**
   * A service principal by object id; nothing is looked up.
   *
   * @throws CAS2003 when it is no object id.
   */
  static fromObjectId(scope: Construct, id: string, objectId: string): IPrincipal {
    return createdBy(ServicePrincipal.fromObjectId, () => {
      return new IdentifiedPrincipal(scope, id, { servicePrincipal: objectId });
    });
  }
}

/** Settings of the lookup of a group. */
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
  return new IdentifiedPrincipal(scope, id, { group: objectId, ...optional(kind) });
}

/** A group that exists already, looked up by display name. */
export function groupFromDisplayName(
  scope: Construct,
  id: string,
  displayName: string,
  { kind, ...meta }: GroupLookupOptions,
): IGroup {
  return new Principal(scope, id, { ...meta, group: displayName, ...optional(kind) });
}

function optional(groupKind: GroupLookupOptions['kind']): { groupKind?: 'security' | 'unified' } {
  return groupKind === undefined ? {} : { groupKind };
}

/** Creates constructs for a static method: findings point at the line that calls it. */
export function createdBy<Result>(
  method: (...args: never[]) => unknown,
  create: () => Result,
): Result {
  return withLocation(creationFrame(method), create);
}
