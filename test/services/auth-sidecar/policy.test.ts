import { Refusal } from '../../../services/auth-sidecar/http/refusal.js';
import { authorize } from '../../../services/auth-sidecar/providers/authorization.js';

const unrestrictedPolicy = {
  applications: [],
  groups: [],
  identities: [],
  claimGroups: [],
  claimApplications: [],
};
const ada = '0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60';
const claims = { oid: ada.toUpperCase(), sub: 's', azp: 'caller', groups: ['g-1', 'g-2'] };

describe("the directory provider's policy", () => {
  test.each<[string, object, object, boolean]>([
    ['nothing configured', {}, claims, true],
    ['the calling application allowed', { applications: ['caller'] }, claims, true],
    ['another application allowed', { applications: ['other'] }, claims, false],
    ['the own application allowed, in an ID token', { applications: ['own'] }, { sub: 's' }, true],
    [
      'the version 1 claim of the application',
      { applications: ['v1'] },
      { sub: 's', appid: 'v1' },
      true,
    ],
    ['client applications by claim check', { claimApplications: ['other'] }, claims, false],
    ['the identity allowed, in any letter case', { identities: [ada] }, claims, true],
    ['another identity allowed', { identities: ['o-2'] }, claims, false],
    ['identity or group', { identities: ['o-2'], groups: ['g-2'] }, claims, true],
    ['another group', { groups: ['g-3'] }, claims, false],
    ['groups by claim check', { claimGroups: ['g-1'] }, claims, true],
    [
      'groups by claim check, none in the token',
      { claimGroups: ['g-1'] },
      { oid: 'o-1', _claim_names: { groups: 'src1' } },
      false,
    ],
    [
      'application and group, one missing',
      { applications: ['caller'], claimGroups: ['g-9'] },
      claims,
      false,
    ],
  ])('%s', (_, policy, tokenClaims, allowed) => {
    const check = (): void =>
      authorize(
        tokenClaims as Record<string, unknown>,
        { ...unrestrictedPolicy, ...policy },
        'own',
      );
    if (allowed) expect(check).not.toThrow();
    else expect(check).toThrow(Refusal);
  });
});
