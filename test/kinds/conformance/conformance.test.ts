import { type Candidate, candidatesOf } from './candidates.js';
import { type Declarable, declarables } from './declarations.js';
import { checkSays, constructsSay, planSays, writeStack } from './judges.js';
import { startServices } from './services.js';
import { SmallTerraform } from './terraform.js';

let services: Awaited<ReturnType<typeof startServices>>;
let terraform: SmallTerraform;
beforeAll(async () => {
  services = await startServices();
  terraform = await SmallTerraform.forServices(services);
});
afterAll(() => services.close());

/**
 * The rules over several settings, with the properties whose values they judge together with
 * others.
 */
const propertiesJudgedTogether: Readonly<Record<string, readonly string[]>> = {
  'app-registry': ['registries'],
  'app-traffic': ['revision.traffic'],
  'app-workload-profile': ['workloadProfile'],
  'auth-access-action': ['unauthenticatedAction'],
  'auth-allow-insecure': ['requireHttps'],
  'auth-directory-provider': ['providers.directory'],
  'auth-forward-proxy': ['forwardProxy'],
  'auth-open-id-provider': ['providers.openIdConnect'],
  'auth-redirect-target': ['redirectTo', 'providers'],
  'auth-requirements': ['requirements'],
  'principal-kind': ['user', 'servicePrincipal', 'device', 'contact', 'group', 'groupKind'],
  'registration-redirect-uris': ['redirectUris'],
};
/** The rules of these that judge what a plan does not contain. */
const rulesWithoutPlan = new Set([
  'app-registry',
  'app-traffic',
  'app-workload-profile',
  'auth-access-action',
  'principal-kind',
]);

/**
 * Where verdicts differ, and why: those of the plan, of the providers and of the services that
 * aren't held to that of check.
 */
const exceptions: readonly {
  readonly because: string;
  readonly isExempt: (candidate: Candidate, said: string) => boolean;
}[] = [
  {
    because:
      'an empty text or list, and an outer port of 0, are how Terraform says that nothing is set',
    isExempt: ({ value, valueText, path }) =>
      valueText === '0 entries' || value === '' || (value === 0 && path.includes('exposedPort')),
  },
  {
    because:
      'words of the cloud are spelled in other ways than ours, and its services take them in any letter case',
    isExempt: ({ hasOtherCase }, said) => hasOtherCase && /^the (plan|service)/.test(said),
  },
  {
    because: 'an id is a right one, and the service of the test holds nothing with that id',
    isExempt: (_candidate, said) => /: 404 |was not found: it can't be assigned/.test(said),
  },
  {
    because:
      'a group that exists may have a unique name, and no apply can give one to a new group: the rule group-unique-name warns',
    isExempt: ({ path }) => path.includes('uniqueName'),
  },
  {
    because:
      'what several settings say together is judged by these rules, at these properties; no service refuses it',
    isExempt: ({ path }, said) => {
      const [, rule = ''] = /\(([a-z-]+)\)$/.exec(said) ?? [];
      return said.startsWith('the service') || rulesWithoutPlan.has(rule)
        ? (propertiesJudgedTogether[rule] ?? []).some((property) =>
            `${path.join('.')}.`.startsWith(`${property}.`),
          )
        : false;
    },
  },
];

interface Verdict {
  readonly place: string;
  readonly errors: readonly string[];
}

/**
 * What each place says of a declaration. Nothing goes to Terraform that the constructs can't write,
 * or that leaves no trace there.
 */
