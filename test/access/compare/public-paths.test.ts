import fc from 'fast-check';
import { compareAccess } from '../../../access/compare/compare.js';
import { decideVisit } from '../../../access/answer/visit.js';
import type { AccessComparison } from '../../../access/compare/comparison.js';
import { comparisonMermaid } from '../../../access/compare/report.js';
import type { AccessModel } from '../../../access/model.js';
import { runs } from '../../support/property-tests.js';
import { modelOf, stackOf } from '../support.js';

const staff = { groups: { staff: { displayName: 'Staff' } } };

/** An app with these settings of its sign-in layer. */
function app(auth: object, external = true): AccessModel {
  const config = stackOf({}, { auth, ...staff });
  Object.assign(config.containerApps?.['shop'] ?? {}, { ingress: { external } });
  return modelOf(JSON.parse(JSON.stringify(config)) as typeof config); // what isn't given isn't there
}

/** The paths that a change opens and closes for browsers without a session. */
function publicChange(base: AccessModel, head: AccessModel) {
  const [change] = compareAccess(head, base);
  return { opened: change?.publicGained, closed: change?.publicLost };
}

describe('the paths that become public, and those that are not public any more', () => {
  test.each([
    ['one below an excluded path', { excludedPaths: ['/healthz', '/healthz/live'] }, []],
    ['another spelling of it', { excludedPaths: ['/Healthz/*'] }, []],
    ['a path beside it', { excludedPaths: ['/healthz', '/Docs/'] }, ['/Docs/']],
    ['the whole app', { unauthenticatedAction: 'allowAnonymous' }, ['/*']],
    ['the whole app by a pattern', { excludedPaths: ['/*'] }, ['/*']],
    ['the root alone', { excludedPaths: ['/healthz', '/'] }, ['/']],
    [
      'the whole app, of which everything requires a group',
      { unauthenticatedAction: 'allowAnonymous', requirements: [{ groups: ['staff'] }] },
      [],
    ],
  ])('%s', (_, auth, paths) => {
    const base = app({ excludedPaths: ['/healthz'] });
    expect(publicChange(base, app(auth)).opened).toEqual(paths);
    expect(publicChange(app(auth), base).closed).toEqual(paths);
  });

  it('reports the shorter path where only the longer stays public', () => {
    const wide = app({ excludedPaths: ['/healthz', '/healthz/live'] });
    const narrow = app({ excludedPaths: ['/healthz/live'] });
    expect(publicChange(wide, narrow)).toEqual({ opened: [], closed: ['/healthz'] });
    expect(publicChange(narrow, wide)).toEqual({ opened: ['/healthz'], closed: [] });
  });

  it('names a path whose requirement goes or comes, in the letters of any language', () => {
    const open = app({ excludedPaths: ['/docs'] });
    const required = app({
      excludedPaths: ['/docs'],
      requirements: [{ path: '/docs/prüfung', groups: ['staff'] }],
    });
    expect(publicChange(required, open)).toEqual({ opened: ['/docs/prüfung'], closed: [] });
    expect(publicChange(open, required)).toEqual({ opened: [], closed: ['/docs/prüfung'] });
  });

  it('are edges of the picture, with what is lost dashed', () => {
    const [open, closed] = [app({ excludedPaths: ['/docs'] }), app({})];
    const pictureOf = (base: AccessModel, head: AccessModel): string =>
      comparisonMermaid({ changes: compareAccess(head, base) } as unknown as AccessComparison);
    expect(pictureOf(closed, open)).toContain(
      'n1(["+ a browser without a session"])\n  n1 -->|"/docs"| n0',
    );
    expect(pictureOf(open, closed)).toContain(
      'n1(["- a browser without a session"])\n  n1 -.-x|"/docs"| n0',
    );
  });

  it('counts what only the environment reached as closed', () => {
    const auth = { excludedPaths: ['/healthz'] };
    expect(publicChange(app(auth, false), app(auth))).toEqual({
      opened: ['/healthz'],
      closed: [],
    });
  });

  it('was closed before and is open after, and nothing else became public', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'B', 'ab', 'a%20b', 'ü'), { maxLength: 3 })
      .map((segments) => `/${segments.join('/')}`);
    const declaredPath = fc
      .tuple(path, fc.constantFrom('', '', '/', '/*'))
      .map(([text, end]) => (text === '/' ? `/${end.slice(1)}` : `${text}${end}`));
    const settings = fc.record({
      external: fc.boolean(),
      auth: fc.record({
        unauthenticatedAction: fc.constantFrom(undefined, undefined, 'allowAnonymous'),
        excludedPaths: fc.array(declaredPath, { maxLength: 4 }),
        requirements: fc
          .uniqueArray(path, { maxLength: 2, selector: (each) => each.toLowerCase() })
          .map((paths) => paths.map((each) => ({ path: each, groups: ['staff'] }))),
      }),
    });
    const settingsPairs = fc
      .tuple(settings, settings, fc.boolean())
      .map(([first, second, isSame]) => {
        const { auth } = first;
        const allPaths = [...auth.excludedPaths, ...second.auth.excludedPaths];
        return [
          first,
          isSame ? { ...first, auth: { ...auth, excludedPaths: allPaths } } : second,
        ] as const;
      });
    fc.assert(
      fc.property(settingsPairs, ([before, after]) => {
        const [base, head] = [app(before.auth, before.external), app(after.auth, after.external)];
        const { opened = [], closed = [] } = publicChange(base, head);
        const probes = [before, after].flatMap(({ auth }) => [
          ...auth.excludedPaths.flatMap(requestsFor),
          ...auth.requirements.flatMap(({ path: each }) => requestsFor(each)),
        ]);
        const becomesReachable = (from: AccessModel, to: AccessModel, request: string): boolean =>
          [true, false].some(
            (isOutside) => !reaches(from, request, isOutside) && reaches(to, request, isOutside),
          );
        for (const [reported, from, to] of [
          [opened, base, head],
          [closed, head, base],
        ] as const) {
          for (const each of reported)
            expect(
              becomesReachable(from, to, requestsFor(each)[0]),
              `${each} is reported to change`,
            ).toBe(true);
          for (const request of ['/', '/zzz', ...probes].filter((each) =>
            becomesReachable(from, to, each),
          ))
            expect(
              reported.some((each) => covers(each, request)),
              `${request} changes, and reported is ${reported.join(', ')}`,
            ).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

/** Requests for a declared path and below it; of the whole app, for what nothing names. */
function requestsFor(declared: string): readonly [string, ...string[]] {
  if (declared === '/') return ['/'];
  const encodedPath = encoded(declared.replace(/\/\*?$/, ''));
  return encodedPath === '' ? ['/zzz'] : [encodedPath, `${encodedPath}/zzz`, `${encodedPath}/a`];
}

/** What a browser without a session reaches, from outside the environment or from within. */
function reaches({ apps, ...model }: AccessModel, request: string, isOutside: boolean): boolean {
  const [firstApp] = apps;
  if (firstApp === undefined || (isOutside && firstApp.reach !== 'everywhere')) return false;
  return decideVisit({ apps, ...model }, firstApp, request, undefined).answer.allowed === true;
}

function covers(declared: string, request: string): boolean {
  if (declared === '/*' || declared === request) return true;
  const encodedPath = encoded(declared.replace(/\/\*?$/, '')).toLowerCase();
  return declared !== '/' && `${request.toLowerCase()}/`.startsWith(`${encodedPath}/`);
}

function encoded(path: string): string {
  return path.replace(/[^\u0021-\u007e]+/gu, encodeURIComponent);
}
