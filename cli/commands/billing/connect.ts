import { resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { Dialect } from '../../../core/dialect/dialect.js';
import { type BillingClient, createBillingClient, detectBillingDialect } from '../../../clients/billing/index.js';
import { credentialFromEnvironment } from '../../../clients/common/index.js';
import type { CliIo } from '../../command.js';
import { besideSandbox, environmentFor, readCa } from '../directory/connect.js';
import type { DirectoryFlags } from '../directory/options.js';

/** A client with the dialect that its service speaks. */
export interface ConnectedBilling {
  readonly client: BillingClient;
  readonly dialect: Dialect;
}

/**
 * Connects to `--endpoint`, else to the sandbox whose environment is set (`ARM_RESOURCE_MANAGER_ENDPOINT`) or that runs for the folder,
 * else to the cloud.
 *
 * @throws CAS8001 for flags that make no sense.
 */
export async function connectBilling(flags: DirectoryFlags, io: CliIo): Promise<ConnectedBilling> {
  const env = await environmentFor(await besideSandbox(flags, io), io);
  const { endpoint, dialect, ca } = flags;
  const baseUrl = endpoint ?? env['ARM_RESOURCE_MANAGER_ENDPOINT'] ?? 'https://management.azure.com';
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new CastellanError('CAS8001', `--endpoint ${baseUrl}: allowed is an http or https address`);
  if (dialect !== undefined && dialect !== 'neutral' && dialect !== 'azure')
    throw new CastellanError('CAS8001', `--dialect ${dialect}: allowed are neutral and azure`);
  const file = ca === undefined ? env['SSL_CERT_FILE'] : resolve(io.cwd, ca);
  const trust = file === undefined ? {} : { ca: readCa(file) };
  const serviceDialect =
    dialect ?? (new URL(baseUrl).hostname.endsWith('.azure.com') ? 'azure' : await detectBillingDialect({ baseUrl, ...trust }));
  const credential = credentialFromEnvironment({ env, endpoint: baseUrl, ...trust });
  const client = createBillingClient({ baseUrl, dialect: serviceDialect, ...trust, ...(credential === undefined ? {} : { credential }) });
  return { client, dialect: serviceDialect };
}
