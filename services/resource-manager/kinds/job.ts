import { randomBytes } from 'node:crypto';
import { asObject } from '../json.js';
import { genericKind } from '../generic/generic-kind.js';
import type { ResourceKind } from '../kind.js';
import { readOnlyKind } from './container-app.js';

const genericJob = genericKind('Microsoft.App/jobs');
const executionType = `${genericJob.type}/executions`;

/** Jobs, stored as sent. Starting one records an execution; nothing is run. */
export const job: ResourceKind = {
  ...genericJob,
  longRunningActions: ['start'],
  savingActions: {
    start({ id, name, subscription, group, properties }, template, now) {
      const executionName = `${name}-${randomBytes(4).toString('hex').slice(1)}`;
      return {
        id: `${id}/executions/${executionName}`,
        type: executionType,
        name: executionName,
        subscription,
        group,
        properties: {
          status: 'Succeeded',
          message: 'Executions are recorded here, not run.',
          startTime: now,
          endTime: now,
          template: { ...asObject(properties['template']), ...template },
        },
        setByService: {},
        secrets: [],
        createdAt: now,
        changedAt: now,
      };
    },
  },
};

/** Executions of a job, read-only: each has ended when it is recorded. */
export const jobExecution: ResourceKind = {
  ...readOnlyKind(
    executionType,
    'An execution cannot be written or deleted: start its job to create one.',
  ),
  actions: { stop: () => ({}) },
};
