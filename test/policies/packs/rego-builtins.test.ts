import { regoBuiltins } from '../../../policies/packs/rego/builtins.js';

const builtins = regoBuiltins(() => new Date(0)) as Readonly<
  Record<string, (...values: unknown[]) => unknown>
>;

it.each([
  ['urlquery.encode', "a b&c=d*(e)'!~-_.ü", 'a+b%26c%3Dd%2A%28e%29%27%21~-_.%C3%BC'],
  ['urlquery.decode', 'a+b%26c', 'a b&c'],
  ['time.parse_rfc3339_ns', '2026-02-28T12:00:00+01:00', Date.UTC(2026, 1, 28, 11) * 1e6],
  ['time.parse_rfc3339_ns', '2026-02-30T12:00:00Z', undefined],
  ['time.parse_rfc3339_ns', '2026-02-28T24:00:00Z', undefined],
  ['time.parse_rfc3339_ns', '2026-13-01T12:00:00Z', undefined],
  ['hex.decode', '6869', 'hi'],
  ['hex.decode', '68zz', undefined],
  ['hex.decode', '686', undefined],
])('%s(%j) is %j, as in Go', (name, value, expected) => {
  expect(builtins[name]?.(value)).toBe(expected);
});
