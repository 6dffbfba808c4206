import assert from 'node:assert/strict';
import { ContainerAppsAPIClient } from '@azure/arm-appcontainers';
import { ResourceManagementClient } from '@azure/arm-resources';
import { cloud, credential } from './arm.mjs';
import { collect, runCalls, sandbox } from './calls.mjs';

const apps = new ContainerAppsAPIClient(credential, sandbox.subscriptionId, cloud);
const group = 'arm-appcontainers';
const location = 'westeurope';
const resources = new ResourceManagementClient(credential, sandbox.subscriptionId, cloud);
await resources.resourceGroups.createOrUpdate(group, { location });
const containers = [{ name: 'c', image: 'img:1', resources: { cpu: 0.5, memory: '1Gi' } }];
let environment;
let app;

await runCalls('@azure/arm-appcontainers', {
  'managedEnvironments.beginCreateOrUpdateAndWait': async () => {
    const creation = apps.managedEnvironments.beginCreateOrUpdateAndWait(group, 'env', {
      location,
    });
    environment = await creation;
    assert.equal(environment.provisioningState, 'Succeeded');
  },
  'containerApps.beginCreateOrUpdateAndWait': async () => {
    app = await apps.containerApps.beginCreateOrUpdateAndWait(group, 'sdk', {
      location,
      managedEnvironmentId: environment.id,
      configuration: {
        ingress: { external: true, targetPort: 80 },
        secrets: [{ name: 'one', value: 's3cret' }],
      },
      template: { containers },
    });
    assert.match(app.configuration.ingress.fqdn, /^sdk\.localhost:/);
  },
  'containerApps.listSecrets': async () => {
    const { value } = await apps.containerApps.listSecrets(group, 'sdk');
    assert.equal(value[0].value, 's3cret');
  },
  'containerAppsAuthConfigs.createOrUpdate': async () => {
    const auth = await apps.containerAppsAuthConfigs.createOrUpdate(group, 'sdk', 'current', {
      platform: { enabled: false },
    });
    assert.deepEqual(auth.platform, { enabled: false });
  },
  'containerAppsRevisions.listRevisions': async () => {
    const [revision] = await collect(apps.containerAppsRevisions.listRevisions(group, 'sdk'));
    assert.equal(revision.name, app.latestRevisionName);
  },
  'containerApps.beginUpdateAndWait': async () => {
    const tags = { a: 'b' };
    const patched = await apps.containerApps.beginUpdateAndWait(group, 'sdk', { location, tags });
    assert.deepEqual(patched.tags, tags);
  },
  'containerApps.beginStopAndWait, beginStartAndWait': async () => {
    const stopped = await apps.containerApps.beginStopAndWait(group, 'sdk');
    assert.equal(stopped.runningStatus, 'Stopped');
    const started = await apps.containerApps.beginStartAndWait(group, 'sdk');
    assert.equal(started.runningStatus, 'Running');
  },
  'containerApps.getAuthToken': async () => {
    assert.ok((await apps.containerApps.getAuthToken(group, 'sdk')).expires instanceof Date);
  },
  'jobs.beginCreateOrUpdateAndWait, beginStartAndWait': async () => {
    await apps.jobs.beginCreateOrUpdateAndWait(group, 'job', {
      location,
      environmentId: environment.id,
      configuration: { triggerType: 'Manual', replicaTimeout: 60 },
      template: { containers },
    });
    const { name } = await apps.jobs.beginStartAndWait(group, 'job');
    const [execution] = await collect(apps.jobsExecutions.list(group, 'job'));
    assert.equal(execution.name, name);
  },
  'containerApps.listBySubscription': async () => {
    assert.equal((await collect(apps.containerApps.listBySubscription())).length, 1);
  },
  'containerApps.beginDeleteAndWait': async () => {
    await apps.containerApps.beginDeleteAndWait(group, 'sdk');
    await assert.rejects(apps.containerApps.get(group, 'sdk'), { code: 'ResourceNotFound' });
  },
});
