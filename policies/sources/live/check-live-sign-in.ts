import type { Finding } from '../../../core/findings/finding.js';
import { makeFinding, makeUnknownFinding } from '../../engine/finding-maker.js';
import { liveCatalogueRule, type LiveReport } from '../../engine/live-rule.js';
import type { Declaration, StackIndex } from '../../engine/stack-index.js';
import type { LiveApp, LiveAppsReader, LiveRegistration } from '../../model/live-apps-reader.js';
import { liveSignInDrift, type LiveSignInSubject } from '../../rules/live/live-sign-in-drift.js';

const rule = liveCatalogueRule(liveSignInDrift);

/**
 * Compares the sign-in settings of a stack's apps, and its registrations, with the live ones.
 *
 * @param ids the ids in a state, by `containerApps.web`.
 */
export async function checkLiveSignIn(
  index: StackIndex,
  reader: LiveAppsReader,
  ids: ReadonlyMap<string, string>,
): Promise<readonly Finding[]> {
  const apps = index.all('containerApps').filter(({ value }) => value.auth !== undefined);
  const registrations = index.all('registrations');
  const findings: Finding[] = [];
  const makeUnreadableFinding = ({ section, name }: Declaration, why: string): Finding => ({
    ...makeUnknownFinding(
      rule,
      { path: [], value: undefined },
      { path: [section, name], origin: {} },
      index.locate,
    ),
    message: `the sign-in of ${name} can't be compared: ${why}`,
  });
  const compare = (subject: LiveSignInSubject, liveId: string): void => {
    const { section, name } = subject.declaration;
    const report = (each: LiveReport): void => {
      const place = { path: [section, name], origin: { liveId } };
      findings.push(makeFinding(rule, each, place, index.locate));
    };
    liveSignInDrift.check(subject, report);
  };
  const liveApps = apps.length === 0 ? [] : await reader.apps();
  for (const declaration of apps) {
    const app =
      liveApps === undefined
        ? 'the caller may not read the apps of the subscription'
        : findApp(liveApps, declaration, index, ids);
    if (typeof app === 'string') {
      findings.push(makeUnreadableFinding(declaration, app));
      continue;
    }
    if (app === undefined) continue;
    const settings = await reader.auth(app.id);
    if (settings === undefined)
      findings.push(
        makeUnreadableFinding(declaration, 'the caller may not read the apps of the subscription'),
      );
    else compare({ declaration, settings }, app.id);
  }
  for (const declaration of registrations) {
    const { displayName } = declaration.value;
    // other rules report a missing name
    if (typeof displayName !== 'string') continue;
    const registration = isUnknown(declaration, 'displayName')
      ? 'its name is not known yet'
      : findRegistration(
          await reader.registrations(displayName),
          ids.get(`registrations.${declaration.name}`),
        );
    if (typeof registration === 'string')
      findings.push(makeUnreadableFinding(declaration, registration));
    else if (registration !== undefined)
      compare({ declaration, live: registration }, registration.id);
  }
  return findings;
}

/**
 * The live app of a declaration: that of the state, otherwise that of its name, in the resource
 * group of the stack if there are several. A text says why it is not known.
 */
function findApp(
  liveApps: readonly LiveApp[],
  declaration: Declaration<'containerApps'>,
  { settings: { azure } }: StackIndex,
  ids: ReadonlyMap<string, string>,
): LiveApp | string | undefined {
  const id = ids.get(`containerApps.${declaration.name}`)?.toLowerCase();
  const appById = liveApps.find((each) => each.id.toLowerCase() === id);
  if (appById !== undefined) return appById;
  if (isUnknown(declaration, 'name')) return 'its name is not known yet';
  const name = (declaration.value.name ?? declaration.name).toLowerCase();
  const namesakes = liveApps.filter((each) => each.name.toLowerCase() === name);
  if (namesakes.length < 2) return namesakes[0];
  const group = azure?.resourceGroup;
  const groupName = String(typeof group === 'object' ? group.existing : group).toLowerCase();
  const inGroup = namesakes.filter((each) =>
    each.id.toLowerCase().includes(`/resourcegroups/${groupName}/`),
  );
  return inGroup.length === 1
    ? inGroup[0]
    : 'the subscription has several apps of this name: name the group of yours as azure.resourceGroup, or give the state with --state';
}

/** The only live registration of a name, or that of the state; a text says why it is not known. */
function findRegistration(
  namesakes: readonly LiveRegistration[] | undefined,
  id: string | undefined,
): LiveRegistration | string | undefined {
  if (namesakes === undefined) return 'the caller may not read registrations';
  const registrationById = namesakes.find((each) => each.id === id);
  if (registrationById === undefined && namesakes.length > 1)
    return 'the directory has several of this display name';
  return registrationById ?? namesakes[0];
}

function isUnknown({ unknownPaths }: Declaration, property: string): boolean {
  return unknownPaths.some(([first]) => first === property);
}
