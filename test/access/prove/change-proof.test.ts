import { compareAccess } from '../../../access/compare/compare.js';
import { directoryFromSeed } from '../../../access/directory/from-seed.js';
import { accessModel } from '../../../access/model.js';
import { proveChanges } from '../../../access/prove/change-proof.js';
import type { ChangeProof } from '../../../access/prove/proof.js';
import type { StackConfig } from '../../../kinds/stack/schema.js';
import type { SeedLists } from '../../../services/common/seed.js';
import { idOf, person, stackOf } from '../support.js';

const now = Date.parse('2026-11-22T12:00:00Z');

type Sections = Parameters<typeof stackOf>[1];

function proofOf(
  before: StackConfig,
  after: StackConfig,
  seed: SeedLists = {},
): ChangeProof | undefined {
  const directory = directoryFromSeed([seed], 'the test');
  const base = accessModel([before], directory, { now });
  const head = accessModel([after], directory, { now, reuseFrom: base });
  const proofs = proveChanges(compareAccess(head, base), head, base, { now });
  return [...proofs.values()][0];
}

function byRule(rule: string, sections: Sections = {}): StackConfig {
  return stackOf(
    { allowedGroups: ['shoppers'] },
    { groups: { shoppers: dynamic(rule), ...(sections as { groups?: object }).groups } },
  );
}

function dynamic(rule: string): object {
  return { displayName: 'Shoppers', dynamicMembership: { rule } };
}

function withGroups(groups: object, directory: object = { allowedGroups: ['shoppers'] }) {
  return stackOf(directory, { groups });
}

