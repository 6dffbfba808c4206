import { DataAzureadGroup } from '@cdktf/provider-azuread/lib/data-azuread-group';
import { DataAzureadServicePrincipal } from '@cdktf/provider-azuread/lib/data-azuread-service-principal';
import { DataAzureadUser } from '@cdktf/provider-azuread/lib/data-azuread-user';
import { DataAzureadClientConfig } from '@cdktf/provider-azuread/lib/data-azuread-client-config';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { type PrincipalKind, principalKinds } from '../../kinds/index.js';
import type { PrincipalDeclaration } from '../generated/props.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import { type Construct, TerraformStack, Token } from '../internal/cdktf.js';
import { literalText } from '../internal/literal-text.js';
import { isGuid } from '../../core/values/guid.js';
import { requireProvider } from '../internal/providers.js';

/** An existing principal: exactly one of the kinds. */
export type PrincipalProps = PrincipalDeclaration;

/**
 * A principal that already exists in the directory. A name is looked up when the stack is planned;
 * an object id is used as it is.
 *
 * @example
 * const ada = new Principal(this, 'ada', { user: 'ada@contoso.example' });
 * const robot = new Principal(this, 'robot', { servicePrincipal: '6f1d2c3b-1111-4222-8333-444455556666' });
 */
export class Principal extends CastellanConstruct {
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
    this.objectId = isGuid(name) ? name.toLowerCase() : this.lookUp(kind, name, props);
  }

  private lookUp(kind: PrincipalKind, name: string, { groupKind }: PrincipalProps): string {
    requireProvider(this, 'azuread');
    const text = literalText(name);
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

const id = 'caller';

/** The account that applies the stack: one data source per stack, which sends no request. */
export function caller(scope: Construct): DataAzureadClientConfig {
  const stack = TerraformStack.of(scope);
  const existing = stack.node.tryFindChild(id);
  if (existing instanceof DataAzureadClientConfig) return existing;
  requireProvider(scope, 'azuread');
  return new DataAzureadClientConfig(stack, id);
}

/** A construct with an object id in the directory: a principal or a group of the stack. */
export interface DirectoryObject {
  readonly objectId: string;
}

/**
 * The object id of a reference: that of a construct, or a given object id in lower case.
 *
 * @throws CAS2003 when the text is not an object id: names must be looked up with a Principal.
 */
export function objectIdOf(reference: DirectoryObject | string): string {
  if (typeof reference !== 'string') return reference.objectId;
  if (Token.isUnresolved(reference)) return reference;
  if (isGuid(reference)) return reference.toLowerCase();
  throw new CastellanError(
    'CAS2003',
    `${JSON.stringify(reference)} is no object id; pass a Principal or a group of the stack, or the object id itself`,
  );
}

/**
 * The object ids of a list of references; undefined for an empty list, for which the provider would
 * plan a change on every run.
 */
export function objectIdsOf(
  references: readonly (DirectoryObject | string)[] | undefined,
): string[] | undefined {
  return references === undefined || references.length === 0
    ? undefined
    : references.map(objectIdOf);
}
