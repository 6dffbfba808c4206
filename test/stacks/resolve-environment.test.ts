import { resolveEnvironment } from '../../stacks/index.js';
import { config } from './support.js';

const locate = () => ({ file: 'castellan.yaml', line: 7, column: 12 });

describe('the environment of a configuration', () => {
  it('is inserted into its texts, as text or in the type of the schema', () => {
    const declared = config({
      groups: {
        g: {
          kind: 'security',
          displayName: '${env:STAGE} staff',
          description: 'costs $${x}',
          isAssignableToRole: '${env:ROLES}' as never,
        },
      },
      containerApps: { web: { image: 'web:${env:TAG}', targetPort: '${env:PORT}' as never } },
    });
    const resolved = resolveEnvironment(declared, {
      STAGE: 'prod',
      TAG: '1',
      PORT: '8080',
      ROLES: 'true',
    });
    expect(resolved.groups?.['g']).toMatchObject({
      displayName: 'prod staff',
      description: 'costs ${x}',
      isAssignableToRole: true,
    });
    expect(resolved.containerApps?.['web']).toMatchObject({ image: 'web:1', targetPort: 8080 });
  });

  it('reports a missing variable by name and location', () => {
    const declared = config({
      groups: { g: { kind: 'security', displayName: '${env:STAGE} staff' } },
    });
    expect(() => resolveEnvironment(declared, {}, locate)).toThrow(
      'castellan.yaml:7:12: ${env:STAGE} is not set',
    );
    expect(() => resolveEnvironment(declared, {})).toThrow(
      'groups.g.displayName: ${env:STAGE} is not set',
    );
  });

  it('leaves secrets as they are', () => {
    const declared = config({
      containerApps: {
        web: { image: 'nginx:1', secrets: { key: '${env:KEY}', other: '${env:OTHER}' } },
      },
    });
    expect(resolveEnvironment(declared, { KEY: 'hunter2' }).containerApps).toEqual(
      declared.containerApps,
    );
  });

  it('may lack tenant and subscription, which the providers read themselves', () => {
    const azure = {
      location: 'westeurope',
      tenantId: '${env:ARM_TENANT_ID}',
      subscriptionId: '${env:ARM_SUBSCRIPTION_ID}',
    };
    expect(resolveEnvironment(config({ azure }), {}).azure).toEqual({ location: 'westeurope' });
    expect(
      resolveEnvironment(config({ azure }), { ARM_TENANT_ID: 't', ARM_SUBSCRIPTION_ID: 's' }).azure,
    ).toMatchObject({
      tenantId: 't',
      subscriptionId: 's',
    });
    expect(() =>
      resolveEnvironment(config({ azure: { ...azure, tenantId: '${env:OTHER}' } }), {}),
    ).toThrow(/OTHER/);
  });

  it('is completed by the values for the sandbox', () => {
    const declared = config({
      sandbox: { env: { STAGE: 'local' } },
      groups: { g: { kind: 'security', displayName: '${env:STAGE}' } },
    });
    expect(resolveEnvironment(declared, {}).groups?.['g']?.displayName).toBe('local');
    expect(resolveEnvironment(declared, { STAGE: 'prod' }).groups?.['g']?.displayName).toBe('prod');
    expect(() => resolveEnvironment(declared, {}, () => undefined, 'azure')).toThrow(
      'groups.g.displayName: ${env:STAGE} is not set (the value in "sandbox: env:" is for the sandbox only)',
    );
  });
});
