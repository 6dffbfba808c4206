import type { ContainerAppProps as ContainerAppDeclaration } from '../../policies/schemas/index.js';
import type { Construct } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { literalData } from '../internal/literal-text.js';

/** How the tags begin by which an app tells the local sandbox how to run it. They exist in the sandbox only. */
export const sandboxTagPrefix = 'castellan-';

/** What the sandbox must know of an app, as tags of the app: so it also knows when plain Terraform applies the stack. */
export function sandboxTags(scope: Construct, sandbox: ContainerAppDeclaration['sandbox']): Record<string, string> {
  const settings = cloudSettings(scope).sandbox;
  if (settings === undefined) return {};
  const { command, env, workingDirectory } = sandbox ?? {};
  return literalData({
    [`${sandboxTagPrefix}dialect`]: settings.dialect,
    ...(command === undefined ? {} : { [`${sandboxTagPrefix}command`]: typeof command === 'string' ? command : JSON.stringify(command) }),
    ...(env === undefined ? {} : { [`${sandboxTagPrefix}env`]: JSON.stringify(env) }),
    ...(workingDirectory === undefined ? {} : { [`${sandboxTagPrefix}working-directory`]: workingDirectory }),
  });
}
