import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/cli.js';

/** A client that nobody changed for Castellan. */
export interface Client {
  readonly name: string;
  readonly version: string;
  /** The day on which it ran by hand. Absent: the test of the claim runs it, every time. */
  readonly ranOn?: string;
  /** What the file of such a test imports. */
  readonly module?: string;
}

/** A client of the lock file, which tests run. @param module that brings it along */
function installed(name: string, module = name): Client {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string } | undefined>;
  };
  const lockEntry = lock.packages[`node_modules/${name}`];
  if (lockEntry === undefined) throw new Error(`${name} is not in package-lock.json`);
  return { name, version: lockEntry.version, module };
}

/** The words after `@seen`. */
export const clients: Readonly<Record<string, Client>> = {
  // The official Terraform providers are not on npm: they ran by hand against a sandbox, their
  // acceptance suites and the example. The test sends what they sent.
  azuread: { name: 'terraform-provider-azuread', version: '3.9', ranOn: '2026-11-24' },
  azurerm: { name: 'terraform-provider-azurerm', version: '5.2', ranOn: '2026-11-24' },
  azapi: { name: 'terraform-provider-azapi', version: '2.12', ranOn: '2026-11-24' },
  fabric: { name: 'terraform-provider-fabric', version: '1.13', ranOn: '2026-11-24' },
  'graph-client': installed('@microsoft/microsoft-graph-client'),
  'azure-identity': installed('@azure/identity'),
  'msal-node': installed('@azure/msal-node', '@azure/identity'),
  'arm-appcontainers': installed('@azure/arm-appcontainers'),
  'arm-billing': installed('@azure/arm-billing'),
};
