import { randomUUID } from 'node:crypto';
import { identityName } from '../../../kinds/container-app/container-app.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { apiVersions } from '../api-versions.js';
import { badRequest } from '../errors.js';
import { asObject, nonEmptyText } from '../json.js';
import type { ResourceKind } from '../kind.js';

/** User-assigned identities, which resources can use. */
export const managedIdentity: ResourceKind = {
  type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
  apiVersions: apiVersions.identities,
  checkName(name) {
    const mistake = mistakeIn(identityName, name);
    if (mistake !== undefined)
      throw badRequest(
        'InvalidResourceName',
        `The identity name '${name}' is invalid: ${mistake.message}.`,
      );
  },
  prepareWrite(body, { previous, platform }) {
    const isolationScope = nonEmptyText(asObject(body['properties'])?.['isolationScope']);
    return {
      properties: isolationScope === undefined ? {} : { isolationScope },
      setByService: previous?.setByService ?? {
        principalId: randomUUID(),
        clientId: randomUUID(),
        tenantId: platform.tenantId,
      },
    };
  },
  presentProperties: ({ properties, setByService }) => ({ ...properties, ...setByService }),
};
