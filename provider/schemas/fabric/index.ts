import data from '../data/fabric.json';
import { officialSchema } from '../official-schema.js';
import * as namedChecks from './named-checks.js';
import {
  eventhouseDefinition,
  eventstreamDefinition,
  kqlDatabaseDefinition,
} from './definition-validators.js';

/** microsoft/fabric 1.13. */
export const schema = officialSchema(
  data,
  { ...namedChecks },
  {
    fabric_eventhouse: [eventhouseDefinition],
    fabric_eventstream: [eventstreamDefinition],
    fabric_kql_database: [kqlDatabaseDefinition],
  },
);
