import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { defaultEnvironment, environmentVariable } from '../core/project/environment-folder.js';
import { sandboxName, sandboxPaths } from './paths.js';
import { writePrivate } from './private-file.js';
import { readSettings } from './settings.js';
import { readRunningState } from './state.js';

/** Which providers Terraform uses: Castellan's, or the official ones. */
export type ProviderChoice = 'castellan' | 'official';

/**
 * The environment variables that make Terraform use a project's sandbox, and nothing else.
 *
 * @param env the earlier variables: authorities in its `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE`,
 *   such as that of a company's proxy, stay trusted. @default none
 *
 * @throws CAS4012 when none is running.
 */
export function sandboxEnvironmentVariables(
  projectDir: string,
  {
    providers,
    environment,
    env = {},
  }: {
    readonly providers: ProviderChoice;
    readonly environment?: string | undefined;
    readonly env?: Readonly<Record<string, string | undefined>>;
  },
): Record<string, string> {
  const paths = sandboxPaths(projectDir, environment);
  const settings = readSettings(paths);
  const state = readRunningState(paths);
  if (settings === undefined || state === undefined)
    throw new CastellanError('CAS4012', `no sandbox is running for ${sandboxName(paths)}`);
  const { tenantId, subscriptionId, clientId, clientSecret, identityHeader, port } = settings;
  const { origin } = state;
  const common = {
    ARM_TENANT_ID: tenantId,
    ARM_SUBSCRIPTION_ID: subscriptionId,
    ARM_CLIENT_ID: clientId,
    ARM_CLIENT_SECRET: clientSecret,
    // azurerm and azuread discover everything else from here.
    ARM_METADATA_HOSTNAME: `localhost:${port}`,
    ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST: origin,
    // for programs, whose stacks have a state for each environment
    [environmentVariable]: paths.environment ?? defaultEnvironment,
  };
  if (providers === 'castellan')
    return {
      ...common,
      TF_REATTACH_PROVIDERS: state.reattach,
      // for curl and node programs that call the services
      CASTELLAN_SANDBOX: origin,
      NODE_EXTRA_CA_CERTS: combinedCaFile(
        paths.ca,
        env['NODE_EXTRA_CA_CERTS'],
        paths.extraAuthorities,
      ),
    };
  return {
    ...common,
    ARM_USE_CLI: 'false',
    // azapi discovers nothing: it is configured.
    ARM_RESOURCE_MANAGER_ENDPOINT: origin,
    ARM_RESOURCE_MANAGER_AUDIENCE: origin,
    ARM_DISABLE_INSTANCE_DISCOVERY: 'true',
    ARM_SKIP_PROVIDER_REGISTRATION: 'true',
    // Turns off azurerm's waits for operations that are complete.
    GO_AZURE_SDK_SKIP_POLLING_DELAY: 'true',
    // fabric gets tokens only from a managed identity.
    FABRIC_ENDPOINT: origin,
    FABRIC_TENANT_ID: tenantId,
    FABRIC_USE_MSI: 'true',
    // fabric would take ARM_CLIENT_SECRET, and refuse it together with a managed identity: its own
    // variable, empty, takes precedence.
    FABRIC_CLIENT_SECRET: '',
    FABRIC_USE_CLI: 'false',
    IDENTITY_ENDPOINT: `${origin}/msi/token`,
    IDENTITY_HEADER: identityHeader,
    // The public authorities and the sandbox's own, so that `terraform init` still reaches the
    // registry.
    SSL_CERT_FILE: combinedCaFile(paths.caBundle, env['SSL_CERT_FILE'], paths.extraBundle),
  };
}

/**
 * The file with the sandbox's authority and, so that they stay trusted, those of the user's file:
 * programs read only one.
 *
 * @param joinedFile where both are written, if there is a user's file
 */
function combinedCaFile(ownFile: string, userFile: string | undefined, joinedFile: string): string {
  if (!userFile || resolve(userFile) === ownFile || !existsSync(userFile)) return ownFile;
  // the joined file of an earlier run already contains both
  if (resolve(userFile) !== joinedFile)
    writePrivate(
      joinedFile,
      `${readFileSync(userFile, 'utf8').trimEnd()}\n${readFileSync(ownFile, 'utf8')}`,
    );
  return joinedFile;
}
