import type { ContainerAppSecret } from '../../../../clients/resource-manager/index.js';
import type { Value, ValueMap } from '../../../values/value.js';
import { ProviderFailure } from '../../failure.js';
import type { Raw } from '../../read-values.js';
import { blocks, defined, given, mustText, objects, text } from '../../read-values.js';

/** The secrets of an app as they are sent; undefined (the key is left out) where there are none. */
export function expandSecrets(planned: ValueMap): Raw[] | undefined {
  const secrets = blocks(planned, 'secret').map((each) =>
    defined({
      name: mustText(each, 'name'),
      value: text(each, 'value'),
      identity: text(each, 'identity'),
      keyVaultUrl: text(each, 'key_vault_secret_id'),
    }),
  );
  return secrets.length === 0 ? undefined : secrets;
}

/** The `secret` blocks of what the service has; the value of one that lives in a key vault is not shown. */
export function flattenSecrets(secrets: readonly ContainerAppSecret[]): Value {
  return secrets.map(({ name, value, identity, keyVaultUrl }) => {
    const isReference = (keyVaultUrl ?? '') !== '';
    return {
      name,
      value: isReference ? null : (value ?? ''),
      identity: identity ?? null,
      key_vault_secret_id: isReference ? (keyVaultUrl ?? null) : null,
    };
  });
}

/** The registries of an app as they are sent. How one signs in is looked at when the app is applied, as the official provider does. */
export function expandRegistries(planned: ValueMap): Raw[] | undefined {
  const registries = blocks(planned, 'registry').map((each) => {
    const [identity, username, password] = [text(each, 'identity'), text(each, 'username'), text(each, 'password_secret_name')];
    if (
      (identity === undefined) === (username === undefined && password === undefined) ||
      (username === undefined) !== (password === undefined)
    )
      throw new ProviderFailure('must supply either `identity` or `username` and `password_secret_name` for a registry', undefined, [
        'registry',
      ]);
    return defined({ server: mustText(each, 'server'), username, passwordSecretRef: password, identity });
  });
  return registries.length === 0 ? undefined : registries;
}

/** The `registry` blocks of what the service has. */
export function flattenRegistries(configuration: Raw): Value {
  return objects(configuration, 'registries').map((each) => ({
    server: given(each, 'server'),
    username: given(each, 'username'),
    password_secret_name: given(each, 'passwordSecretRef'),
    identity: given(each, 'identity'),
  }));
}
