import type { Finding } from '../../../core/findings/finding.js';
import { makeFinding, makeUnknown } from '../../engine/finding-maker.js';
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
  const unreadable = ({ section, name }: Declaration, why: string): Finding => ({
    ...makeUnknown(
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
      const about = { path: [section, name], origin: { liveId } };
      findings.push(makeFinding(rule, each, about, index.locate));
    };
    liveSignInDrift.check(subject, report);
  };
  const live = apps.length === 0 ? [] : await reader.apps();
  for (const declaration of apps) {
    const name = declaration.value.name ?? declaration.name;
    const app = live?.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const settings = app && (await reader.auth(app.id));
    if (live === undefined || (app !== undefined && settings === undefined))
      findings.push(
        unreadable(declaration, 'the caller may not read the apps of the subscription'),
      );
    else if (app !== undefined && settings !== undefined)
      compare({ declaration, settings }, app.id);
  }
  for (const declaration of registrations) {
    const found = await reader.registrations(declaration.value.displayName);
    const [only, another] = found ?? [];
    if (found === undefined)
      findings.push(unreadable(declaration, 'the caller may not read registrations'));
    else if (another !== undefined)
      findings.push(unreadable(declaration, 'the directory has several of this display name'));
    else if (only !== undefined) compare({ declaration, live: only }, only.id);
  }
  return findings;
}
