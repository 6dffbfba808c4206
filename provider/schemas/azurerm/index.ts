import data from '../data/azurerm.json';
import { officialSchema } from '../official-schema.js';
import { mappedDataSources, mappedValidators, mappedTypes } from './mapped-types.js';
import * as namedChecks from './named-checks.js';

/**
 * hashicorp/azurerm: version 5.2, with the arguments that only 4.55 has (the version that the npm
 * bindings pin); the types that are served by their data alone are those of 4.55.
 */
export const schema = officialSchema(
  {
    ...data,
    resources: { ...data.resources, ...mappedTypes },
    dataSources: { ...data.dataSources, ...mappedDataSources },
  },
  { ...namedChecks },
  mappedValidators,
);
