import data from '../data/azuread.json';
import { officialSchema } from '../official-schema.js';
import * as namedChecks from './named-checks.js';

/** hashicorp/azuread 3.9. */
export const schema = officialSchema(data, { ...namedChecks });
