import { randomInt } from 'node:crypto';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { badRequest } from '../errors.js';
import { canonical, objectOf, objectsOf, omit, nonEmptyText } from '../json.js';
import type { Hosting, WriteContext } from '../kind.js';
import type { Json, StoredResource } from '../store.js';

/** The revisions of an app after a PUT, the latest one last, and the suffix for its template. */
export interface Revisions {
  readonly suffix: string | undefined;
  readonly latest: string;
  readonly all: readonly Json[];
}

/** The type of revisions, which only apps create. */
export const revisionType = 'Microsoft.App/containerApps/revisions';
/** The type of replicas, the running instances of a revision. */
export const replicaType = `${revisionType}/replicas`;

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A changed template creates a revision. An equal template keeps the running revision and its
 * suffix, even when the request no longer names the suffix.
 *
 * @throws ArmError 400 when a suffix is reused for another template.
 */
export function nextRevisions(template: Json, { path, previous, clock }: WriteContext): Revisions {
  const history = objectsOf(previous?.decided['revisions'], 'revisions');
  const content = canonical(omit(template, ['revisionSuffix']));
  const suffix = nonEmptyText(template['revisionSuffix']);
  const last = history.at(-1);
  const lastSuffix = nonEmptyText(last?.['suffix']);
  if (
    last !== undefined &&
    last['content'] === content &&
    (suffix === undefined || suffix === lastSuffix)
  )
    return { suffix: lastSuffix, latest: last['name'] as string, all: history };
  const name = `${path.name}--${suffix ?? generateSuffix()}`;
  if (history.some((revision) => revision['name'] === name))
    throw badRequest(
      'ContainerAppRevisionSuffixInUse',
      `A revision with the suffix '${suffix ?? ''}' already exists: give another one.`,
    );
  const revision = {
    name,
    content,
    createdTime: clock.now().toISOString(),
    ...omitUndefined({ suffix: suffix }),
  };
  // Only the newest hundred are kept, as in the cloud.
  return { suffix: suffix, latest: name, all: [...history, revision].slice(-100) };
}

/** The stored revisions of an app with their templates, the latest one last. */
export function revisionsOf(computed: Json): { readonly name: string; readonly template: Json }[] {
  return objectsOf(computed['revisions'], 'revisions').map(({ name, content }) => ({
    name: name as string,
    template: JSON.parse(content as string) as Json,
  }));
}

/** The revisions of an app as resources, each with its share of the traffic. */
export function revisionResources(app: StoredResource, { replicasOf }: Hosting): StoredResource[] {
  const { properties, decided } = app;
  const configuration = objectOf(properties['configuration']) ?? {};
  const isSingle = String(configuration['activeRevisionsMode']).toLowerCase() === 'single';
  const traffic = objectsOf(
    objectOf(configuration['ingress'])?.['traffic'] ?? [{ latestRevision: true, weight: 100 }],
    'traffic',
  );
  return objectsOf(decided['revisions'], 'revisions').map(({ name, content, createdTime }) => {
    const isLatest = name === decided['latestRevision'];
    const active = isLatest || !isSingle;
    const own = traffic.filter((each) =>
      each['latestRevision'] === true ? isLatest : each['revisionName'] === name,
    );
    const trafficWeight = own.reduce((sum, { weight }) => sum + Number(weight ?? 0), 0);
    const runningState = active && decided['stopped'] !== true ? 'Running' : 'Stopped';
    return childOf(app, revisionType, String(name), {
      createdTime,
      active,
      trafficWeight,
      template: JSON.parse(content as string) as Json,
      replicas: replicasOf?.(app.name, String(name)).length ?? 0,
      provisioningState: 'Provisioned',
      healthState: 'Healthy',
      runningState,
    });
  });
}

/** The replicas of a revision as resources. */
export function replicaResources(
  revision: StoredResource,
  { replicasOf }: Hosting,
): StoredResource[] {
  const app = revision.id.split('/').at(-3) ?? '';
  const { containers, initContainers } = objectOf(revision.properties['template']) ?? {};
  return (replicasOf?.(app, revision.name) ?? []).map(({ name, createdTime, ready }) => {
    const runs = { ready, started: true, runningState: 'Running' };
    return childOf(revision, replicaType, name, {
      createdTime,
      runningState: ready ? 'Running' : 'NotRunning',
      containers: objectsOf(containers, 'containers').map((each) => ({
        name: each['name'],
        ...runs,
      })),
      initContainers: objectsOf(initContainers, 'initContainers').map((each) => ({
        name: each['name'],
        runningState: 'Terminated',
      })),
    });
  });
}

function childOf(
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
    decided: {},
    secrets: [],
    createdAt: time,
    changedAt: time,
  };
}

function generateSuffix(): string {
  return Array.from(
    { length: 7 },
    (_, at) => letters[randomInt(at === 0 ? 26 : letters.length)],
  ).join('');
}
