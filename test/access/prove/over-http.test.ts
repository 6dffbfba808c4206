import fc from 'fast-check';
import { compareAccess } from '../../../access/compare/compare.js';
import { directoryFromSeed } from '../../../access/directory/from-seed.js';
import { accessModel } from '../../../access/model.js';
import { proveChanges } from '../../../access/prove/change-proof.js';
import type { DirectionProof } from '../../../access/prove/proof.js';
import { exampleObject } from '../../../kinds/membership-rule/prove/index.js';
import { combinedRules } from '../../kinds/membership-rule/rule-arbitraries.js';
import { runs } from '../../support/property-tests.js';
import { authBody } from '../real-sign-in/applied.js';
import { signInBrowser } from '../real-sign-in/browser.js';
import { configOf, ids } from '../real-sign-in/declared.js';
import type { DrawnStack } from '../real-sign-in/draw.js';
import { type SignInLayer, startSignInLayer } from '../real-sign-in/sign-in-layer.js';

let layer: SignInLayer;
beforeAll(async () => {
  layer = await startSignInLayer();
});
afterAll(() => layer.stop());

const text = fc.constantFrom('Sales', 'sal', 'Retail', 'IT', 'a b', 'Straße', 'É', 'O`"Neil');
const property = fc.constantFrom('department', 'city', 'jobTitle', 'companyName', 'userType');
const operator = fc.constantFrom(
  '-eq',
  '-ne',
  '-startsWith',
  '-notStartsWith',
  '-endsWith',
  '-contains',
  '-notContains',
);
const comparison = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(property, operator, text).map(comparisonText) },
  fc
    .tuple(
      property,
      fc.constantFrom('-match', '-notMatch'),
      fc.constantFrom('^S', 'l$', '[^a-r]l', '^.{3}$'),
    )
    .map(comparisonText),
  fc.tuple(property, fc.constantFrom('-eq', '-ne')).map(([name, op]) => `user.${name} ${op} null`),
  fc.constantFrom(
    'user.accountEnabled -eq true',
    'user.accountEnabled -eq false',
    'user.otherMails -any (_ -startsWith "a")',
    'user.otherMails -all (_ -notContains "b")',
    'user.employeeHireDate -le "2026-01-01"',
    'user.extensionAttribute3 -eq "x"',
    'user.mobile -startsWith "+47"',
  ),
);
const rule = combinedRules(comparison, 3);

function comparisonText([name, op, value]: readonly [string, string, string]): string {
  return `user.${name} ${op} "${value}"`;
}

/** The indexes of the groups that the app lets in after and before the change. */
const [groupAfter, groupBefore] = [0, 1];

/** Two groups by rule, of which the app lets in one. */
function stackOf(rules: readonly string[], allowedGroup: number, body: object = {}): DrawnStack {
  return {
    people: [
      {
        department: undefined,
        guest: false,
        enabled: true,
        manager: undefined,
        otherProperties: body,
      },
    ],
    seeded: [],
    groups: rules.map((each) => ({
      members: { kind: 'rule', rule: each, paused: false },
      unified: false,
      securityEnabled: true,
    })),
    registration: {
      claims: ['SecurityGroup'],
      assignmentRequired: false,
      assignedPeople: [],
      assignedGroups: [],
    },
    auth: { redirect: true, otherProvider: false, allowedGroups: [allowedGroup] },
  } as unknown as DrawnStack;
}

function proofOf(rules: readonly string[]): DirectionProof {
  const nobody = directoryFromSeed([{}], 'nobody');
  const [base, head] = [groupBefore, groupAfter].map((allowedGroup) =>
    accessModel([configOf(stackOf(rules, allowedGroup))], nobody, { now: Date.now() }),
  ) as [ReturnType<typeof accessModel>, ReturnType<typeof accessModel>];
  const proofs = proveChanges(compareAccess(head, base), head, base, { now: Date.now() });
  return [...proofs.values()][0]?.gain ?? { verdict: 'none' };
}

/** Whether a person with these properties gets in after the change, and before it. */
async function getsIn(rules: readonly string[], body: object): Promise<readonly boolean[]> {
  const { directory, sidecar } = layer;
  const results: boolean[] = [];
  const groups = await directory.apply(stackOf(rules, groupAfter, body), sidecar.url);
  for (const allowedGroup of [groupAfter, groupBefore]) {
    sidecar.write(authBody(stackOf(rules, allowedGroup), groups));
    sidecar.reload();
    const browser = await signInBrowser(sidecar.url, '/.auth', ids.person(0));
    results.push((await browser.get('/')) === 200);
  }
  return results;
}

const someone = fc.record(
  {
    department: fc.oneof(text, fc.constant('Salt')),
    city: text,
    jobTitle: text,
    userType: fc.constantFrom('Member', 'Guest'),
    employeeHireDate: fc.constantFrom('2025-12-31T00:00:00Z', '2026-06-01T00:00:00Z'),
    otherMails: fc.array(fc.constantFrom('a@x.example', 'b@x.example'), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

test('every example of a proof gets in by the real sign-in layer and directory, and did not before', async () => {
  const counts = { new: 0, none: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(rule, rule, someone, async (head, base, anybody) => {
      const rules = [head, base];
      const { verdict, example } = proofOf(rules);
      counts[verdict]++;
      // a person without a userType becomes a Member in the directory
      const body =
        example === undefined
          ? anybody
          : { userType: null, ...exampleObject(example.attributes, 'user').body };
      const getsInAfterAndBefore = await getsIn(rules, body);
      const description = `${base} => ${head}: ${JSON.stringify(body)}`;
      if (verdict === 'new') expect(getsInAfterAndBefore, description).toEqual([true, false]);
      // no person who was tried contradicts a proof that there is none
      if (verdict === 'none') expect(getsInAfterAndBefore, description).not.toEqual([true, false]);
    }),
    { numRuns: runs(15) },
  );
  expect(counts.new).toBeGreaterThan(runs(15) / 3);
  expect(counts.unknown).toBeLessThan(runs(15) / 2);
});