async function verdicts(
  configOf: Declarable['configOf'],
  candidate: Candidate,
): Promise<readonly Verdict[]> {
  const config = configOf(candidate.declaration);
  const check: Verdict = { place: 'check', errors: checkSays(config) };
  const constructResult = constructsSay(config);
  const construct: Verdict = { place: 'the construct', errors: constructResult.errors };
  if (candidate.isOnlyDeclared || !candidate.isInTerraform) return [check, construct];
  const json =
    constructResult.json ?? (check.errors.length === 0 ? writeStack(config) : tryWritten(config));
  if (json === undefined || isLost(JSON.stringify(json), candidate, configOf, check))
    return [check, construct];
  const applyError = await terraform.apply(json);
  const validationErrors = terraform.validate(json.resource);
  return [
    check,
    construct,
    // what a provider refuses never gets into a plan
    ...(validationErrors.length > 0
      ? []
      : [{ place: 'the plan', errors: await planSays(terraform, json) }]),
    // an official provider checks less; what it refuses must be refused before
    ...(validationErrors.length === 0 && check.errors.length > 0
      ? []
      : [{ place: 'the provider', errors: validationErrors }]),
    { place: 'the service', errors: applyError === undefined ? [] : [applyError] },
  ];
}

/**
 * Whether the constructs leave out a value that is refused: then Terraform has nothing to refuse.
 */
function isLost(
  json: string,
  { value, without }: Candidate,
  configOf: Declarable['configOf'],
  check: Verdict,
): boolean {
  if (check.errors.length === 0) return false;
  const isWord =
    typeof value === 'string' &&
    !json.toLowerCase().includes(JSON.stringify(value).slice(1, -1).toLowerCase());
  return isWord || textWithout(configOf, without as object) === json;
}

const textsWithout = new WeakMap<object, string | undefined>();

/**
 * The Terraform JSON of a declaration without the value that is tried: the same for all values of a
 * property.
 */
function textWithout(configOf: Declarable['configOf'], without: object): string | undefined {
  if (!textsWithout.has(without)) {
    const json = tryWritten(configOf(without));
    textsWithout.set(without, json && JSON.stringify(json));
  }
  return textsWithout.get(without);
}

/**
 * What the constructs write of a declaration that is refused; a broken one they may be unable to
 * write.
 */
function tryWritten(config: object): ReturnType<typeof writeStack> | undefined {
  try {
    return writeStack(config);
  } catch {
    return undefined;
  }
}

async function contradictions(
  ...[configOf, candidate]: Parameters<typeof verdicts>
): Promise<readonly string[]> {
  const [check = { errors: [] }, ...others] = await verdicts(configOf, candidate);
  const isRefused = check.errors.length > 0;
  const differing = others.filter(
    ({ place, errors }) =>
      errors.length > 0 !== (isRefused && !(place === 'the service' && candidate.isTaken)),
  );
  return differing
    .map(
      ({ place, errors }) =>
        `${place} says ${errors[0] ?? 'yes'}; check says ${check.errors[0] ?? 'yes'}`,
    )
    .filter((said) => !exceptions.some(({ isExempt }) => isExempt(candidate, said)))
    .map((said) => `${candidate.path.join('.')} ${candidate.valueText}: ${said}`);
}

const walkedNodes = new Set<string>();

describe.each(declarables)('one verdict on $what', ({ schema, base, configOf, isDocument }) => {
  const candidates = candidatesOf(schema, base, isDocument, isDocument ? walkedNodes : undefined);
  const properties = [...new Set(candidates.map(({ path }) => path[0] ?? ''))];

  it('for valid objects', async () => {
    const config = configOf(base);
    const json = writeStack(config);
    const said = [
      checkSays(config),
      constructsSay(config).errors,
      terraform.validate(json.resource),
      await planSays(terraform, json),
    ];
    expect(said).toEqual([[], [], [], []]);
    expect(await terraform.apply(json)).toBeUndefined();
  });

  it.each(properties)('with each value of %s', async (property) => {
    const allContradictions: string[] = [];
    for (const each of candidates.filter(({ path }) => (path[0] ?? '') === property))
      allContradictions.push(...(await contradictions(configOf, each)));
    expect(allContradictions).toEqual([]);
  });
});

it('has at most five exceptions', () => {
  expect(exceptions.length).toBeLessThanOrEqual(5);
});
