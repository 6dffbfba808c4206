import type { TObject } from '@sinclair/typebox';
import { isObject } from '../../../core/values/is-object.js';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { apiPropertiesIn } from '../../../kinds/schema/request-body.js';
import {
  boolean,
  closedObject,
  enumOf,
  integer,
  text,
} from '../../../kinds/schema/schema-builders.js';
import type { BodyChecks } from '../http/body-checks.js';
import { Problem } from '../http/problem.js';

/** The collations of a warehouse, the default first. */
const collations = [
  'Latin1_General_100_BIN2_UTF8',
  'Latin1_General_100_CI_AS_KS_WS_SC_UTF8',
] as const;

/** The collation of a warehouse that was created without one. */
export const defaultCollation = collations[0];

/** The schemas of the payloads of types that no configuration of Castellan declares. */
const payloadSchemas: Readonly<Record<string, TObject>> = {
  Lakehouse: closedObject(
    {
      enableSchemas: boolean('Creates a lakehouse with schemas.', {
        validate: (value) => (value === true ? undefined : 'only true is allowed'),
      }),
    },
    { required: ['enableSchemas'] },
  ),
  Warehouse: closedObject(
    { collationType: enumOf(collations, { description: 'The default collation.' }) },
    { required: ['collationType'] },
  ),
  SQLDatabase: closedObject(
    {
      creationMode: enumOf(['New'], { description: 'Restoring a database is not served.' }),
      backupRetentionDays: integer('How long backups are kept.', { minimum: 1, maximum: 35 }),
      collation: text('The collation of the database.'),
    },
    { required: ['creationMode'] },
  ),
};

/**
 * The settings in the `creationPayload` of an item; null counts as absent. That of a query
 * database, which names its eventhouse, is read by `readKqlDatabase`.
 *
 * @throws Problem when items of the type take none.
 */
export function readCreationPayload(
  checks: BodyChecks,
  value: unknown,
  type: string,
): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return undefined;
  const payloadSchema = payloadSchemas[type];
  if (payloadSchema === undefined && type !== 'Eventhouse' && type !== 'KQLDatabase')
    throw new Problem(
      'ItemTypeDoesNotSupportCreationPayload',
      `A ${type} takes no creationPayload.`,
    );
  if (!isObject(value)) return checks.addMistake('creationPayload must be an object.');
  if (payloadSchema !== undefined) return checks.value('creationPayload', value, payloadSchema);
  return type === 'Eventhouse' ? eventhouseSettings(checks, value) : value;
}

function eventhouseSettings(
  checks: BodyChecks,
  payload: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const settings = apiPropertiesIn('creationPayload', eventhouse.properties).map(
    ({ name, schema }) => {
      const setting =
        checks.value(`creationPayload.${name}`, payload[name], schema) ??
        (schema.default as unknown);
      return [name, setting] as const;
    },
  );
  return Object.fromEntries(settings.filter(([, setting]) => setting !== undefined));
}
