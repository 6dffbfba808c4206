import type { ContainerAppSecret } from '@cdktf/provider-azurerm/lib/container-app';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { SecretReference } from '../../kinds/index.js';
import type { Construct } from '../internal/cdktf.js';
import { Token } from '../internal/cdktf.js';
import { environmentVariableOf } from '../internal/secret-reference.js';
import { secretVariable } from '../internal/secret-variable.js';

/**
 * The secrets of one app. Everything else names a secret, so that rotating one changes the app alone and no secret is anywhere
 * else.
 */
export class AppSecrets {
  private readonly byName = new Map<string, ContainerAppSecret>();

  constructor(
    private readonly owner: Construct,
    /** The identity that reads key vaults: `System`, or the resource id of an identity of the app. */
    private readonly vaultIdentity: () => string,
  ) {}

  /**
   * Declares a secret, unless the reference names one that the app has already.
   *
   * @param name the name for a new secret.
   * @param reference where the secret comes from: a reference as castellan.yaml has it, or a token (a value known after apply).
   * @returns the name of the secret.
   * @throws CAS2005 where two different secrets would have one name.
   */
  add(name: string, reference: SecretReference | string): string {
    if (reference.startsWith('secret:')) return reference.slice('secret:'.length);
    const secret = this.secretOf(name, reference);
    const existing = this.byName.get(name);
    if (existing !== undefined && (existing.value !== secret.value || existing.keyVaultSecretId !== secret.keyVaultSecretId))
      throw new CastellanError('CAS2005', `${this.owner.node.path} declares a secret ${name} that the app's sign-in needs for itself`);
    this.byName.set(name, secret);
    return name;
  }

  /** Every secret, in the order of their names. */
  all(): ContainerAppSecret[] {
    return [...this.byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  private secretOf(name: string, reference: string): ContainerAppSecret {
    if (reference.startsWith('keyvault:'))
      return { name, keyVaultSecretId: reference.slice('keyvault:'.length), identity: this.vaultIdentity() };
    const variable = environmentVariableOf(reference);
    if (variable !== undefined) return { name, value: secretVariable(this.owner, variable) };
    if (Token.isUnresolved(reference)) return { name, value: reference };
    throw new CastellanError(
      'CAS2001',
      `${this.owner.node.path}: the secret ${name} is written out; give a reference: \${env:NAME}, secret:NAME or keyvault:URL`,
    );
  }
}
