import { registration } from '../../../kinds/registration/registration.js';
import { defineRule } from '../../engine/rule.js';

const millisecondsPerDay = 24 * 60 * 60 * 1000;

export const registrationSecretExpiry = defineRule({
  id: 'registration-secret-expiry',
  title:
    'The secret of a registration ends within two years, not in the past, and the date is written in UTC.',
  why: 'An expired secret locks everyone out; a date with an offset or a fraction replaces the secret on every apply; a relative end is ignored by the official provider.',
  severity: 'error',
  source:
    'Sign-in rules, "Configuring the directory identity provider" 4; the official provider\'s traps',
  sections: ['registrations'],
  reads: ['secret.expires'],
  messages: {
    form: '"{given}" is not a time such as 2027-05-01T00:00:00Z (UTC, without fractions)',
    day: '"{given}" is a day or a time that does not exist',
    past: 'the secret ended on {given}',
    soon: 'the secret ends on {given}, in less than {days} days: change rotation and expires',
    late: 'the secret ends on {given}, more than {days} days from now',
  },
  check({ value }, context) {
    const expires = value.secret?.expires;
    if (typeof expires !== 'string' || expires.includes('${')) return;
    const report = (messageId: string, days?: number): void =>
      context.report({
        messageId,
        path: ['secret', 'expires'],
        parameters: { given: expires, days },
      });
    const { maximum, warnBefore } = registration.limits.secretLifetimeInDays;
    const time = Date.parse(expires);
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(expires) || Number.isNaN(time))
      return report('form');
    if (!new Date(time).toISOString().startsWith(expires.slice(0, -1))) return report('day');
    const remainingMs = time - context.now.getTime();
    if (remainingMs <= 0) report('past');
    else if (remainingMs < warnBefore * millisecondsPerDay) report('soon', warnBefore);
    else if (remainingMs > maximum * millisecondsPerDay) report('late', maximum);
  },
});
