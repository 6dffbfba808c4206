import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ISynthesisSession, type TerraformStack } from './cdktf.js';
import { addCustomSynthesis } from './cdktf-internals.js';

type SynthesisCallback = (session: ISynthesisSession) => void;

const callbacks = new WeakMap<TerraformStack, Map<string, SynthesisCallback>>();

/**
 * Calls a function when a stack is synthesized, such as to write a file beside it. cdktf allows one
 * such callback for each construct.
 *
 * @param purpose identifies the callback: a later one of the same purpose replaces the earlier.
 */
export function onSynthesis(
  stack: TerraformStack,
  purpose: string,
  callback: SynthesisCallback,
): void {
  const existing = callbacks.get(stack);
  if (existing !== undefined) {
    existing.set(purpose, callback);
    return;
  }
  const callbacksByPurpose = new Map([[purpose, callback]]);
  callbacks.set(stack, callbacksByPurpose);
  addCustomSynthesis(stack, {
    onSynthesize: (session) => {
      const { workingDirectory } = session.manifest.forStack(stack);
      // cdktf creates it when this stack is synthesized: after the stack around it, if there is one
      mkdirSync(join(session.outdir, workingDirectory), { recursive: true });
      for (const each of callbacksByPurpose.values()) each(session);
    },
  });
}
