import { createHash, randomBytes } from 'node:crypto';
import { ArmError, badRequest } from '../errors.js';
import { entryOf, nonEmptyText } from '../json.js';
import type { Json, StoredResource, StoredSecret } from '../store.js';
import { accountSasToken, serviceSasToken } from './shared-access-signature.js';
import { listSecretsEntries, restoreSecretValues } from './hidden-values.js';

/**
 * Names of the two keys that every resource gets at its creation; only list actions return them.
 */
const keyNames = ['key1', 'key2'] as const;

/** Generates keys for a new resource. */
export function generateKeys(): StoredSecret[] {
  return keyNames.map((name) => ({ name: keySecretName(name), value: generateKey() }));
}

/** Whether a stored secret is a generated key, not a value of the body. */
export function isGeneratedKey({ name }: StoredSecret): boolean {
  return name.startsWith('keys/');
}

/** Makes the answer of a list action from the resource, its two keys, and the request's body. */
type ListAction = (resource: StoredResource, keys: readonly [string, string], body: Json) => Json;

const serviceBusConnectionString = (resource: StoredResource, key: string): string =>
  `Endpoint=sb://${serviceBusHost(resource)}/;SharedAccessKeyName=${resource.name};SharedAccessKey=${key}`;

/** List actions of types with answers of their own form. */
const typeActions: Readonly<Record<string, Readonly<Record<string, ListAction>>>> = {
  'microsoft.storage/storageaccounts': {
    listkeys: (_, keys) => ({
      keys: keyNames.map((keyName, index) => ({
        keyName,
        permissions: 'FULL',
        value: keys[index],
      })),
    }),
    listaccountsas: ({ name }, keys, body) => ({
      accountSasToken: accountSasToken(name, body, keys),
    }),
    listservicesas: (_, keys, body) => ({ serviceSasToken: serviceSasToken(body, keys) }),
  },
  'microsoft.containerregistry/registries': {
    listcredentials(resource, keys) {
      if (resource.properties['adminUserEnabled'] !== true)
        throw badRequest(
          'UnAuthorizedForCredentialOperations',
          `The admin user of the registry '${resource.name}' is disabled.`,
        );
      return {
        username: resource.name,
        passwords: ['password', 'password2'].map((name, index) => ({ name, value: keys[index] })),
      };
    },
  },
  'microsoft.resources/deployments': {
    exporttemplate: ({ properties, secrets }) => ({
      template: restoreSecretValues(
        properties,
        secrets.filter((each) => !isGeneratedKey(each)),
      )['template'],
    }),
  },
  'microsoft.documentdb/databaseaccounts': {
    listkeys: (resource, keys) => ({
      primaryMasterKey: keys[0],
      secondaryMasterKey: keys[1],
      primaryReadonlyMasterKey: deriveReadOnlyKey(resource, keys[0]),
      secondaryReadonlyMasterKey: deriveReadOnlyKey(resource, keys[1]),
    }),
  },
  // There is no execution to stop: each has ended when it is recorded.
  'microsoft.app/jobs': { stop: () => ({ value: [] }) },
  'microsoft.search/searchservices': {
    listadminkeys: (_, keys) => ({ primaryKey: keys[0], secondaryKey: keys[1] }),
  },
  'microsoft.cognitiveservices/accounts': {
    listkeys: (_, keys) => ({ key1: keys[0], key2: keys[1] }),
  },
};

/** The answers of all other types. */
const commonActions: Readonly<Record<string, ListAction>> = {
  listsecrets: ({ secrets }) => ({
    value: listSecretsEntries(secrets.filter((each) => !isGeneratedKey(each))),
  }),
  listkeys: (resource, keys) => ({
    keyName: resource.name,
    primaryKey: keys[0],
    secondaryKey: keys[1],
    primaryConnectionString: serviceBusConnectionString(resource, keys[0]),
    secondaryConnectionString: serviceBusConnectionString(resource, keys[1]),
  }),
};

/**
 * Answers `listKeys`, `listSecrets` and similar actions: the only answers that contain secrets.
 *
 * @throws ArmError 404 for an action that the type does not have.
 */
export function answerListAction(resource: StoredResource, action: string, body: Json): Json {
  const ownActions = typeActions[resource.type.toLowerCase()];
  const run =
    entryOf(ownActions, action) ??
    (ownActions !== undefined && action !== 'listsecrets'
      ? undefined
      : entryOf(commonActions, action));
  if (run === undefined)
    throw new ArmError(
      404,
      'InvalidResourceAction',
      `The action '${action}' does not exist for the type '${resource.type}'.`,
    );
  return run(resource, [accessKey(resource, 'key1'), accessKey(resource, 'key2')], body);
}

/** The names by which requests of different types call the two keys, in lower case. */
const keyByRequestedName: ReadonlyMap<string, (typeof keyNames)[number]> = new Map([
  ['key1', 'key1'],
  ['primarykey', 'key1'],
  ['primary', 'key1'],
  ['password', 'key1'],
  ['key2', 'key2'],
  ['secondarykey', 'key2'],
  ['secondary', 'key2'],
  ['password2', 'key2'],
]);

/**
 * `regenerateKey` and `regenerateCredential`: the secrets with one key replaced.
 *
 * @throws ArmError 400 for an unknown key.
 */
export function regenerateKey({ secrets }: StoredResource, body: Json): StoredSecret[] {
  const keyName =
    nonEmptyText(body['keyName']) ??
    nonEmptyText(body['name']) ??
    nonEmptyText(body['keyType']) ??
    nonEmptyText(body['keyKind']);
  const name = keyByRequestedName.get(keyName?.toLowerCase() ?? '');
  if (name === undefined)
    throw badRequest(
      'InvalidKeyName',
      `There is no key '${keyName ?? ''}': the keys are key1 and key2.`,
    );
  return secrets.map((each) =>
    each.name === keySecretName(name) ? { ...each, value: generateKey() } : each,
  );
}

function keySecretName(name: string): string {
  return `keys/${name}`;
}

function accessKey({ secrets }: StoredResource, name: string): string {
  return secrets.find((each) => each.name === keySecretName(name))?.value ?? '';
}

function generateKey(): string {
  return randomBytes(64).toString('base64');
}

function deriveReadOnlyKey({ id }: StoredResource, key: string): string {
  return createHash('sha512').update(`${id.toLowerCase()} read ${key}`).digest('base64');
}

/** The namespace that an authorization rule belongs to, or the resource itself. */
function serviceBusHost({ id, name }: StoredResource): string {
  const namespace = /\/namespaces\/([^/]+)/i.exec(id)?.[1] ?? name;
  return `${namespace}.servicebus.windows.net`;
}
