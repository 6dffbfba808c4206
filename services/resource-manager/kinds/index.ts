import type { ResourceKind } from '../kind.js';
import { authConfig } from './auth-config.js';
import { containerApp } from './container-app.js';
import { logWorkspace } from './log-workspace.js';
import { managedEnvironment } from './managed-environment.js';
import { managedIdentity } from './managed-identity.js';

/** Every type of resource that a group can hold here. */
export const kinds: readonly ResourceKind[] = [managedEnvironment, containerApp, authConfig, logWorkspace, managedIdentity];

/** The kind of a type in any letter case. */
export function kindOf(type: string): ResourceKind | undefined {
  return kinds.find((kind) => kind.type.toLowerCase() === type.toLowerCase());
}