describe('a change, for all possible people and without a snapshot', () => {
  it.each([
    [
      'contains for eq',
      byRule('user.department -eq "Sales"'),
      byRule('user.department -contains "Sal"'),
      { attributes: { department: 'Sal' } },
    ],
    [
      'an -or that binds wider than meant',
      byRule(
        'user.accountEnabled -eq true -and (user.department -eq "IT" -or user.city -eq "Oslo")',
      ),
      byRule('user.accountEnabled -eq true -and user.department -eq "IT" -or user.city -eq "Oslo"'),
      undefined,
    ],
    [
      'an -or that lets guests in',
      byRule('user.userType -eq "Member" -and (user.department -eq "IT" -or user.city -eq "Oslo")'),
      byRule('user.userType -eq "Member" -and user.department -eq "IT" -or user.city -eq "Oslo"'),
      { attributes: { city: 'Oslo', userType: null } },
    ],
    [
      '-ne, which lets a missing value in',
      byRule('user.userType -in ["Member"]'),
      byRule('user.userType -ne "Guest"'),
      { attributes: { userType: null } },
    ],
    [
      '-ne, beside another condition',
      byRule('user.department -eq "IT" -and user.userType -eq "Member"'),
      byRule('user.department -eq "IT" -and user.userType -ne "Guest"'),
      { attributes: { department: 'IT', userType: null } },
    ],
    [
      'a nested group',
      withGroups({
        shoppers: { displayName: 'Shoppers', members: [] },
        partners: { displayName: 'Partners', dynamicMembership: { rule: 'user.city -eq "Rome"' } },
      }),
      withGroups({
        shoppers: { displayName: 'Shoppers', members: ['partners'] },
        partners: { displayName: 'Partners', dynamicMembership: { rule: 'user.city -eq "Rome"' } },
      }),
      { attributes: { city: 'Rome' } },
    ],
    [
      'a nested group whose members others manage',
      withGroups({
        shoppers: { displayName: 'Shoppers', members: [] },
        partners: { displayName: 'Partners', membersManagedElsewhere: true },
      }),
      withGroups({
        shoppers: { displayName: 'Shoppers', members: ['partners'] },
        partners: { displayName: 'Partners', membersManagedElsewhere: true },
      }),
      { attributes: {}, groups: ['partners'] },
    ],
    [
      'match without anchors',
      byRule('user.mail -match "^[a-z]+@contoso\\.example$"'),
      byRule('user.mail -match "[a-z]+@contoso\\.example"'),
      { attributes: { mail: 'a@contoso.examplea' } },
    ],
    [
      'a member by name',
      withGroups({ shoppers: { displayName: 'Shoppers', members: [] } }),
      withGroups({ shoppers: { displayName: 'Shoppers', members: [idOf('ada')] } }),
      { attributes: { objectId: idOf('ada') } },
    ],
    [
      'a member whose id is not known',
      withGroups({ shoppers: { displayName: 'Shoppers', members: [] } }),
      stackOf(
        { allowedGroups: ['shoppers'] },
        {
          principals: { bob: { user: 'bob@contoso.example' } },
          groups: { shoppers: { displayName: 'Shoppers', members: ['bob'] } },
        },
      ),
      { attributes: { userPrincipalName: 'bob@contoso.example' } },
    ],
    [
      'an app without restrictions',
      byRule('user.department -eq "Sales"'),
      stackOf({}),
      { attributes: {} },
    ],
    [
      'no assignment required any more',
      stackOf({}, { registrations: { login: { displayName: 'L', assignmentRequired: true } } }),
      stackOf({}),
      { attributes: {} },
    ],
    [
      'an excluded path',
      stackOf({}, { auth: { excludedPaths: ['/healthz'] } }),
      stackOf({}, { auth: { excludedPaths: ['/healthz', '/Admin'] } }),
      { attributes: {}, path: '/admin' },
    ],
    [
      'another provider',
      stackOf({ allowedPrincipals: [idOf('ada')] }),
      stackOf(
        { allowedPrincipals: [idOf('ada')] },
        { auth: { providers: { codehost: { clientId: 'c', clientSecret: 'secret:s' } } } },
      ),
      { attributes: { provider: 'codehost' } },
    ],
  ])('finds whom %s lets in', (_name, before, after, example) => {
    const proof = proofOf(before, after);
    if (example === undefined) {
      expect(proof?.gain).toEqual({ verdict: 'none' });
      return;
    }
    expect(proof?.gain).toMatchObject({ verdict: 'new', example });
    expect(proof?.gain.reasons?.[0]).toMatch(/^now: /);
    // and the other way round nobody gains, but the same person loses
    const reverseProof = proofOf(after, before);
    expect(reverseProof?.loss).toMatchObject({ verdict: 'new', example });
    expect(reverseProof?.gain.verdict).not.toBe('unknown');
  });

  it.each([
    [
      'the same rule in other words',
      byRule('user.department -in ["A","B"]'),
      byRule('user.department -eq "b" -or user.department -eq "a"'),
    ],
    [
      'a group under another name',
      byRule('user.department -eq "A"'),
      withGroups({ people: dynamic('user.department -eq "a"') }, { allowedGroups: ['people'] }),
    ],
    [
      'an excluded path below another',
      stackOf({}, { auth: { excludedPaths: ['/a'] } }),
      stackOf({}, { auth: { excludedPaths: ['/a', '/a/b'] } }),
    ],
    [
      'a provider of an app that is open to all',
      stackOf({}, { auth: { unauthenticatedAction: 'allowAnonymous' } }),
      stackOf(
        {},
        {
          auth: {
            unauthenticatedAction: 'allowAnonymous',
            providers: { codehost: { clientId: 'c', clientSecret: 'secret:s' } },
          },
        },
      ),
    ],
    [
      'a foreign group as before',
      stackOf({ allowedGroups: [idOf('foreign')] }),
      stackOf({ allowedGroups: [idOf('foreign')] }, { auth: { excludedPaths: [] } }),
    ],
  ])('proves that nobody gains or loses by %s', (_name, before, after) => {
    expect(proofOf(before, after)).toEqual({
      gain: { verdict: 'none' },
      loss: { verdict: 'none' },
      isClosed: false,
    });
  });

  it('does not know who is in a foreign group', () => {
    const proof = proofOf(
      byRule('user.department -eq "A"'),
      withGroups(
        { shoppers: dynamic('user.department -eq "A"') },
        { allowedGroups: ['shoppers', idOf('foreign')] },
      ),
    );
    expect(proof).toEqual({
      gain: {
        verdict: 'unknown',
        reasons: [
          `the group ${idOf('foreign')} is neither in the configuration nor in the directory that was read`,
        ],
      },
      loss: { verdict: 'none' },
      isClosed: false,
    });
  });

  const sales = 'user.department -eq "Sales"';
  it.each([
    [
      'a foreign group of the app',
      stackOf({ allowedGroups: [idOf('foreign')] }),
      byRule(sales),
      `the group ${idOf('foreign')} is neither in the configuration nor in the directory that was read`,
    ],
    [
      'memberOf of a foreign group',
      byRule(`user.memberof -any (group.objectId -in ['${idOf('foreign')}'])`),
      byRule(sales),
      `the group ${idOf('foreign')} is neither in the configuration nor in the directory that was read`,
    ],
    [
      'a regular expression with back-references',
      byRule('user.department -match "(a)\\1"'),
      byRule(sales),
      "the rule of shoppers can't be read",
    ],
  ])('does not know whether somebody got in before, by %s', (_name, before, after, why) => {
    const proof = proofOf(before, after);
    expect(proof?.gain).toMatchObject({
      verdict: 'unknown',
      example: { attributes: { department: 'Sales' } },
      admittedBy: 'the rule of shoppers',
    });
    expect(proof?.gain.reasons?.[0]).toBe(why);
    const { loss } = proofOf(after, before) ?? {};
    expect([loss?.verdict, loss?.reasons?.[0]]).toEqual(['unknown', why]);
  });

  it('shows somebody who gains whoever is in a foreign group', () => {
    const foreign = `user.memberof -any (group.objectId -in ['${idOf('foreign')}'])`;
    const groups = (rule: string) => ({ shoppers: dynamic(rule), partners: dynamic(foreign) });
    const bothGroups = { allowedGroups: ['shoppers', 'partners'] };
    const narrow = withGroups(
      { staff: dynamic('user.city -eq "Oslo"') },
      {
        allowedGroups: ['staff'],
      },
    );
    expect(proofOf(narrow, withGroups(groups(sales), bothGroups))?.gain).toMatchObject({
      verdict: 'new',
      example: { attributes: { department: 'Sales' } },
    });
  });

  it('knows that somebody lacks a claim which is not required any more', () => {
    const claim = (claims: object) =>
      stackOf(
        { allowedGroups: ['shoppers'] },
        {
          auth: { requirements: [{ path: '/admin', ...claims }] },
          groups: { shoppers: dynamic(sales) },
        },
      );
    const proof = proofOf(claim({ claims: { level: ['high'] } }), claim({ groups: ['shoppers'] }));
    expect(proof?.gain).toMatchObject({ verdict: 'new', example: { path: '/admin' } });
  });

  describe('with requirements by path', () => {
    const withRequirement = (rule: string, requirement: object = { groups: ['admins'] }) =>
      stackOf(
        { allowedGroups: ['shoppers'] },
        {
          auth: { requirements: [{ path: '/admin', ...requirement }] },
          groups: {
            shoppers: dynamic('user.department -eq "Retail"'),
            admins: { displayName: 'Admins', dynamicMembership: { rule } },
          },
        },
      );
    const verdicts = (proof: ChangeProof | undefined) =>
      proof?.gain.paths?.map(({ path, verdict }) => `${path} ${verdict}`);

    it('has a verdict for each path that needs something else', () => {
      const proof = proofOf(
        withRequirement('user.jobTitle -eq "Admin"'),
        withRequirement('user.jobTitle -contains "Adm"'),
      );
      expect(verdicts(proof)).toEqual(['/ none', '/admin new']);
      expect(proof?.gain).toMatchObject({
        verdict: 'new',
        admittedBy: 'what /admin requires',
        example: { attributes: { department: 'Retail' }, path: '/admin', signedIn: true },
      });
      expect(proof?.loss.verdict).toBe('none');
    });

    it('proves that a rewritten rule lets nobody new to the path', () => {
      const proof = proofOf(
        withRequirement('user.jobTitle -in ["A", "B"]'),
        withRequirement('user.jobTitle -eq "B" -or user.jobTitle -eq "A"'),
      );
      expect([verdicts(proof), proof?.gain.verdict, proof?.loss.verdict]).toEqual([
        ['/ none', '/admin none'],
        'none',
        'none',
      ]);
    });

    it('finds a path whose requirement is gone, also below another one', () => {
      const base = withRequirement('user.jobTitle -eq "Admin"');
      const proof = proofOf(base, withRequirement('user.jobTitle -eq "Admin"', { path: '/other' }));
      expect(verdicts(proof)).toEqual(['/ none', '/other none', '/admin new']);
    });

    it('does not know who has a stronger sign-in, and still compares the rest', () => {
      const strong = { groups: ['admins'], acrValues: ['mfa'] };
      const sameRequirement = proofOf(
        withRequirement('user.jobTitle -eq "A"', strong),
        withRequirement('user.jobTitle -startsWith "A"', strong),
      );
      expect(verdicts(sameRequirement)).toEqual(['/ none', '/admin new']);
      const weaker = proofOf(
        withRequirement('user.jobTitle -eq "A"', strong),
        withRequirement('user.jobTitle -eq "A"'),
      );
      expect(verdicts(weaker)).toEqual(['/ none', '/admin unknown']);
      expect(weaker?.gain.reasons?.join()).toContain('a sign-in with mfa');
    });
  });

  it('says that an app is shut for everybody', () => {
    const proof = proofOf(
      byRule('user.department -eq "A"'),
      byRule('user.department -eq "A" -and user.department -eq "B"'),
    );
    expect(proof).toMatchObject({ isClosed: true, gain: { verdict: 'none' } });
    expect(proof?.loss.verdict).toBe('new');
  });
});

