import data from '../data/azapi.json';
import { officialSchema } from '../official-schema.js';
import * as namedChecks from './named-checks.js';
import { validateAzapiResource } from './config-validators.js';

/** azure/azapi 2.12. */
export const schema = officialSchema(
  data,
  { ...namedChecks },
  { azapi_resource: [validateAzapiResource] },
);
