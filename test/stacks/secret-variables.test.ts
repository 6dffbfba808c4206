import { secretVariables, terraformVariables } from '../../stacks/index.js';
import { config } from './support.js';

const declaredConfig = config({
  sandbox: { env: { LOCAL: 'from the file' } },
  containerApps: {
    web: {
      image: 'web:${env:TAG}',
      secrets: {
        one: '${env:ZULU}',
        two: 'keyvault:https://vault.example/secrets/x',
        three: '${env:LOCAL}',
      },
      auth: {
        providers: {
          codehost: { clientId: 'c', clientSecret: '${env:ALPHA}' },
          openIdConnect: { idp: { clientId: 'c', clientSecret: '${env:ALPHA}' } },
        },
      },
    },
  },
});

describe('secretVariables', () => {
  it('returns every secret of the environment once, and nothing else', () => {
    expect(secretVariables(declaredConfig)).toEqual([
      { name: 'ALPHA', terraformName: 'TF_VAR_ALPHA' },
      { name: 'LOCAL', terraformName: 'TF_VAR_LOCAL' },
      { name: 'ZULU', terraformName: 'TF_VAR_ZULU' },
    ]);
  });
});

describe('terraformVariables', () => {
  it('takes secrets from the environment under either name, otherwise from the configuration, and returns the missing ones', () => {
    expect(terraformVariables(declaredConfig, { ALPHA: 'a' })).toEqual({
      env: { TF_VAR_ALPHA: 'a', TF_VAR_LOCAL: 'from the file' },
      missing: ['ZULU'],
    });
    expect(terraformVariables(declaredConfig, { TF_VAR_ZULU: 'z', ALPHA: 'a' }).missing).toEqual(
      [],
    );
  });

  it('takes none from the configuration for the cloud', () => {
    expect(
      terraformVariables(declaredConfig, { ALPHA: 'a', ZULU: 'z' }, undefined, 'azure').missing,
    ).toEqual(['LOCAL']);
  });

  it('counts an empty variable as unset: no service takes an empty secret', () => {
    expect(terraformVariables(declaredConfig, { ALPHA: '', TF_VAR_ALPHA: 'a', ZULU: '' })).toEqual({
      env: { TF_VAR_ALPHA: 'a', TF_VAR_LOCAL: 'from the file' },
      missing: ['ZULU'],
    });
  });

  it('fills in missing ones from the caller', () => {
    expect(terraformVariables(declaredConfig, {}, (name) => `made-up-${name}`).env).toMatchObject({
      TF_VAR_ZULU: 'made-up-ZULU',
    });
  });
});
