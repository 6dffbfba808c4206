import type { Answer, Call, Route } from '../http/call.js';
import { type EnteredWorkspace, findWorkspace, type Need, requireAccess, type WorkspaceRole } from './roles.js';

/** An operation in a workspace: who may do it, and what it does once the caller may. */
export interface WorkspaceOperation<Found> extends Omit<Route, 'handler'> {
  /** The weakest role that may do it. */
  readonly least: WorkspaceRole;
  readonly to: Need['to'];
  /** Gets the workspace, the caller's role there, and what the path names in it. */
  readonly run: (call: Call, access: EnteredWorkspace, target: Found) => Promise<Answer>;
}

/**
 * Operations as routes. An unknown workspace or thing in it is 404, then a role or scope that is missing 403, then the body is read.
 *
 * @param find finds what the path names in the workspace. @default nothing
 * @param typeOf the type of items that the scope must be for. @default none
 */
export function inWorkspace<Found = undefined>(
  operations: readonly WorkspaceOperation<Found>[],
  find?: (call: Call, access: EnteredWorkspace) => Promise<Found>,
  typeOf: (target: Found, call: Call) => string | undefined = () => undefined,
): readonly Route[] {
  return operations.map(({ least, to, run, ...route }) => ({
    ...route,
    handler: async (call) => {
      const access = await findWorkspace(call);
      const target = (await find?.(call, access)) as Found;
      const type = typeOf(target, call);
      requireAccess(call, access, least, { to, ...(type !== undefined && { type }) });
      return run(call, access, target);
    },
  }));
}
