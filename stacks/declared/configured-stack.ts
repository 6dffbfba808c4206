import { CastellanStack } from '../../constructs/stack/castellan-stack.js';

/**
 * A stack that is made from a configuration. Stacks of configurations never refer to each other's resources, so there is nothing to
 * prepare: cdktf would resolve every value once more to find such references, a third of the time of a synthesis.
 */
export class ConfiguredStack extends CastellanStack {
  override prepareStack(): void {
    this.ensureBackendExists();
  }
}
