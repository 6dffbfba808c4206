import { PeopleSet } from '../directory/people-set.js';
import { type AdmittedPeople, admittedPeople } from '../decide/admitted-people.js';
import type { AccessModel } from '../model.js';
import { type OutsideAccessDifference, outsideAccessOnlyIn } from '../answer/outside-access.js';
import { isOpenToAll, publicPathsOnlyIn } from '../decide/public-paths.js';
import type { AppAccess } from '../stack/apps.js';
import { type Reason, changeReasons } from './reasons.js';

/** The effect of a change on an app. */
export interface AppChange {
  /** The app's name in its stack. */
  readonly name: string;
  readonly stack: string;
  /** The app after the change; undefined where it is gone. */
  readonly appAfter: AppAccess | undefined;
  /** The app before the change; undefined where it is new. */
  readonly appBefore: AppAccess | undefined;
  /** The people who get in after the change and did not before; their indexes. */
  readonly gained: PeopleSet;
  /**
   * The people who got in before the change and certainly do not after it; their indexes. Those of
   * whom it is not known any more are in `unknownCount` only.
   */
  readonly lost: PeopleSet;
  /**
   * How many people get in before and after; undefined for an app that the change does not affect.
   */
  readonly keptCount: number | undefined;
  /** The number of people whose access became unknown. */
  readonly unknownCount: number;
  /** Paths that a browser without a session reaches since the change, `/*` for the whole app. */
  readonly publicGained: readonly string[];
  /** Paths that it reaches no longer. */
  readonly publicLost: readonly string[];
  /**
   * Providers at which anyone with an account gets in since the change, also those that have other
   * accounts than before.
   */
  readonly outsideAccessGained: readonly OutsideAccessDifference[];
  /** Providers, or their accounts, that no longer let anyone in. */
  readonly outsideAccessLost: readonly OutsideAccessDifference[];
  /** Why people gain or lose access, a reason for each group of them. */
  readonly reasons: readonly Reason[];
}

/**
 * The effect of a change on every app: compares the models before and after, for the same people.
 */
export function compareAccess(head: AccessModel, base: AccessModel): AppChange[] {
  const baseApps = new Map(base.apps.map((app) => [appKey(app), app]));
  const unaffected = new Set(
    head.apps.filter((app) => isUnaffected(app, baseApps.get(appKey(app)))),
  );
  const admittedAtHead = admittedPeople(
    head.apps.filter((app) => !unaffected.has(app)),
    head.memberships,
  );
  const affectedBaseApps = [...base.apps].filter(
    (app) => ![...unaffected].some((each) => appKey(each) === appKey(app)),
  );
  const admittedAtBase = admittedPeople(affectedBaseApps, base.memberships);
  const noPeople = new PeopleSet(head.memberships.snapshot.people.length);
  const nobody: AdmittedPeople = { admitted: noPeople, unknown: noPeople };
  const changes = head.apps.map((app): AppChange => {
    const baseApp = baseApps.get(appKey(app));
    if (unaffected.has(app)) return unchangedApp(app, baseApp, noPeople);
    return compareApp(
      app,
      baseApp,
      admittedAtHead.get(app) ?? nobody,
      (baseApp && admittedAtBase.get(baseApp)) ?? nobody,
      {
        head,
        base,
      },
    );
  });
  const present = new Set(head.apps.map(appKey));
  const removedApps = base.apps.filter((app) => !present.has(appKey(app)));
  return [
    ...changes,
    ...removedApps.map((app) =>
      compareApp(undefined, app, nobody, admittedAtBase.get(app) ?? nobody, { head, base }),
    ),
  ];
}

/** Whether somebody gains or loses access, or whether access became unknown. */
export function changesCurrentAccess({
  gained,
  lost,
  publicGained,
  publicLost,
  outsideAccessGained,
  outsideAccessLost,
  unknownCount,
}: AppChange): boolean {
  return (
    gained.count +
      lost.count +
      publicGained.length +
      publicLost.length +
      outsideAccessGained.length +
      outsideAccessLost.length +
      unknownCount >
    0
  );
}

function compareApp(
  app: AppAccess | undefined,
  baseApp: AppAccess | undefined,
  atHead: AdmittedPeople,
  atBase: AdmittedPeople,
  models: { readonly head: AccessModel; readonly base: AccessModel },
): AppChange {
  const gained = atHead.admitted.without(atBase.admitted);
  const lost = atBase.admitted.without(atHead.admitted).without(atHead.unknown);
  const wasOpen = baseApp !== undefined && isOpenToAll(baseApp);
  return {
    ...namesOf(app ?? baseApp),
    appAfter: app,
    appBefore: baseApp,
    gained,
    lost,
    keptCount: atHead.admitted.count - gained.count,
    unknownCount: atHead.unknown.without(atBase.unknown).count,
    publicGained: app === undefined ? [] : publicPathsOnlyIn(app, baseApp),
    publicLost: baseApp === undefined ? [] : publicPathsOnlyIn(baseApp, app),
    outsideAccessGained: wasOpen ? [] : outsideAccessOnlyIn(app, baseApp),
    outsideAccessLost: outsideAccessOnlyIn(baseApp, app),
    reasons: [
      ...changeReasons('gained', gained, app, baseApp, models.head, models.base),
      ...changeReasons('lost', lost, baseApp, app, models.base, models.head),
    ],
  };
}

function unchangedApp(
  app: AppAccess,
  baseApp: AppAccess | undefined,
  noPeople: PeopleSet,
): AppChange {
  const noChanges = {
    publicGained: [],
    publicLost: [],
    outsideAccessGained: [],
    outsideAccessLost: [],
    reasons: [],
  };
  return {
    ...namesOf(app),
    appAfter: app,
    appBefore: baseApp,
    gained: noPeople,
    lost: noPeople,
    keptCount: undefined,
    unknownCount: 0,
    ...noChanges,
  };
}

/** Whether the settings of an app have not changed, and no group decides who gets in. */
function isUnaffected(app: AppAccess, baseApp: AppAccess | undefined): boolean {
  if (baseApp === undefined || decidingSettings(app) !== decidingSettings(baseApp)) return false;
  const { policy } = app.directorySignIn?.settings ?? {};
  const { assignedIds = [] } = app.directorySignIn?.application ?? {};
  return [...(policy?.groups ?? []), ...(policy?.claimGroups ?? []), ...assignedIds].length === 0;
}

/** What of an app decides who gets in, as a text to compare. */
function decidingSettings({
  settings,
  directorySignIn,
  otherProviders,
  excludedPaths,
  reach,
}: AppAccess): string {
  const assigned =
    directorySignIn === undefined ? [] : [...directorySignIn.application.assignedIds];
  return JSON.stringify([
    settings,
    directorySignIn?.application,
    assigned,
    directorySignIn?.tenant,
    directorySignIn?.tenantId,
    otherProviders,
    excludedPaths,
    reach,
  ]);
}

function appKey({ stack, name }: AppAccess): string {
  return `${stack}/${name}`;
}

function namesOf(app: AppAccess | undefined): { readonly name: string; readonly stack: string } {
  return { name: app?.name ?? '', stack: app?.stack ?? '' };
}
