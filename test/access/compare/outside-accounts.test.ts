import { compareAccess } from '../../../access/compare/compare.js';
import { changeDetails } from '../../../access/compare/details.js';
import type { AccessComparison } from '../../../access/compare/comparison.js';
import type { AccessModel } from '../../../access/model.js';
import { proveOutsideDirectory } from '../../../access/prove/outside-directory.js';
import type { AppAccess } from '../../../access/stack/apps.js';
import { modelOf, stackOf } from '../support.js';

const staff = { groups: { staff: { displayName: 'Staff' } } };
const evil = 'https://evil.example';

/** An app at which accounts of a custom provider get in. */
function appOfProvider(wellKnownConfiguration: string, rules: object = {}): AccessModel {
  const corp = {
    clientId: 'shop',
    clientSecret: '${env:SECRET}',
    wellKnownConfiguration,
    ...rules,
  };
  return modelOf(
    stackOf(
      { allowedGroups: ['staff'] },
      { auth: { providers: { openIdConnect: { corp } } }, ...staff },
    ),
  );
}

const appOfDirectory = (directory: object): AccessModel => modelOf(stackOf(directory, staff));

/** The accounts elsewhere that a change lets in, and what is said of them. */
function opened(base: AccessModel, head: AccessModel) {
  const [change] = compareAccess(head, base);
  if (change === undefined) throw new Error('there is no app');
  const details = changeDetails(change, { head, base, target: 'sandbox' } as AccessComparison);
  return {
    providers: change.outsideAccessGained.map(({ provider }) => provider),
    lost: change.outsideAccessLost.map(({ provider }) => provider),
    details: details.filter(({ who }) => who.startsWith('anyone')).map(({ text }) => text),
  };
}

/** What is proved of the accounts elsewhere that gain and that lose access. */
const verdicts = (base: AccessModel, head: AccessModel): readonly string[] =>
  [
    proveOutsideDirectory(appIn(head), appIn(base), 'now'),
    proveOutsideDirectory(appIn(base), appIn(head), 'before'),
  ].map(({ verdict }) => verdict);

function appIn({ apps: [app] }: AccessModel): AppAccess {
  if (app === undefined) throw new Error('there is no app');
  return app;
}

describe('accounts elsewhere that a change lets in', () => {
  it('are those of a provider whose addresses lead elsewhere now', () => {
    const base = appOfProvider('https://idp.contoso.example/.well-known/openid-configuration');
    const head = appOfProvider(`${evil}/.well-known/openid-configuration`);
    expect(opened(base, head)).toMatchObject({ providers: ['corp'], lost: ['corp'] });
    expect(opened(base, head).details[0]).toBe(
      `anyone with an account at corp: its accounts are those of ${evil}/.well-known/openid-configuration now`,
    );
    expect(opened(base, base)).toEqual({ providers: [], lost: [], details: [] });
  });

  it.each([
    ['groups', { allowedGroups: ['team'] }],
    ['claims', { requiredClaims: { org: ['contoso'] } }],
  ])('are all of a provider that loses its list of %s', (_what, limit) => {
    const address = 'https://idp.contoso.example/.well-known/openid-configuration';
    const [limited, open] = [appOfProvider(address, limit), appOfProvider(address)];
    const other = appOfProvider(address, { requiredClaims: { org: ['contoso', 'fabrikam'] } });
    expect(opened(limited, open)).toEqual({
      providers: ['corp'],
      lost: [],
      details: ['anyone with an account at corp: no group or claim is required any more'],
    });
    expect(opened(open, limited)).toEqual({
      providers: [],
      lost: ['corp'],
      details: ['anyone with an account at corp: a group or claim is required now'],
    });
    expect(opened(limited, other)).toEqual({ providers: [], lost: [], details: [] });
    expect(verdicts(limited, open)).toEqual(['new', 'none']);
    expect(verdicts(open, limited)).toEqual(['none', 'new']);
    expect(verdicts(limited, other)).toEqual(['unknown', 'unknown']);
  });

  it("are those of an issuer that takes the directory's place, in whatever groups it says", () => {
    const base = appOfDirectory({ allowedGroups: ['staff'] });
    const head = appOfDirectory({ issuer: `${evil}/tenant/v2.0`, allowedGroups: ['staff'] });
    expect(opened(base, head)).toEqual({
      providers: ['directory'],
      lost: [],
      details: [
        `anyone with an account at directory: its accounts are those of ${evil}/tenant/v2.0 now`,
      ],
    });
  });
});
