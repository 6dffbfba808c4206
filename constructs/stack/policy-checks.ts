import type { Finding } from '../../core/findings/finding.js';
import {
  Annotations,
  Aspects,
  type Construct,
  type IAspect,
  type IConstruct,
  TerraformStack,
} from '../internal/cdktf.js';
import { rememberCreation } from '../internal/remembered-creation.js';
import { checkTree, type CheckTreeOptions, messageWithPlace } from './declared-tree.js';
import { writeSourceManifest } from './source-manifest.js';

/**
 * Checks every stack below a scope when it is synthesized, including bare cdktf stacks and
 * resources of the plain bindings: errors prevent the synthesis, and `cdktf synth` shows warnings.
 *
 * @example
 * const app = new App();
 * const checks = PolicyChecks.of(app); // before anything is created, so that findings have their lines
 * const stack = new TerraformStack(app, 'shop');
 * new AzureadGroup(stack, 'shoppers', { displayName: 'Shoppers', securityEnabled: true, mailNickname: 'sho ppers' });
 * app.synth(); // refused: main.ts:5:1: "sho ppers" … (group-mail-nickname)
 */
export class PolicyChecks implements IAspect {
  readonly #findings = new Map<TerraformStack, readonly Finding[]>();

  private constructor(private readonly options: CheckTreeOptions) {}

  /** Adds the checks to an app or a stack. */
  static of(scope: Construct, options: CheckTreeOptions = {}): PolicyChecks {
    const checks = new PolicyChecks(options);
    const add = (node: IConstruct): void => {
      // cdktf calls the aspects of stacks and their contents, but not those of an app
      if (!(node instanceof TerraformStack)) return;
      Aspects.of(node).add(checks);
      writeSourceManifest(node);
    };
    rememberCreation(scope, add);
    for (const node of scope.node.findAll()) add(node);
    return checks;
  }

  /** The findings of the last synthesis, including those that do not prevent it. */
  get findings(): readonly Finding[] {
    return [...this.#findings.values()].flat();
  }

  /** Called by cdktf for each construct. */
  visit(node: IConstruct): void {
    if (!(node instanceof TerraformStack)) return;
    const findings = checkTree(node, this.options);
    this.#findings.set(node, findings);
    for (const finding of findings) {
      if (finding.verdict !== 'fail' || finding.severity === 'info') continue;
      const own = node.node.findAll().find(({ node: { path } }) => path === finding.constructPath);
      const annotations = Annotations.of(own ?? node);
      if (finding.severity === 'error') annotations.addError(messageWithPlace(finding));
      else annotations.addWarning(messageWithPlace(finding));
    }
  }
}
