import {
  longestExcludedPath,
  parseTarget,
} from '../../../services/auth-sidecar/http/request-target.js';
import { Refusal } from '../../../services/auth-sidecar/http/refusal.js';

/** The path by which a router looks for a handler; undefined where it refuses. */
type Router = (path: string) => string | undefined;

/** Percent-decoding; what is not UTF-8 is refused. @param keptLetters encoded letters that stay */
function decodePath(path: string, keptLetters?: RegExp): string | undefined {
  try {
    return path
      .split(keptLetters ?? /(?!)/)
      .map((part) => decodeURIComponent(part))
      .join('%2F');
  } catch {
    return undefined;
  }
}

/** The path without empty segments and dot segments. */
function resolvePath(path: string): string {
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
    const decodedOnce = decodePath(path);
    return decodedOnce === undefined ? undefined : resolvePath(decodedOnce);
  },
  // Kestrel decodes all but slashes, then resolves
  'ASP.NET': (path) => {
    const decodedOnce = decodePath(path, /%2f/i);
    return decodedOnce === undefined ? undefined : resolvePath(decodedOnce);
  },
  'ASP.NET behind IIS': (path) => {
    const decodedOnce = decodePath(path);
    return decodedOnce === undefined ? undefined : resolvePath(withSlashes(decodedOnce));
  },
  // nginx decodes once, merges slashes, then resolves
  nginx: (path) => {
    const decodedOnce = decodePath(path);
    return decodedOnce === undefined ? undefined : resolvePath(decodedOnce);
  },
  // Tomcat takes path parameters out, decodes, then resolves
  Spring: (path) => {
    const decodedOnce = decodePath(withoutParameters(path));
    return decodedOnce === undefined ? undefined : resolvePath(withSlashes(decodedOnce));
  },
  'Spring, parameters after decoding': (path) => {
    const decodedOnce = decodePath(path);
    return decodedOnce === undefined
      ? undefined
      : resolvePath(withSlashes(withoutParameters(decodedOnce)));
  },
  'a chain of two proxies that decode': (path) => {
    const decodedOnce = decodePath(path);
    const decodedTwice = decodedOnce === undefined ? undefined : decodePath(decodedOnce);
    return decodedTwice === undefined ? undefined : resolvePath(withSlashes(decodedTwice));
  },
  'a router that normalizes compatibility letters': (path) => {
    const decodedOnce = decodePath(path);
    return decodedOnce === undefined
      ? undefined
      : resolvePath(withSlashes(decodedOnce.normalize('NFKC')));
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
  const publicPaths = ['/public', '/PUBLIC', '/Public/'].flatMap((start) =>
    [0, 1, 2, 3, 4].flatMap((length) =>
      [...spellings(length)].map((rest) => start + rest).filter(isPublic),
    ),
  );

  it('is one of many generated paths, of which others are refused', () => {
    expect(publicPaths.length).toBeGreaterThan(500);
    expect(publicPaths).toContain('/PUBLIC/a');
    expect(publicPaths).not.toContain('/public/..');
  });

  it.each(Object.entries(routers))('is not read as another path by %s', (_name, router) => {
    const outside = publicPaths.filter((path) => {
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
