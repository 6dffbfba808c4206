import type { ISynthesisSession, TerraformStack } from './cdktf.js';
import { addCustomSynthesis } from './cdktf.js';

/** What is to be written beside a synthesized stack. */
type Write = (session: ISynthesisSession) => void;

const writes = new WeakMap<TerraformStack, Map<string, Write>>();

/** Writes something beside a stack when it is synthesized; cdktf knows one such thing for each construct. Once for each purpose. */
export function onSynthesis(stack: TerraformStack, purpose: string, write: Write): void {
  const known = writes.get(stack);
  if (known !== undefined) {
    known.set(purpose, write);
    return;
  }
  const own = new Map([[purpose, write]]);
  writes.set(stack, own);
  addCustomSynthesis(stack, {
    onSynthesize: (session) => {
      for (const each of own.values()) each(session);
    },
  });
}
