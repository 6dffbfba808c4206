import data from '../data/azurerm.json';
import { officialSchema } from '../official.js';
import * as names from './names.js';

/**
 * hashicorp/azurerm: version 5.2, with the arguments that only 4.55 has (the version that the npm
 * bindings pin).
 */
export const schema = officialSchema(data, { ...names });
