import type { Finding } from '../../core/findings/finding.js';
import type { Construct, IConstruct, TerraformStack } from '../internal/cdktf.js';
import { recordCreations } from '../internal/recorded-creation.js';
import { isStack } from '../internal/stack-nodes.js';
import { checkAtSynth } from './check-at-synth.js';
import type { CheckTreeOptions } from './check-tree.js';
import { chooseBackend } from './backend-choice.js';
import { writeSourceManifest } from './source-manifest.js';

/**
 * Checks every stack below a scope when it is synthesized, including bare cdktf stacks and
 * resources of the plain bindings: errors prevent the synthesis, and `cdktf synth` shows warnings.
 * In the sandbox, the state of each is a file of its own, whatever backend the stack has.
 *
 * @example
 * const app = new App();
 * const checks = PolicyChecks.of(app); // before anything is created, so that findings have their lines
 * const stack = new TerraformStack(app, 'shop');
 * new AzureadGroup(stack, 'shoppers', { displayName: 'Shoppers', securityEnabled: true, mailNickname: 'sho ppers' });
 * app.synth(); // refused: main.ts:5:1: "sho ppers" … (group-mail-nickname)
 */
export class PolicyChecks {
  readonly #findings = new Map<TerraformStack, readonly Finding[]>();

  private constructor() {}

  /** Adds the checks to an app or a stack. */
  static of(scope: Construct, options: CheckTreeOptions = {}): PolicyChecks {
    const checks = new PolicyChecks();
    const add = (node: IConstruct): void => {
      if (!isStack(node)) return;
      checkAtSynth(node, {
        options,
        report: (findings) => void checks.#findings.set(node, findings),
      });
      writeSourceManifest(node);
      chooseBackend(node);
    };
    recordCreations(scope, add);
    for (const node of scope.node.findAll()) add(node);
    return checks;
  }

  /** The findings of the last synthesis, including those that do not prevent it. */
  get findings(): readonly Finding[] {
    return [...this.#findings.values()].flat();
  }
}
