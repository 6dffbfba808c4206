import { CastellanError } from '../../core/errors/castellan-error.js';
import { type TerraformVariable, Token } from './cdktf.js';

/**
 * The source of a secret, never the secret itself. The synthesized stack, logs and messages only
 * contain the source.
 *
 * @example
 * new ContainerApp(this, 'storefront', { image: 'ghcr.io/contoso/storefront:1.4.2', secrets: { token: Secret.fromEnvironment('STOREFRONT_TOKEN') } });
 */
export class Secret {
  private constructor(
    /** The source in the form of castellan.yaml, or a token. */
    readonly reference: string,
  ) {}

  /**
   * A variable of the environment that applies the stack; Terraform gets it as `TF_VAR_NAME`.
   *
   * @throws CAS2001 when the name is not that of a variable.
   */
  static fromEnvironment(name: string): Secret {
    if (/^[A-Za-z_]\w*$/.test(name)) return new Secret(`\${env:${name}}`);
    throw new CastellanError(
      'CAS2001',
      'Secret.fromEnvironment was given a text that is not the name of an environment variable: use only letters, digits and underscores, and do not begin with a digit',
    );
  }

  /**
   * A secret of a key vault, read with the app's identity.
   *
   * @param url the address of the secret: `https://vault.example/secrets/name`, or a token.
   * @throws CAS2001 when it is not an HTTPS address.
   */
  static fromKeyVault(url: string): Secret {
    if (Token.isUnresolved(url) || /^https:\/\/\S+$/.test(url))
      return new Secret(`keyvault:${url}`);
    throw new CastellanError(
      'CAS2001',
      'Secret.fromKeyVault was given a text that is not the address of a secret in a key vault: pass https://VAULT/secrets/NAME',
    );
  }

  /** A secret that the same app declares under this name in `secrets`. */
  static fromApp(name: string): Secret {
    return new Secret(`secret:${name}`);
  }

  /** A variable of the stack; declare it as sensitive. */
  static fromVariable(variable: TerraformVariable): Secret {
    return new Secret(variable.stringValue as string);
  }

  /**
   * A value that is known only after apply, such as an attribute of a resource.
   *
   * @throws CAS2001 when the value is known already: it would be in the synthesized JSON.
   */
  static fromToken(value: string): Secret {
    if (Token.isUnresolved(value)) return new Secret(value);
    throw new CastellanError(
      'CAS2001',
      'a secret must not be a literal value; pass its source: Secret.fromEnvironment(name), Secret.fromKeyVault(url) or a value that is known after apply',
    );
  }
}
