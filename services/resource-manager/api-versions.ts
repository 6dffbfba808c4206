import { ArmError, badRequest } from './errors.js';

/** The api-versions that each namespace supports. */
export const apiVersions = {
  resources: [
    '2015-11-01',
    '2016-02-01',
    '2016-09-01',
    '2017-05-10',
    '2018-02-01',
    '2018-05-01',
    '2019-03-01',
    '2019-05-01',
    '2019-05-10',
    '2019-07-01',
    '2019-08-01',
    '2019-10-01',
    '2020-01-01',
    '2020-06-01',
    '2020-08-01',
    '2020-10-01',
    '2021-01-01',
    '2021-04-01',
    '2022-09-01',
    '2022-12-01',
    '2023-07-01',
    '2024-03-01',
    '2024-07-01',
    '2024-11-01',
    '2025-03-01',
    '2025-04-01',
  ],
  containerApps: [
    '2022-01-01-preview',
    '2022-03-01',
    '2022-06-01-preview',
    '2022-10-01',
    '2022-11-01-preview',
    '2023-04-01-preview',
    '2023-05-01',
    '2023-05-02-preview',
    '2023-08-01-preview',
    '2023-11-02-preview',
    '2024-02-02-preview',
    '2024-03-01',
    '2024-08-02-preview',
    '2024-10-02-preview',
    '2025-01-01',
    '2025-02-02-preview',
    '2025-07-01',
    '2025-10-02-preview',
    '2026-01-01',
    '2026-07-01',
  ],
  logWorkspaces: [
    '2015-11-01-preview',
    '2020-03-01-preview',
    '2020-08-01',
    '2020-10-01',
    '2021-06-01',
    '2021-12-01-preview',
    '2022-10-01',
    '2023-09-01',
    '2025-02-01',
    '2025-07-01',
  ],
  identities: [
    '2015-08-31-preview',
    '2018-11-30',
    '2021-09-30-preview',
    '2022-01-31-preview',
    '2023-01-31',
    '2023-07-31-preview',
    '2024-11-30',
    '2025-01-31-preview',
  ],
} as const;

/**
 * Checks the `api-version` of a request.
 *
 * @throws ArmError 400 when it is missing, malformed or not supported by the type.
 */
export function checkApiVersion(
  version: string | null,
  type: string,
  allowed: readonly string[] | 'any',
): void {
  if (version === null || version === '')
    throw badRequest(
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    );
  if (!/^\d{4}-\d{2}-\d{2}(-[a-z]+)?$/i.test(version))
    throw badRequest(
      'InvalidApiVersionParameter',
      `The api-version '${version}' is invalid. The supported versions are '${allowed === 'any' ? 'dates, such as 2025-07-01' : allowed.join(',')}'.`,
    );
  if (allowed === 'any' || allowed.includes(version.toLowerCase())) return;
  const [namespace, ...typeSegments] = type.split('/');
  throw new ArmError(
    400,
    'NoRegisteredProviderFound',
    `No registered resource provider found for API version '${version}' for type '${typeSegments.join('/')}' in '${namespace ?? ''}'. The supported api-versions are '${allowed.join(', ')}'.`,
  );
}
