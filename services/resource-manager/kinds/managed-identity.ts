import { randomUUID } from 'node:crypto';
import { versionsOf } from '../api-versions.js';
import { badRequest } from '../errors.js';
import { objectOf, textOf } from '../json.js';
import type { ResourceKind } from '../kind.js';

/** User-assigned identities: a principal of their own that resources can carry. */
export const managedIdentity: ResourceKind = {
  type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
  apiVersions: versionsOf.identities,
  checkName(name) {
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{2,127}$/.test(name))
      throw badRequest('InvalidResourceName', `The identity name '${name}' is invalid: 3 to 128 letters, digits, hyphens and underscores.`);
  },
  declare(body, { previous, hosting }) {
    const isolationScope = textOf(objectOf(body['properties'])?.['isolationScope']);
    return {
      properties: isolationScope === undefined ? {} : { isolationScope },
      decided: previous?.decided ?? { principalId: randomUUID(), clientId: randomUUID(), tenantId: hosting.tenantId },
    };
  },
  present: ({ properties, decided }) => ({ ...properties, ...decided }),
};