describe('a change, with a snapshot', () => {
  it('shows the smallest change of a known person', () => {
    const proof = proofOf(
      byRule('user.department -eq "Sales" -and user.city -eq "Oslo"'),
      byRule('user.department -contains "Sal" -and user.city -eq "Oslo"'),
      {
        users: [
          person('ada', { department: 'Ops', city: 'Rome' }),
          person('mary', { department: 'Ops', city: 'Oslo' }),
        ],
      },
    );
    expect(proof?.gain).toMatchObject({
      verdict: 'new',
      example: { attributes: { department: 'Sal' }, like: 'mary@contoso.example' },
      reasons: [
        expect.stringContaining('user.department is "Sal", user.city is "Oslo"') as unknown,
        expect.stringMatching(/^before: /) as unknown,
      ],
    });
  });
});

describe('an app that was open to all', () => {
  it('lets nobody new in by a sign-in with another provider', () => {
    const proof = proofOf(
      stackOf({}, { auth: { unauthenticatedAction: 'allowAnonymous' } }),
      stackOf(
        { allowedPrincipals: [idOf('ada')] },
        { auth: { providers: { codehost: { clientId: 'c', clientSecret: 'secret:s' } } } },
      ),
    );
    expect(proof?.gain).toEqual({ verdict: 'none' });
    expect(proof?.loss).toMatchObject({ verdict: 'new', example: { path: '/' } });
  });
});
