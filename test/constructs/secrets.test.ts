import { ContainerApp, Secret } from '../../constructs/index.js';
import { TerraformVariable } from '../../constructs/internal/cdktf.js';
import { synthesized } from './support/synthesized.js';

describe('secrets', () => {
  it('come from the environment, a key vault, a variable, or a value known after apply', () => {
    const { resource, variable } = synthesized((stack) => {
      const sensitiveVariable = new TerraformVariable(stack, 'own', {
        type: 'string',
        sensitive: true,
      });
      new ContainerApp(stack, 'web', {
        image: 'nginx:1',
        secrets: {
          a: Secret.fromEnvironment('A'),
          b: Secret.fromKeyVault('https://vault.example/secrets/b'),
          c: Secret.fromVariable(sensitiveVariable),
          d: Secret.fromToken(sensitiveVariable.stringValue as string),
        },
      });
    });
    expect(resource['azurerm_container_app']?.['web']?.['secret']).toEqual([
      { name: 'a', value: '${var.A}' },
      { name: 'b', key_vault_secret_id: 'https://vault.example/secrets/b', identity: 'System' },
      { name: 'c', value: '${var.own}' },
      { name: 'd', value: '${var.own}' },
    ]);
    expect(Object.keys(variable)).toEqual(['A', 'own']);
  });

  it.each(['fromEnvironment', 'fromKeyVault', 'fromToken'] as const)(
    'are not in the error about a value that was passed to %s',
    (method) => {
      expect(() => Secret[method]('correct-horse')).toThrow(/^(?!.*correct-horse).+$/s);
    },
  );

  it('are never written out', () => {
    expect(() => Secret.fromToken('correct-horse')).toThrow(/a secret must not be a literal value/);
    expect(() => Secret.fromEnvironment('not a name')).toThrow(/not the name of an environment/);
    // @ts-expect-error -- a text may be the secret itself
    const written: Secret = '${env:NAME}';
    expect(written).toBeDefined();
  });
});
