import { CheckedConstruct } from '../stack/checked-construct.js';
import { DataAzureadGroup } from '@cdktf/provider-azuread/lib/data-azuread-group';
import { DataAzureadServicePrincipal } from '@cdktf/provider-azuread/lib/data-azuread-service-principal';
import { DataAzureadUser } from '@cdktf/provider-azuread/lib/data-azuread-user';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { isGuid } from '../../core/values/guid.js';
import { type PrincipalKind, principalKinds } from '../../kinds/index.js';
import type { PrincipalDeclaration } from '../generated/props.js';
import { type Construct, Lazy, Token } from '../internal/cdktf.js';
import { escapeInterpolation } from '../internal/interpolation.js';
import type { MetaArguments } from '../internal/meta-arguments.js';
import type { IPrincipal, PrincipalType } from './references.js';

/** An existing principal; exactly one of the properties for its kinds is set. */
export interface ExistingPrincipalProps extends PrincipalDeclaration, MetaArguments {}

/** A principal that already exists in the directory, as castellan.yaml declares it. */
export class ExistingPrincipal extends CheckedConstruct implements IPrincipal {
  /** The kind of principal. */
  readonly kind: PrincipalKind;
  /** The object id in the directory, in lower case. */
  readonly objectId: string;

  constructor(scope: Construct, id: string, props: ExistingPrincipalProps) {
    super(scope, id, 'principals', props);
    const kind = principalKinds.find((each) => props[each] !== undefined);
    if (kind === undefined)
      throw new CastellanError(
        'CAS2001',
        `principal ${id} declares nobody; it needs exactly one of these properties: ${principalKinds.join(', ')}`,
      );
    this.kind = kind;
    const name = props[kind] ?? '';
    this.objectId = isGuid(name) ? name.toLowerCase() : this.resolveObjectId(kind, name, props);
  }

  /** The type of principal in role assignments; devices and contacts get no roles. */
  get principalType(): PrincipalType | undefined {
    return principalTypes[this.kind];
  }

  /** The object id of the principal with a name. */
  protected resolveObjectId(
    kind: PrincipalKind,
    name: string,
    { groupKind }: ExistingPrincipalProps,
  ): string {
    this.requireProvider('azuread');
    const escapedName = escapeInterpolation(name);
    switch (kind) {
      case 'user':
        return this.withLogicalIdOfConstruct(
          new DataAzureadUser(this, 'Default', { userPrincipalName: escapedName }),
        ).objectId;
      case 'servicePrincipal':
        return this.withLogicalIdOfConstruct(
          new DataAzureadServicePrincipal(this, 'Default', { displayName: escapedName }),
        ).objectId;
      case 'group': {
        const mailEnabled = groupKind === undefined ? undefined : groupKind === 'unified';
        return this.withLogicalIdOfConstruct(
          new DataAzureadGroup(this, 'Default', { displayName: escapedName, mailEnabled }),
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

const principalTypes: Readonly<Partial<Record<PrincipalKind, PrincipalType>>> = {
  user: 'User',
  servicePrincipal: 'ServicePrincipal',
  group: 'Group',
};

/** A principal that is known by its object id, which may be a token. */
export class IdentifiedPrincipal extends ExistingPrincipal {
  protected override resolveObjectId(_kind: PrincipalKind, id: string): string {
    if (Token.isUnresolved(id)) return id;
    throw new CastellanError(
      'CAS2003',
      `${this.node.path}: ${JSON.stringify(id)} is not an object id; pass the GUID that the directory gave it`,
    );
  }
}

/** A service principal that is looked up by the client id of its application. */
export class ApplicationPrincipal extends CheckedConstruct implements IPrincipal {
  readonly principalType = 'ServicePrincipal';
  readonly objectId: string;

  constructor(scope: Construct, id: string, clientId: string, meta: MetaArguments) {
    super(scope, id, 'principals', {
      ...meta,
      servicePrincipal: Lazy.stringValue({ produce: () => this.objectId }),
    });
    this.requireProvider('azuread');
    this.objectId = this.withLogicalIdOfConstruct(
      new DataAzureadServicePrincipal(this, 'Default', { clientId: escapeInterpolation(clientId) }),
    ).objectId;
  }
}
