import {
  longestExcludedPath,
  parseTarget,
} from '../../../services/auth-sidecar/http/request-target.js';
import { Refusal } from '../../../services/auth-sidecar/http/refusal.js';

/** The path by which a router looks for a handler; undefined where it refuses. */
type Router = (path: string) => string | undefined;

/** Percent-decoding; what is not UTF-8 is refused. @param kept encoded letters that stay */
function decoded(path: string, kept?: RegExp): string | undefined {
  try {
    return path
      .split(kept ?? /(?!)/)
      .map((part) => decodeURIComponent(part))
      .join('%2F');
  } catch {
    return undefined;
  }
}

/** Without empty segments and dot segments. */
function resolved(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/'))
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  return `/${segments.join('/')}`;
}

const withSlashes = (path: string): string => path.replace(/\\/g, '/');
const withoutParameters = (path: string): string => path.replace(/;[^/]*/g, '');

const routers: Readonly<Record<string, Router>> = {
  // routes match the path as sent; express.static decodes once and resolves
  Express: (path) => path,
  'Express, static files': (path) => {
    const once = decoded(path);
    return once === undefined ? undefined : resolved(once);
  },
  // Kestrel decodes all but slashes, then resolves
  'ASP.NET': (path) => {
    const once = decoded(path, /%2f/i);
    return once === undefined ? undefined : resolved(once);
  },
  'ASP.NET behind IIS': (path) => {
    const once = decoded(path);
    return once === undefined ? undefined : resolved(withSlashes(once));
  },
  // nginx decodes once, merges slashes, then resolves
  nginx: (path) => {
    const once = decoded(path);
    return once === undefined ? undefined : resolved(once);
  },
  // Tomcat takes path parameters out, decodes, then resolves
  Spring: (path) => {
    const once = decoded(withoutParameters(path));
    return once === undefined ? undefined : resolved(withSlashes(once));
  },
  'Spring, parameters after decoding': (path) => {
    const once = decoded(path);
    return once === undefined ? undefined : resolved(withSlashes(withoutParameters(once)));
  },
  'a chain of two proxies that decode': (path) => {
    const once = decoded(path);
    const twice = once === undefined ? undefined : decoded(once);
    return twice === undefined ? undefined : resolved(withSlashes(twice));
  },
  'a router that normalizes compatibility letters': (path) => {
    const once = decoded(path);
    return once === undefined ? undefined : resolved(withSlashes(once.normalize('NFKC')));
  },
};

/** What separates, hides or resolves segments, in every spelling. */
const pieces = [
  '/',
  'a',
  '.',
  '%2e',
  '%2E',
  '%2f',
  ';',
  '\\',
  '%5c',
  '%3b',
  '%252e',
  '%252f',
  '%ef%bc%8e',
  '%ef%bc%8f',
  '%e2%80%a4',
  'public',
];

function* spellings(length: number): Generator<string> {
  if (length === 0) return yield '';
  for (const shorter of spellings(length - 1)) for (const piece of pieces) yield shorter + piece;
}

const excluded = ['/public'];

/** Whether the sidecar lets a request through without a session. */
function isPublic(path: string): boolean {
  try {
    return longestExcludedPath(parseTarget(path), excluded) !== undefined;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

describe('a request that the sidecar lets through as excluded', () => {
  const passed = ['/public', '/PUBLIC', '/Public/'].flatMap((start) =>
    [0, 1, 2, 3, 4].flatMap((length) =>
      [...spellings(length)].map((rest) => start + rest).filter(isPublic),
    ),
  );

  it('is one of many generated paths, of which others are refused', () => {
    expect(passed.length).toBeGreaterThan(500);
    expect(passed).toContain('/PUBLIC/a');
    expect(passed).not.toContain('/public/..');
  });

  it.each(Object.entries(routers))('is not read as another path by %s', (_name, router) => {
    const outside = passed.filter((path) => {
      const read = router(path)?.toLowerCase();
      return read !== undefined && read !== '/public' && !read.startsWith('/public/');
    });
    expect(outside).toEqual([]);
  });

  it.each(Object.entries(routers).filter(([name]) => name !== 'Express'))(
    'would be read as another path by %s, if dot segments passed',
    (_name, router) => {
      expect(['/public/../a', '/public/%2e%2e/a'].map((path) => router(path))).toContain('/a');
    },
  );
});
