import Ajv, { type ValidateFunction } from 'ajv';
import { auth } from '../../../kinds/auth/auth.js';
import { sandboxAuthBodySchema } from '../../../kinds/auth/auth-configs.js';
import { bodyMappingsOf } from '../../../kinds/schema/mapping.js';
import { apiVersions } from '../api-versions.js';
import { checkProperties } from '../property-checks.js';
import { badRequest, invalidContent } from '../errors.js';
import { asObject, withoutNulls } from '../json.js';
import type { ResourceKind } from '../kind.js';

const mappings = bodyMappingsOf(auth.schema);
let validator: ValidateFunction | undefined;

/** The sign-in settings of an app: one per app, called `current`. They refer to secrets by name. */
export const authConfig: ResourceKind = {
  type: 'Microsoft.App/containerApps/authConfigs',
  apiVersions: apiVersions.containerApps,
  isProxyResource: true,
  putStatus: 200,
  checkName(name) {
    if (name.toLowerCase() !== 'current')
      throw badRequest(
        'AuthConfigInvalidName',
        `Invalid auth config name '${name}': an app has one, and its name is 'current'.`,
      );
  },
  prepareWrite(body) {
    const settings = withoutNulls(asObject(body['properties']) ?? {});
    const properties = structuredClone(settings);
    // Properties that the schema does not have are ignored, as in the cloud; wrong types and values
    // are refused.
    validator ??= new Ajv({
      removeAdditional: true,
      allErrors: false,
      strict: false,
      validateSchema: false,
    }).compile(sandboxAuthBodySchema);
    if (!validator({ properties })) {
      const [mistake] = validator.errors ?? [];
      const allowedValues = mistake?.params['allowedValues'] as unknown[] | undefined;
      const path = (mistake?.instancePath ?? '').slice(1).replaceAll('/', '.');
      const choice = allowedValues === undefined ? '' : ` (${allowedValues.join(', ')})`;
      throw invalidContent(`'${path}' ${mistake?.message ?? 'is not valid'}${choice}.`);
    }
    checkProperties(mappings, settings, {});
    return { properties, setByService: {} };
  },
  presentProperties: ({ properties }) => properties,
};
