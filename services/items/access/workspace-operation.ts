import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Answer, Call, Route } from '../http/call.js';
import {
  type WorkspaceAccess,
  findWorkspace,
  type RequiredScope,
  requireAccess,
  type WorkspaceRole,
} from './workspace-access.js';

/** An operation in a workspace: who may call it, and its handler. */
export interface WorkspaceOperation<Target> extends Omit<Route, 'handler'> {
  /** The weakest role that may call it. */
  readonly minimumRole: WorkspaceRole;
  /** What the token's scope must allow. */
  readonly scopeAccess: RequiredScope['access'];
  /** Gets the workspace, the caller's role, and the object of the path. */
  readonly run: (call: Call, access: WorkspaceAccess, target: Target) => Promise<Answer>;
}

/**
 * Converts operations to routes. An unknown workspace or object is 404, then a missing role or
 * scope 403, then the body is read.
 *
 * @param find finds the object of the path in the workspace; by default there is none.
 * @param typeOf returns the type of items that the scope must include; by default any.
 */
export function routesInWorkspace<Target = undefined>(
  operations: readonly WorkspaceOperation<Target>[],
  find?: (call: Call, access: WorkspaceAccess) => Promise<Target>,
  typeOf: (target: Target, call: Call) => string | undefined = () => undefined,
): readonly Route[] {
  return operations.map(({ minimumRole, scopeAccess, run, ...route }) => ({
    ...route,
    handler: async (call) => {
      const access = await findWorkspace(call);
      const target = (await find?.(call, access)) as Target;
      const type = typeOf(target, call);
      requireAccess(call, access, minimumRole, {
        access: scopeAccess,
        ...omitUndefined({ type }),
      });
      return run(call, access, target);
    },
  }));
}
