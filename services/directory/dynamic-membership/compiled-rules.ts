import { parseMembershipRule } from '../../../kinds/membership-rule/index.js';
import { compileMembershipRule } from '../membership-rule/index.js';
import type { CompiledRule } from '../membership-rule/index.js';

const most = 20_000;

/** Compiled rules by their text: the same rule is parsed once. */
export class CompiledRules {
  readonly #byText = new Map<string, CompiledRule | undefined>();

  /** undefined for a text that is no rule, which only a seed can bring in: such a group has no members by rule. */
  get(text: string): CompiledRule | undefined {
    if (!this.#byText.has(text)) {
      if (this.#byText.size >= most) this.#byText.clear();
      const { rule } = parseMembershipRule(text);
      this.#byText.set(text, rule && compileMembershipRule(rule));
    }
    return this.#byText.get(text);
  }
}
