import fc from 'fast-check';
import { parsePath, type PathToken } from '../../../../services/directory/http/path.js';
import { PatternNode } from '../../../../services/directory/http/router.js';
import { runs } from '../../../support/property-tests.js';

const segment = fc.constantFrom('a', 'b', '{id}', '{cast}');
const anyPattern = fc.array(segment, { maxLength: 4 });
const anyRoute = fc.record({ pattern: anyPattern, method: fc.constantFrom('GET', 'POST') });
const anyToken = fc.record<PathToken>({
  kind: fc.constantFrom('word', 'qualified', 'key'),
  text: fc.constantFrom('a', 'B', 'c'),
});

/**
 * One pattern against one path, by itself: the weight of its words, earlier ones more than all
 * later ones.
 */
function weigh(pattern: readonly string[], tokens: readonly PathToken[]): number | undefined {
  if (pattern.length !== tokens.length) return undefined;
  let weight = 0;
  for (const [index, { kind, text }] of tokens.entries()) {
    const expected = pattern[index] ?? '';
    if (
      expected === '{cast}'
        ? kind !== 'qualified'
        : expected.startsWith('{') && kind === 'qualified'
    )
      return undefined;
    if (expected.startsWith('{')) continue;
    if (kind === 'key' || text.toLowerCase() !== expected) return undefined;
    weight += 1 << (pattern.length - index);
  }
  return weight;
}

describe('the patterns of paths', () => {
  it('match as if each were tried', () => {
    fc.assert(
      fc.property(
        fc.array(anyRoute, { maxLength: 12 }),
        fc.array(anyToken, { maxLength: 4 }),
        (routes, tokens) => {
          const tree = new PatternNode<number>();
          routes.forEach(({ pattern, method }, index) => tree.add(pattern, method, index));
          const fitting = routes.flatMap(({ pattern, method }, index) => {
            const weight = weigh(pattern, tokens);
            return weight === undefined ? [] : [{ routeIndex: index, method, weight }];
          });
          const [best] = fitting
            .filter(({ method }) => method === 'GET')
            .sort((a, b) => b.weight - a.weight || a.routeIndex - b.routeIndex);
          expect(tree.find(tokens, 'GET')).toBe(best?.routeIndex);
          expect(tree.methods(tokens)).toEqual(new Set(fitting.map(({ method }) => method)));
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});

describe('a path', () => {
  it.each([
    ['/groups//x/', ['groups', 'x']],
    ["/groups(uniqueName='a/b')/members", ['groups', 'a/b', 'members']],
    ['/groups(1)/svc.directory.delta()', ['groups', '1', 'delta']],
    ["/users/o'neill@x.example/memberOf", ['users', "o'neill@x.example", 'memberOf']],
    ['/users/a%2Fb', ['users', 'a', 'b']],
    ['/users/caf%C3%A9', ['users', 'café']],
    ['', []],
  ])('is parsed: %s', (path, words) => {
    expect(parsePath(path, 'svc.directory').map(({ text }) => text)).toEqual(words);
  });

  it.each([
    ['microsoft.graph', 'microsoft.graph.user', { kind: 'qualified', text: 'user' }],
    ['microsoft.graph', 'graph.user', { kind: 'qualified', text: 'user' }],
    ['microsoft.graph', 'graph.user@x.example', { kind: 'word', text: 'graph.user@x.example' }],
    ['svc.directory', 'svc.directory.user', { kind: 'qualified', text: 'user' }],
    ['svc.directory', 'graph.user', { kind: 'word', text: 'graph.user' }],
  ])('separates the namespace or its alias in %s: %s', (namespace, segment, token) => {
    expect(parsePath(`/groups/1/members/${segment}`, namespace).at(-1)).toEqual(token);
  });
});
