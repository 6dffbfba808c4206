import type { LiveRule } from '../../engine/live-rule.js';

/**
 * Weak methods: they can be guessed, phished, taken over with the person's number or mailbox, or
 * expire by themselves.
 */
const weakMethods: ReadonlySet<string> = new Set([
  'password',
  'email',
  'phone',
  'qrCodePin',
  'temporaryAccessPass',
]);

export const liveOwnerStrongMethod: LiveRule = {
  id: 'live-owner-strong-method',
  title: 'Every owner of a group has a strong authentication method.',
  why: 'An attacker who takes over an owner decides who is in the group. A password, mail, phone number, QR code or temporary pass is not strong.',
  severity: 'warning',
  source: 'Directory rules, "List authentication methods"',
  messages: {
    weak: 'the owner {given} signs in with {methods} only; register an authenticator, a security key or the like',
  },
  async check({ owners, authenticationMethods, ownerPath }, report) {
    let hasUnreadableOwner = false;
    for (const owner of owners.filter(({ isUser }) => isUser)) {
      const methods = await authenticationMethods(owner);
      if (methods === undefined) hasUnreadableOwner = true;
      else if (methods.every((kind) => weakMethods.has(kind))) {
        const parameters = {
          given: owner.name,
          owner: owner.id,
          methods: methods.length === 0 ? 'no method' : methods.join(' and '),
        };
        report({ messageId: 'weak', path: ownerPath(owner), parameters });
      }
    }
    if (hasUnreadableOwner)
      report({
        messageId: 'unknown',
        path: ['owners'],
        unknownBecause: 'the caller may not read authentication methods',
      });
  },
};
