import type { AppSettingsByName, SandboxHandle } from '../../sandbox/index.js';
import type { EngineName } from '../../stacks/terraform/engine-release.js';
import type { SynthesizedStack } from '../../stacks/index.js';

/** A stack, ready for Terraform. */
export interface RunnableStack extends SynthesizedStack {
  /** The environment of its Terraform: the target's settings and the stack's secrets. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A resource whose state moves from one stack to another. */
export interface StateMove {
  /** The stack, and the resource's address in its state. */
  readonly from: { readonly stack: string; readonly address: string };
  /** The same, after the move. */
  readonly to: { readonly stack: string; readonly address: string };
}

/** What is ready before Terraform starts: the synthesized stacks and what runs them. */
export interface ApplySession {
  /** In the order of application. */
  readonly stacks: readonly RunnableStack[];
  /** The moves of resources from the state of one stack to that of another. @default none */
  readonly moves?: readonly StateMove[];
  /** How the sandbox runs their apps, by name. */
  readonly apps: AppSettingsByName;
  /** The folders from which images of apps are built. @default none */
  readonly builds?: readonly { readonly app: string; readonly folder: string }[];
  /** Whether one of the stacks is in a protected environment. */
  readonly isProtected: boolean;
  /** The Terraform program. */
  readonly terraformProgram: string;
  /** Which engine that program is; undefined where nothing needed to ask it. */
  readonly engine?: EngineName | undefined;
  /** The sandbox, if it is the target. */
  readonly sandbox?: SandboxHandle;
}
