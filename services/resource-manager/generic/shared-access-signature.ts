import { createHmac } from 'node:crypto';
import { badRequest } from '../errors.js';
import { nonEmptyText } from '../json.js';
import type { Json } from '../store.js';

/** The version of the storage services whose rules apply to the tokens. */
const storageVersion = '2015-04-05';

/** Token parameters, by the request properties that set them. */
const queryParameters = {
  signedServices: 'ss',
  signedResourceTypes: 'srt',
  signedResource: 'sr',
  signedIdentifier: 'si',
  signedPermission: 'sp',
  signedStart: 'st',
  signedExpiry: 'se',
  signedIp: 'sip',
  signedProtocol: 'spr',
  startPk: 'spk',
  startRk: 'srk',
  endPk: 'epk',
  endRk: 'erk',
  rscc: 'rscc',
  rscd: 'rscd',
  rsce: 'rsce',
  rscl: 'rscl',
  rsct: 'rsct',
} as const;
type Property = keyof typeof queryParameters;

/** The properties of an account's token, in the order of the signed text. */
const accountProperties: readonly Property[] = [
  'signedPermission',
  'signedServices',
  'signedResourceTypes',
  'signedStart',
  'signedExpiry',
  'signedIp',
  'signedProtocol',
];
const accessPolicyProperties: readonly Property[] = [
  'signedPermission',
  'signedStart',
  'signedExpiry',
];
const responseHeaderProperties: readonly Property[] = ['rscc', 'rscd', 'rsce', 'rscl', 'rsct'];
const tableRangeProperties: readonly Property[] = ['startPk', 'startRk', 'endPk', 'endRk'];

/** The last properties of a service's token. */
const propertiesByService = {
  blob: responseHeaderProperties,
  file: responseHeaderProperties,
  queue: [],
  table: tableRangeProperties,
} as const;

/** A token for services of a storage account. @throws ArmError 400 for a missing property. */
export function accountSasToken(
  account: string,
  body: Json,
  keys: readonly [string, string],
): string {
  requireValues(body, [
    'signedServices',
    'signedResourceTypes',
    'signedPermission',
    'signedExpiry',
  ]);
  return signToken(
    body,
    accountProperties,
    [account, ...accountProperties.map((name) => textValue(body, name)), storageVersion, ''],
    keys,
  );
}

/** A token for one container, blob, share, file, queue or table. @throws ArmError 400 */
export function serviceSasToken(body: Json, keys: readonly [string, string]): string {
  requireValues(body, ['canonicalizedResource']);
  if (nonEmptyText(body['signedIdentifier']) === undefined)
    requireValues(body, ['signedPermission', 'signedExpiry']);
  const resource = textValue(body, 'canonicalizedResource');
  const service = /^\/(blob|file|queue|table)\/./.exec(resource)?.[1];
  if (service === undefined)
    throw badRequest(
      'InvalidValuesForRequestParameters',
      `'canonicalizedResource' is '${resource}', not such as '/blob/account/container'.`,
    );
  const serviceProperties = propertiesByService[service as keyof typeof propertiesByService];
  const names = [
    ...accessPolicyProperties,
    'signedIdentifier',
    'signedIp',
    'signedProtocol',
    ...serviceProperties,
  ] as const;
  const textValues = (properties: readonly Property[]): string[] =>
    properties.map((name) => textValue(body, name));
  const lines = [
    ...textValues(accessPolicyProperties),
    resource,
    ...textValues(['signedIdentifier', 'signedIp', 'signedProtocol']),
    storageVersion,
    ...textValues(serviceProperties),
  ];
  return signToken(body, ['signedResource', ...names], lines, keys);
}

function signToken(
  body: Json,
  names: readonly Property[],
  lines: readonly string[],
  [key1, key2]: readonly [string, string],
): string {
  const keyName = nonEmptyText(body['keyToSign'])?.toLowerCase() ?? 'key1';
  if (keyName !== 'key1' && keyName !== 'key2')
    throw badRequest('InvalidKeyName', `There is no key '${keyName}': the keys are key1 and key2.`);
  const signature = createHmac('sha256', Buffer.from(keyName === 'key1' ? key1 : key2, 'base64'))
    .update(lines.join('\n'))
    .digest('base64');
  const query = new URLSearchParams({ sv: storageVersion });
  for (const name of names)
    if (textValue(body, name) !== '') query.set(queryParameters[name], textValue(body, name));
  query.set('sig', signature);
  return query.toString();
}

function requireValues(body: Json, names: readonly string[]): void {
  const missing = names.filter((name) => textValue(body, name) === '');
  if (missing.length > 0)
    throw badRequest(
      'InvalidValuesForRequestParameters',
      `Values for request parameters are missing: ${missing.join(', ')}.`,
    );
}

function textValue(body: Json, name: string): string {
  return nonEmptyText(body[name]) ?? '';
}
