import type { Finding } from '../../core/findings/finding.js';
import { makeFinding } from '../../policies/engine/finding-maker.js';
import type { Rule } from '../../policies/engine/rule.js';
import { registrationRedirectUris } from '../../policies/rules/declaration/registration-redirect-uris.js';
import type { Construct, TerraformStack } from '../internal/cdktf.js';
import { constructsInStack, toDeclaration } from './declarations.js';

/** The findings about registrations whose redirect URIs several stacks write. */
export function redirectUriFindings(scope: Construct, rules: readonly Rule[]): readonly Finding[] {
  if (!rules.includes(registrationRedirectUris)) return [];
  return constructsInStack(scope)
    .filter(hasRedirectUris)
    .flatMap((registration) => {
      const stacks = registration.stacksOfRedirectUris.map(({ node }) => node.path).sort();
      if (stacks.length < 2) return [];
      const { section, name, origin } = toDeclaration(registration);
      const report = {
        messageId: 'severalStacks',
        path: ['redirectUris'],
        parameters: { stacks: stacks.join(' and ') },
      };
      const subject = { path: [section, name], origin };
      return [makeFinding(registrationRedirectUris, report, subject, () => undefined)];
    });
}

/** What a `Registration` says of its redirect URIs; its class imports this folder. */
interface WithRedirectUris {
  readonly stacksOfRedirectUris: readonly TerraformStack[];
}

function hasRedirectUris<Each extends object>(
  construct: Each,
): construct is Each & WithRedirectUris {
  return 'stacksOfRedirectUris' in construct;
}
