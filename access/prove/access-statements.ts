import { analyzeRule, Prover } from '../../kinds/membership-rule/prove/index.js';
import { describeAccountsAt } from '../answer/provider-accounts.js';
import { providersOpenToAnyone } from '../answer/overview.js';
import { publicPaths } from '../decide/public-paths.js';
import { undocumentedPath } from '../decide/cloud-differences.js';
import { type Group, groupNameOf } from '../directory/group.js';
import type { AccessModel } from '../model.js';
import type { AppAccess, DirectorySignIn } from '../stack/apps.js';
import { AccessFormulas } from './access-formulas.js';
import {
  proofExample,
  examplePerson,
  type ExamplePerson,
  withoutRedundantAttributes,
} from './example-person.js';
import type { ProofExample, ProofOptions } from './proof.js';
import { exampleText } from './proof-text.js';
import { replayDecision } from './replay.js';

/** Who can get into an app, of all possible people. */
export interface AccessStatement {
  readonly app: AppAccess;
  /** Each way in, as a sentence. */
  readonly statements: readonly string[];
  /** Whether guests of the directory can get in. */
  readonly guests: {
    readonly verdict: 'none' | 'some' | 'unknown';
    readonly example?: ProofExample;
    /** Why it is unknown, if it is. */
    readonly reasons?: readonly string[];
  };
}

/** States for each app who can get in, for all possible people. */
export function accessStatements(
  model: AccessModel,
  apps: readonly AppAccess[],
  options: ProofOptions,
): readonly AccessStatement[] {
  const prover = new Prover(options);
  const accessFormulas = new AccessFormulas(prover, model.memberships);
  return apps.map((app) => ({
    app,
    statements: waysIn(app, model, options),
    guests: proveGuestAccess(app, { model, prover, accessFormulas, now: options.now }),
  }));
}

/** The statements as text. */
export function statementsText(appStatements: readonly AccessStatement[]): string {
  return appStatements
    .flatMap(({ app, statements, guests: { verdict, example, reasons = [] } }) => [
      app.name,
      ...statements.map((each) => `  ${each}`),
      verdict === 'none'
        ? '  no guest of the directory (proved for all possible people)'
        : example === undefined
          ? `  whether guests get in is not known: ${reasons.join('; ')}`
          : `  guests, too: ${exampleText(example)}`,
    ])
    .map((line) => `${line}\n`)
    .join('');
}

/** The statements as JSON. */
export function statementsData(appStatements: readonly AccessStatement[]): object {
  return {
    apps: appStatements.map(({ app, statements, guests }) => ({
      app: app.name,
      stack: app.stack,
      statements,
      guests,
    })),
  };
}

function waysIn(app: AppAccess, model: AccessModel, options: ProofOptions): readonly string[] {
  const paths = publicPaths(app);
  if (paths.includes('/*')) return ['everybody: no sign-in is required'];
  const statements = paths.length === 0 ? [] : [`everybody at ${paths.join(', ')}`];
  if (paths.length > 0 && options.target === 'azure')
    statements.push(
      `in the cloud perhaps everybody at ${undocumentedPath(paths)}: how it reads excluded paths is not documented`,
    );
  statements.push(
    ...providersOpenToAnyone(app)
      .filter((provider) => provider !== 'directory')
      .map((provider) => describeAccountsAt(app, provider)),
  );
  if (app.directorySignIn !== undefined)
    statements.push(...describeDirectoryAccess(app, app.directorySignIn, model, options));
  if (statements.length === 0) return ['nobody'];
  const required = (app.settings?.requirements ?? []).map(({ path: each }) => each || '/');
  return required.length === 0
    ? statements
    : [...statements, `at ${required.join(', ')} only with what it requires, too`];
}

function describeDirectoryAccess(
  app: AppAccess,
  { settings, application, tenant }: DirectorySignIn,
  model: AccessModel,
  options: ProofOptions,
): readonly string[] {
  const { memberships } = model;
  if (typeof tenant === 'object') return [`people of ${tenant.issuer}, who are not known`];
  if (!application.isEnabled)
    return [`nobody by the directory: the application ${application.name} is disabled`];
  const { identities, groups, claimGroups } = settings.policy;
  const roleRequirement = application.assignmentRequired
    ? ` and has a role of ${application.name}`
    : '';
  const emailDomains = app.settings?.emailDomains ?? [];
  const demands = [
    ...(claimGroups.length === 0 ? [] : [`is in ${claimGroups.map(describeGroup).join(' or ')}`]),
    ...Object.entries(settings.rules.claims).map(
      ([name, values]) => `has the claim ${name} with ${values.join(' or ')}`,
    ),
    ...(emailDomains.length === 0
      ? []
      : [`has a verified address of ${emailDomains.join(' or ')}`]),
  ];
  const people = tenant === 'any' ? 'anyone of any organization' : 'anyone of the directory';
  const conditions = `whose account is enabled${roleRequirement}${demands.map((each) => ` and ${each}`).join('')}`;
  if (identities.length + groups.length === 0) return [`${people} ${conditions}`];
  return [
    ...identities.map((id) => {
      const personIndex = memberships.personIndexOf(id.toLowerCase());
      const name =
        personIndex === undefined ? id : memberships.person(personIndex).body.userPrincipalName;
      return `only ${(name ?? id).replace(/^user:/, '')}, ${conditions}`;
    }),
    ...groups.flatMap((id) => {
      const group = memberships.group(id);
      if (group === undefined) return [`only members of the group ${id}, which is not known`];
      return memberships
        .groupAndNested(group)
        .map((each) => `only ${membersOf(each)}, ${conditions}`);
    }),
  ];

  function describeGroup(id: string): string {
    const group = memberships.group(id);
    return group === undefined ? id : groupNameOf(group);
  }

  function membersOf(group: Group): string {
    const { rule } = group;
    if (rule === undefined) return `members of ${groupNameOf(group)}`;
    const { verdict } = analyzeRule(rule.parsed, options);
    const who = { never: 'nobody', always: 'everybody', some: 'people', unknown: 'people' }[
      verdict
    ];
    return `${who} by the rule of ${groupNameOf(group)}: ${rule.parsed.text}`;
  }
}

function proveGuestAccess(
  app: AppAccess,
  {
    model,
    prover,
    accessFormulas,
    now,
  }: {
    readonly model: AccessModel;
    readonly prover: Prover;
    readonly accessFormulas: AccessFormulas;
    readonly now: number;
  },
): AccessStatement['guests'] {
  const { atoms } = prover;
  const isGuest = atoms.textComparison(atoms.text('user.userType'), 'eq', 'Guest');
  const isAdmittedGuest = (person: ExamplePerson): boolean =>
    String(person.attributes['userType']).toLowerCase() === 'guest' &&
    replayDecision(app, model, person, now).outcome === 'in';
  const { verdict, values, why } = prover.decide({
    formula: (interpretation) =>
      atoms.formulas.and([isGuest, accessFormulas.admissionFormula(app, interpretation)]),
    confirms: (each) => isAdmittedGuest(examplePerson(each)),
  });
  if (values === undefined)
    return verdict === 'none' ? { verdict } : { verdict: 'unknown', reasons: why };
  const person = withoutRedundantAttributes(examplePerson(values), isAdmittedGuest);
  return { verdict: 'some', example: proofExample(person, model, app) };
}
