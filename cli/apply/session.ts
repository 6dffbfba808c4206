import type { AppSettingsByName, SandboxHandle } from '../../sandbox/index.js';
import type { SynthesizedStack } from '../../stacks/index.js';

/** One stack that Terraform can work on. */
export interface PreparedStack extends SynthesizedStack {
  /** The environment of its Terraform: the target's settings and the stack's secrets. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What happens before Terraform starts: checked configurations, the target, synthesized stacks. */
export interface Session {
  /** In the order in which they are applied. */
  readonly stacks: readonly PreparedStack[];
  /** How the sandbox is to run their apps, by name. */
  readonly apps: AppSettingsByName;
  /** The folders that images of apps are built from. @default none */
  readonly builds?: readonly { readonly app: string; readonly folder: string }[];
  /** Whether one of them is of a protected environment. */
  readonly isProtected: boolean;
  /** The Terraform program. */
  readonly terraform: string;
  /** The sandbox, when it is the target. */
  readonly sandbox?: SandboxHandle;
}
