import { isIP } from 'node:net';
import { matches, oneOf } from '../checks.js';
import type { Check } from '../schema.js';

/*
 * The official provider's checks of names and ids; where its code and its messages differ, these
 * follow its code. The schema data (`provider/schemas/data/azurerm.json`) refers to them by name.
 */

/** The name of a resource group. */
export const resourceGroupName: Check = (value, name) => {
  const text = String(value);
  if (text.trim() === '') return `"${name}" cannot be blank`;
  if (text.length > 90) return `"${name}" may not exceed 90 characters in length`;
  if (text.endsWith('.')) return `"${name}" may not end with a period`;
  return /^[-\w._()]+$/.test(text)
    ? undefined
    : `"${name}" may only contain alphanumeric characters, dash, underscores, parentheses and periods`;
};

/** A container app's name by the official rule, which accepts `1app` and `ab_`. */
export const containerAppName: Check = (value, name) => {
  const text = String(value);
  const isValid =
    (/^[a-z]$/.test(text) || /^[a-z0-9][a-z0-9-.]{0,30}[^A-Z\W]$/.test(text)) &&
    !text.includes('--');
  return isValid
    ? undefined
    : `${JSON.stringify(name)} must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character. The length must not be more than 32 characters, got ${text}`;
};

/** The name of a container in an app. */
export const containerName = matches(
  /^[a-z0-9]([a-z0-9.-]{0,44}[a-z0-9])?$/,
  'must be 1 to 46 lower case letters, digits, "-" or ".", and start and end with a letter or digit',
);

/** The name of an app's secret. */
export const secretName = matches(
  /^[a-z0-9]([a-z0-9-]{0,251}[a-z0-9])?$/,
  "must consist of lower case alphanumeric characters or '-', and start and end with an alphanumeric character",
);

/** The name of an app's scale rule. */
export const scaleRuleName = matches(
  /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
  'must consist of lower case alphanumeric characters or "-", and start and end with an alphanumeric character',
);

/** The name of a container app environment. */
export const environmentName = matches(
  /^[A-Za-z0-9][A-Za-z0-9-]{0,58}[A-Za-z0-9]$/,
  'must be between 2 and 60 characters in length: letters, digits and hyphens, starting and ending with a letter or digit',
);

/** The name of a Log Analytics workspace. */
export const workspaceName = matches(
  /^[A-Za-z0-9][A-Za-z0-9-]{2,61}[A-Za-z0-9]$/,
  'must be between 4 and 63 characters in length: letters, digits and hyphens, starting and ending with a letter or digit',
);

/** The name of a user-assigned identity. */
export const identityName = matches(
  /^[a-zA-Z0-9][-_a-zA-Z0-9]{2,127}$/,
  'must begin with a letter or number, have 3 to 128 characters, and contain only letters, numbers, hyphens and underscores',
);

/** The name of a key vault; the service checks where its hyphens are. */
export const vaultName = matches(
  /^[a-zA-Z0-9-]{3,24}$/,
  'may only contain alphanumeric characters and dashes, and must be between 3-24 chars',
);

/** The price tier of a Log Analytics workspace; Free is no longer available. */
export const workspaceSku = oneOf(
  'PerGB2018',
  'PerNode',
  'Premium',
  'Standalone',
  'Standard',
  'CapacityReservation',
  'LACluster',
  'Unlimited',
);

/** The retention of a Log Analytics workspace in days; 7 is that of its former free tier. */
export const retentionDays: Check = (value, name) =>
  Number(value) === 7 || (Number(value) >= 30 && Number(value) <= 730)
    ? undefined
    : `expected ${name} to be in the range (30 - 730), got ${String(value)}`;

/** A positive integer as text. */
export const positiveNumber = matches(
  /^[1-9]\d*$/,
  'must be an integer greater than 0, as a string',
);

/** An IPv4 address, alone or with a prefix length. */
export const addressRange: Check = (value, name) => {
  const [address = '', length] = String(value).split('/');
  const isValid =
    isIP(address) === 4 &&
    (length === undefined || (/^\d{1,2}$/.test(length) && Number(length) <= 32));
  return isValid
    ? undefined
    : `expected "${name}" to be a valid IPv4 Value or CIDR, got ${String(value)}`;
};

/** The id of a container app environment. */
export const environmentId = resourceIdOf(
  'Microsoft.App',
  'managedEnvironments',
  'managedEnvironmentName',
);
/** The id of a Log Analytics workspace. */
export const workspaceId = resourceIdOf(
  'Microsoft.OperationalInsights',
  'workspaces',
  'workspaceName',
);
/** The id of a container app. */
export const containerAppId = resourceIdOf('Microsoft.App', 'containerApps', 'containerAppName');
/** The id of a certificate of a container app environment. */
export const certificateId = resourceIdOf(
  'Microsoft.App',
  'managedEnvironments/{managedEnvironmentName}/certificates',
  'certificateName',
);

/** An id of one resource type. Segment names are case-sensitive, as in the official provider. */
function resourceIdOf(namespace: string, type: string, parameter: string): Check {
  const expected = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/${namespace}/${type}/{${parameter}}`;
  const pattern = new RegExp(
    `^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/${namespace.replace('.', '\\.')}/${type.replace(/\{\w+\}/g, '[^/]+')}/[^/]+$`,
  );
  return (value, name) =>
    pattern.test(String(value))
      ? undefined
      : `parsing "${String(value)}" as the ${name}: the ID must have the form ${expected}`;
}
