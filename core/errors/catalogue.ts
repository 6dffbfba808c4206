import { cliErrors } from './catalogue/cli.js';
import { clientsErrors } from './catalogue/clients.js';
import { configErrors } from './catalogue/config.js';
import { policyErrors } from './catalogue/policy.js';
import { providerErrors } from './catalogue/provider.js';
import { sandboxErrors } from './catalogue/sandbox.js';
import { sidecarErrors } from './catalogue/sidecar.js';
import { synthErrors } from './catalogue/synth.js';

/** Every error a user can meet, by its stable code. docs/reference/errors.md lists the same entries; a test holds the two together. */
export const catalogue = {
  ...configErrors,
  ...synthErrors,
  ...providerErrors,
  ...sandboxErrors,
  ...clientsErrors,
  ...sidecarErrors,
  ...policyErrors,
  ...cliErrors,
} as const;

/** A code of the catalogue, such as `CAS1001`. */
export type ErrorCode = keyof typeof catalogue;
