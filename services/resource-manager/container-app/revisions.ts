import { randomInt } from 'node:crypto';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { containerApp } from '../../../kinds/container-app/container-app.js';
import { badRequest } from '../errors.js';
import { canonicalJson, asObject, readObjects, omit, nonEmptyText } from '../json.js';
import type { Platform, WriteContext } from '../kind.js';
import type { Json, StoredResource } from '../store.js';

/** The revisions of an app after a PUT, the latest one last, and the suffix for its template. */
export interface Revisions {
  /** As the request named it; undefined if that of the latest revision was generated. */
  readonly suffix: string | undefined;
  /** `shop--v2`. */
  readonly latestName: string;
  /** Each with `name`, `content` (JSON of its template), `createdTime` and a requested `suffix`. */
  readonly history: readonly Json[];
}

/** The type of revisions, which only apps create. */
export const revisionType = 'Microsoft.App/containerApps/revisions';
/** The type of replicas, the running instances of a revision. */
export const replicaType = `${revisionType}/replicas`;

/** A generated suffix begins with a letter. */
const letters = 'abcdefghijklmnopqrstuvwxyz';
const lettersAndDigits = `${letters}0123456789`;
const suffixLength = 7;
/** The most revisions that are kept, as in the cloud. */
const maxRevisions = 100;

/**
 * A changed template creates a revision. An equal template keeps the running revision and its
 * suffix, even when the request no longer names the suffix.
 *
 * @throws ArmError 400 when a suffix is too long, or reused for another template.
 */
export function nextRevisions(template: Json, { path, previous, clock }: WriteContext): Revisions {
  const history = readObjects(previous?.setByService['revisions'], 'revisions');
  const content = canonicalJson(omit(template, ['revisionSuffix']));
  const suffix = nonEmptyText(template['revisionSuffix']);
  const latest = history.at(-1);
  const lastSuffix = nonEmptyText(latest?.['suffix']);
  if (
    latest !== undefined &&
    latest['content'] === content &&
    (suffix === undefined || suffix === lastSuffix)
  )
    return { suffix: lastSuffix, latestName: latest['name'] as string, history };
  const appName = previous?.name ?? path.name;
  const { revisionName: maxLength } = containerApp.limits;
  if (suffix !== undefined && appName.length + suffix.length > maxLength)
    throw badRequest(
      'ContainerAppInvalidRevisionName',
      `The suffix '${suffix}' and the name of the app have more than ${maxLength} characters together.`,
    );
  const name = `${appName}--${suffix ?? generateSuffix()}`;
  if (history.some((revision) => revision['name'] === name))
    throw badRequest(
      'ContainerAppRevisionSuffixInUse',
      `A revision with the suffix '${suffix ?? ''}' already exists: give another one.`,
    );
  const revision = {
    name,
    content,
    createdTime: clock.now().toISOString(),
    ...omitUndefined({ suffix }),
  };

  return { suffix, latestName: name, history: [...history, revision].slice(-maxRevisions) };
}

/** The stored revisions of an app with their templates, the latest one last. */
export function storedRevisions(
  setByService: Json,
): { readonly name: string; readonly template: Json }[] {
  return readObjects(setByService['revisions'], 'revisions').map(({ name, content }) => ({
    name: name as string,
    template: JSON.parse(content as string) as Json,
  }));
}

/** The revisions of an app as resources, each with its share of the traffic. */
export function revisionResources(app: StoredResource, { replicasOf }: Platform): StoredResource[] {
  const { properties, setByService } = app;
  const configuration = asObject(properties['configuration']) ?? {};
  const isSingle = String(configuration['activeRevisionsMode']).toLowerCase() === 'single';
  const traffic = readObjects(
    asObject(configuration['ingress'])?.['traffic'] ?? [{ latestRevision: true, weight: 100 }],
    'traffic',
  );
  return readObjects(setByService['revisions'], 'revisions').map(
    ({ name, content, createdTime }) => {
      const isLatest = name === setByService['latestRevision'];
      const active = isLatest || !isSingle;
      const ownTraffic = traffic.filter((each) =>
        each['latestRevision'] === true ? isLatest : each['revisionName'] === name,
      );
      const trafficWeight = ownTraffic.reduce((sum, { weight }) => sum + Number(weight ?? 0), 0);
      const runningState = active && setByService['stopped'] !== true ? 'Running' : 'Stopped';
      return childResource(app, revisionType, String(name), {
        createdTime,
        active,
        trafficWeight,
        template: JSON.parse(content as string) as Json,
        replicas: replicasOf?.(app.name, String(name)).length ?? 0,
        provisioningState: 'Provisioned',
        healthState: 'Healthy',
        runningState,
      });
    },
  );
}

/** The replicas of a revision as resources. */
export function replicaResources(
  revision: StoredResource,
  { replicasOf }: Platform,
): StoredResource[] {
  const app = revision.id.split('/').at(-3) ?? '';
  const { containers, initContainers } = asObject(revision.properties['template']) ?? {};
  return (replicasOf?.(app, revision.name) ?? []).map(({ name, createdTime, isReady }) => {
    const containerState = { ready: isReady, started: true, runningState: 'Running' };
    return childResource(revision, replicaType, name, {
      createdTime,
      runningState: isReady ? 'Running' : 'NotRunning',
      containers: readObjects(containers, 'containers').map((each) => ({
        name: each['name'],
        ...containerState,
      })),
      initContainers: readObjects(initContainers, 'initContainers').map((each) => ({
        name: each['name'],
        runningState: 'Terminated',
      })),
    });
  });
}

function childResource(
  { id, subscription, group }: StoredResource,
  type: string,
  name: string,
  properties: Json,
): StoredResource {
  const time = String(properties['createdTime']);
  return {
    id: `${id}/${type.split('/').at(-1) ?? ''}/${name}`,
    type,
    name,
    subscription,
    group,
    properties,
    setByService: {},
    secrets: [],
    createdAt: time,
    changedAt: time,
  };
}

function generateSuffix(): string {
  return Array.from({ length: suffixLength }, (_, index) => {
    const characters = index === 0 ? letters : lettersAndDigits;
    return characters[randomInt(characters.length)];
  }).join('');
}
