import { DataAzureadGroup } from '@cdktf/provider-azuread/lib/data-azuread-group';
import { DataAzureadServicePrincipal } from '@cdktf/provider-azuread/lib/data-azuread-service-principal';
import { DataAzureadUser } from '@cdktf/provider-azuread/lib/data-azuread-user';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { PrincipalKind } from '../../kinds/index.js';
import { principalKinds } from '../../kinds/index.js';
import type { PrincipalDeclaration } from '../generated/declarations.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import type { Construct } from '../internal/cdktf.js';
import { literalText } from '../internal/literal-text.js';
import { isObjectId } from '../internal/object-id.js';
import { requireProvider } from '../internal/providers.js';

/** Who already exists in the directory: exactly one of the kinds. */
export type PrincipalProps = PrincipalDeclaration;

/**
 * Someone who already exists in the directory. A name is looked up when the stack is planned; an object id is taken as it is.
 *
 * @example
 * const ada = new Principal(this, 'ada', { user: 'ada@contoso.example' });
 * const robot = new Principal(this, 'robot', { servicePrincipal: '6f1d2c3b-1111-4222-8333-444455556666' });
 */
export class Principal extends CastellanConstruct {
  /** What kind of principal it is. */
  readonly kind: PrincipalKind;
  /** The object id in the directory, in lower case. */
  readonly objectId: string;

  constructor(scope: Construct, id: string, props: PrincipalProps) {
    super(scope, id, 'principals', props);
    const kind = principalKinds.find((each) => props[each] !== undefined);
    if (kind === undefined) throw new CastellanError('CAS2001', `principal ${id} names no one: give one of ${principalKinds.join(', ')}`);
    this.kind = kind;
    const name = props[kind] ?? '';
    this.objectId = isObjectId(name) ? name.toLowerCase() : this.lookUp(kind, name, props);
  }

  private lookUp(kind: PrincipalKind, name: string, { groupKind }: PrincipalProps): string {
    requireProvider(this, 'azuread');
    const text = literalText(name);
    switch (kind) {
      case 'user':
        return this.named(new DataAzureadUser(this, 'Default', { userPrincipalName: text })).objectId;
      case 'servicePrincipal':
        return this.named(new DataAzureadServicePrincipal(this, 'Default', { displayName: text })).objectId;
      case 'group': {
        const mailEnabled = groupKind === undefined ? undefined : groupKind === 'unified';
        return this.named(new DataAzureadGroup(this, 'Default', { displayName: text, mailEnabled })).objectId;
      }
      default:
        throw new CastellanError(
          'CAS2002',
          `principal ${this.node.id}: a ${kind} can't be looked up by the name ${JSON.stringify(name)}, as no provider finds one; give its object id`,
        );
    }
  }
}
