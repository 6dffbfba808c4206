import { isPlainSynthesis } from '../../constructs/internal/fast-synthesis/creation-traces.js';
import { CastellanStack } from '../../constructs/stack/castellan-stack.js';

/**
 * A stack that is made from a configuration. Stacks of configurations never refer to each other's resources, so there is nothing to
 * prepare: looking for such references takes a sixth of a synthesis.
 */
export class ConfiguredStack extends CastellanStack {
  override prepareStack(): void {
    if (isPlainSynthesis()) super.prepareStack();
    else this.ensureBackendExists();
  }
}
