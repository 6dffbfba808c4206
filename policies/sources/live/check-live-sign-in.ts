import type { Finding } from '../../../core/findings/finding.js';
import { makeFinding, makeUnknownFinding } from '../../engine/finding-maker.js';
import { liveCatalogueRule, type LiveReport } from '../../engine/live-rule.js';
import type { Declaration, StackIndex } from '../../engine/stack-index.js';
import type { LiveAppsReader } from '../../model/live-apps-reader.js';
import { liveSignInDrift, type LiveSignInSubject } from '../../rules/live/live-sign-in-drift.js';

const rule = liveCatalogueRule(liveSignInDrift);

/** Compares the sign-in settings of a stack's apps, and its registrations, with the live ones. */
export async function checkLiveSignIn(
  index: StackIndex,
  reader: LiveAppsReader,
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
    const name = declaration.value.name ?? declaration.name;
    const app = liveApps?.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const settings = app && (await reader.auth(app.id));
    if (liveApps === undefined || (app !== undefined && settings === undefined))
      findings.push(
        makeUnreadableFinding(declaration, 'the caller may not read the apps of the subscription'),
      );
    else if (app !== undefined && settings !== undefined)
      compare({ declaration, settings }, app.id);
  }
  for (const declaration of registrations) {
    const namesakes = await reader.registrations(declaration.value.displayName);
    const [liveRegistration, another] = namesakes ?? [];
    if (namesakes === undefined)
      findings.push(makeUnreadableFinding(declaration, 'the caller may not read registrations'));
    else if (another !== undefined)
      findings.push(
        makeUnreadableFinding(declaration, 'the directory has several of this display name'),
      );
    else if (liveRegistration !== undefined)
      compare({ declaration, live: liveRegistration }, liveRegistration.id);
  }
  return findings;
}
