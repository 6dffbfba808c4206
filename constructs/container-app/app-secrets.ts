import type { ContainerAppSecret } from '@cdktf/provider-azurerm/lib/container-app';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { Token, Construct, TerraformStack, TerraformVariable } from '../internal/cdktf.js';
import { environmentVariableOf } from '../internal/interpolation.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { getOrCreateChild } from '../internal/own-child.js';
import { Secret } from '../internal/secret.js';

/**
 * The secrets of one app. Other settings refer to a secret by name, so that a rotation changes only
 * the app and each secret is stored once.
 */
export class AppSecrets {
  private readonly byName = new Map<string, ContainerAppSecret>();
  private readonly references = new Map<string, string>();

  constructor(
    private readonly app: Construct,
    /**
     * The identity that reads key vaults: `System`, or the resource id of one of the app's
     * identities.
     */
    private readonly vaultIdentity: () => string,
  ) {}

  /**
   * Declares a secret, unless the reference names an existing secret of the app.
   *
   * @param name the name for a new secret.
   * @param source the secret's source: an object, a reference as in castellan.yaml, or a token (a
   *   value known after apply).
   * @returns the name of the secret.
   * @throws CAS2005 when two different secrets would have the same name.
   */
  add(name: string, source: Secret | string): string {
    const reference = source instanceof Secret ? source.reference : source;
    if (reference.startsWith('secret:')) return reference.slice('secret:'.length);
    const secret = this.secretBlock(name, reference);
    if ((this.references.get(name) ?? reference) !== reference)
      throw new CastellanError(
        'CAS2005',
        `${this.app.node.path}: two different secrets would have the name ${name}; rename one of them`,
      );
    this.byName.set(name, secret);
    this.references.set(name, reference);
    return name;
  }

  /** The `secret` blocks of the app's resource, sorted by name. */
  blocks(): unknown[] {
    return [...this.byName.values()]
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, value, keyVaultSecretId, identity }) => ({
        name,
        value,
        key_vault_secret_id: keyVaultSecretId,
        identity,
      }));
  }

  private secretBlock(name: string, reference: string): ContainerAppSecret {
    if (reference.startsWith('keyvault:'))
      return {
        name,
        keyVaultSecretId: reference.slice('keyvault:'.length),
        identity: this.vaultIdentity(),
      };
    const variable = environmentVariableOf(reference);
    if (variable !== undefined) return { name, value: secretVariable(this.app, variable) };
    if (Token.isUnresolved(reference)) return { name, value: reference };
    throw new CastellanError(
      'CAS2001',
      `${this.app.node.path}: the secret ${name} is a literal value; pass its source instead, such as Secret.fromEnvironment('NAME')`,
    );
  }
}

/** The id of the scope in a stack that contains its variables for secrets. */
const variablesId = 'variables';

/**
 * The sensitive Terraform variable that passes a secret of the environment to the stack:
 * `CODEHOST_SECRET` is set by `TF_VAR_CODEHOST_SECRET`. A stack has one per name, so that a secret
 * may be used in several places.
 *
 * @returns a token; the synthesized stack never contains the secret.
 */
function secretVariable(scope: Construct, name: string): string {
  const stack = TerraformStack.of(scope);
  const variables = stack.node.tryFindChild(variablesId) ?? new Construct(stack, variablesId);
  const variable = getOrCreateChild(
    variables,
    name,
    (each) => each instanceof TerraformVariable,
    (id) => createVariable(variables as Construct, id, name),
  );
  return variable.stringValue as string;
}

function createVariable(scope: Construct, id: string, name: string): TerraformVariable {
  const variable = new TerraformVariable(scope, id, {
    type: 'string',
    sensitive: true,
    // in the sandbox a secret that is not set gets a placeholder, which no service accepts
    ...(cloudSettings(scope).sandbox !== undefined && { default: 'not-set-in-the-sandbox' }),
    description: `Fed by the environment variable TF_VAR_${name}.`,
  });
  variable.overrideLogicalId(name);
  return variable;
}
