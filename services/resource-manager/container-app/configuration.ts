import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { containerApp } from '../../../kinds/container-app/container-app.js';
import { badRequest, invalidContent } from '../errors.js';
import { readNumber, asObject, readObjects, nonEmptyText } from '../json.js';
import type { Json, StoredSecret } from '../store.js';

/**
 * Checks the rules that combine several properties of an app's ingress.
 *
 * @param revisions the names of the existing revisions, which traffic may name.
 * @throws ArmError 400 for an exposed port without TCP, a custom domain without a name, traffic to an
 *   unknown revision, or weights that do not add up to 100.
 */
export function checkIngress(configuration: Json, revisions: ReadonlySet<string>): void {
  const ingress = asObject(configuration['ingress']);
  if (ingress === undefined) return;
  const transport = nonEmptyText(ingress['transport']) ?? 'auto';
  const exposedPort =
    readNumber(ingress['exposedPort'], 'properties.configuration.ingress.exposedPort') ?? 0;
  if (exposedPort !== 0 && transport.toLowerCase() !== 'tcp')
    throw badRequest(
      'ContainerAppInvalidIngressExposedPort',
      'exposedPort can only be set for TCP ingress.',
    );
  const domainsPath = 'properties.configuration.ingress.customDomains';
  for (const domain of readObjects(ingress['customDomains'], domainsPath))
    if (nonEmptyText(domain['name']) === undefined)
      throw invalidContent(`'${domainsPath}.name' is not a non-empty string.`);
  checkTraffic(
    readObjects(ingress['traffic'], 'properties.configuration.ingress.traffic'),
    revisions,
  );
}

function checkTraffic(traffic: readonly Json[], revisions: ReadonlySet<string>): void {
  if (traffic.length === 0) return;
  let sum = 0;
  for (const entry of traffic) {
    const weight =
      readNumber(entry['weight'], 'properties.configuration.ingress.traffic.weight') ?? 0;
    sum += weight;
    const revision = nonEmptyText(entry['revisionName']);
    if (entry['latestRevision'] === true && revision !== undefined)
      throw badRequest(
        'ContainerAppInvalidTrafficConfiguration',
        `Traffic can go to the latest revision or to '${revision}', not to both in one entry.`,
      );
    if (entry['latestRevision'] !== true && (revision === undefined || !revisions.has(revision)))
      throw badRequest(
        'RevisionNotFound',
        `The revision '${revision ?? ''}' that traffic is sent to does not exist.`,
      );
  }
  const { traffic: totalWeight } = containerApp.limits;
  if (sum !== totalWeight)
    throw badRequest(
      'ContainerAppInvalidTrafficWeight',
      `The traffic weights add up to ${sum}: they must add up to ${totalWeight}.`,
    );
}

/**
 * The secrets that a PUT declares; none when it has no `secrets`.
 *
 * @throws ArmError 400 for a missing or repeated name, or a secret without a value or a key vault
 *   reference.
 */
export function readSecrets(configuration: Json): StoredSecret[] {
  const secrets = readObjects(configuration['secrets'], 'properties.configuration.secrets').map(
    (properties) => {
      const name = nonEmptyText(properties['name']);
      if (name === undefined)
        throw badRequest(
          'ContainerAppSecretInvalidName',
          "Invalid properties.configuration.secrets: a secret has no 'name'. Give each secret one, which is text.",
        );
      const [value, keyVaultUrl, identity] = [
        nonEmptyText(properties['value']),
        nonEmptyText(properties['keyVaultUrl']),
        nonEmptyText(properties['identity']),
      ];
      if (value === undefined && (keyVaultUrl === undefined || identity === undefined))
        throw badRequest(
          'ContainerAppSecretInvalid',
          `Invalid secret '${name}': a value, or both keyVaultUrl and identity, must be provided.`,
        );
      return {
        name,
        ...(keyVaultUrl === undefined
          ? { value: value as string }
          : { keyVaultUrl, ...omitUndefined({ identity }) }),
      };
    },
  );
  const repeated = secrets.find(
    ({ name }, index) => secrets.findIndex((other) => other.name === name) !== index,
  );
  if (repeated !== undefined)
    throw badRequest(
      'ContainerAppSecretDuplicate',
      `The secret '${repeated.name}' is declared more than once.`,
    );
  return secrets;
}

/**
 * Checks that every secret named by an app's template and registries is declared.
 *
 * @throws ArmError 400 naming the first undeclared one.
 */
export function checkSecretReferences(
  configuration: Json,
  template: Json,
  secrets: readonly StoredSecret[],
): void {
  const secretNames = new Set(secrets.map(({ name }) => name));
  const requireSecret = (reference: unknown, referrer: string): void => {
    const name = nonEmptyText(reference);
    if (name !== undefined && !secretNames.has(name))
      throw badRequest(
        'ContainerAppSecretRefNotFound',
        `SecretRef '${name}' defined for ${referrer} not found.`,
      );
  };
  for (const registry of readObjects(
    configuration['registries'],
    'properties.configuration.registries',
  ))
    requireSecret(registry['passwordSecretRef'], `registry '${String(registry['server'])}'`);
  for (const list of ['containers', 'initContainers'])
    for (const container of readObjects(template[list], `properties.template.${list}`))
      for (const variable of readObjects(container['env'], `properties.template.${list}.env`))
        requireSecret(variable['secretRef'], `container '${String(container['name'])}'`);
  const scale = template['scale'] as Json | null | undefined;
  for (const rule of readObjects(scale?.['rules'], 'properties.template.scale.rules'))
    for (const kind of ['custom', 'http', 'tcp', 'azureQueue'])
      for (const auth of readObjects(
        (rule[kind] as Json | null | undefined)?.['auth'],
        'properties.template.scale.rules.auth',
      ))
        requireSecret(auth['secretRef'], `scale rule '${String(rule['name'])}'`);
  for (const volume of readObjects(template['volumes'], 'properties.template.volumes'))
    for (const secret of readObjects(volume['secrets'], 'properties.template.volumes.secrets'))
      requireSecret(secret['secretRef'], `volume '${nonEmptyText(volume['name']) ?? ''}'`);
}
