import type { Check } from '../schema.js';

/** A resource type with its api-version: `Microsoft.App/containerApps/authConfigs@2025-07-01`. */
export const resourceType: Check = (value, name) =>
  /^[A-Za-z][\w.]*(\/\w[\w-]*)+@\d{4}-\d\d-\d\d(-\w+)?$/.test(String(value))
    ? undefined
    : `expect \`${name}\` to have the form <resource-type>@<api-version>, got ${String(value)}`;
