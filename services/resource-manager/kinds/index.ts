import { lock } from '../authorization/locks.js';
import { roleAssignment, roleDefinition } from '../authorization/roles.js';
import { genericKind } from '../generic/generic-kind.js';
import type { ResourceKind } from '../kind.js';
import { authConfig } from './auth-config.js';
import { appReplica, appRevision, containerApp } from './container-app.js';
import { environmentCertificate } from './environment-certificate.js';
import { deletedVault, keyVault, vaultAccessPolicy } from './key-vault.js';
import { job, jobExecution } from './job.js';
import { logWorkspace } from './log-workspace.js';
import { managedEnvironment } from './managed-environment.js';
import { managedIdentity } from './managed-identity.js';

/** The resource types with their own rules. */
export const kinds: readonly ResourceKind[] = [
  managedEnvironment,
  environmentCertificate,
  containerApp,
  appRevision,
  appReplica,
  job,
  jobExecution,
  authConfig,
  logWorkspace,
  managedIdentity,
  lock,
  roleDefinition,
  roleAssignment,
  keyVault,
  deletedVault,
  vaultAccessPolicy,
];

/**
 * Finds the kind of a type in any letter case; the generic one for types without their own rules.
 */
export function kindOf(type: string): ResourceKind {
  return kinds.find((kind) => kind.type.toLowerCase() === type.toLowerCase()) ?? genericKind(type);
}
