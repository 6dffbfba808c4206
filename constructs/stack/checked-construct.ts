import type { Section } from '../../kinds/index.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import { type Construct, TerraformStack } from '../internal/cdktf.js';
import { checkAtSynth } from './check-at-synth.js';
import { chooseBackend } from './backend-choice.js';

/**
 * The base class of the package's constructs: their stack is checked when it is synthesized, and its
 * state in the sandbox is kept apart from that in the cloud.
 */
export abstract class CheckedConstruct extends CastellanConstruct {
  protected constructor(scope: Construct, id: string, section: Section, props: object) {
    super(scope, id, section, props);
    const stack = TerraformStack.of(this);
    checkAtSynth(stack);
    chooseBackend(stack);
  }
}
