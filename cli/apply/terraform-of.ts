import { Terraform } from '../../stacks/engine/terraform.js';
import type { PreparedStack, Session } from './session.js';
import type { Say } from './progress.js';

/** The name of the kept plan in a stack's working directory. */
export const planFile = 'castellan.tfplan';

/** The Terraform of one stack, whose progress is said line by line. */
export function terraformOf(stack: PreparedStack, session: Session, say: Say): Terraform {
  const seen = new Set(['apply_start', 'apply_complete', 'apply_errored', 'refresh_errored', 'state_mended']);
  return new Terraform({
    program: session.terraform,
    directory: stack.directory,
    env: stack.env,
    onEvent: (event) => {
      if (seen.has(event.type)) say(event['@message']);
    },
  });
}
