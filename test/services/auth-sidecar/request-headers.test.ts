import { refusalIn } from '../../../services/auth-sidecar/http/refusal.js';
import { HeaderScrubber } from '../../../services/auth-sidecar/http/request-headers.js';

/** The names and values of header lines in turn, as Node's parser gives them. */
const raw = (...lines: readonly string[]): string[] =>
  lines.flatMap((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2)];
  });

const scrubber = new HeaderScrubber('x-svc-auth', ['x-edge-host'], {
  removed: ['X-Tenant'],
  kept: ['Remote-User', 'X-SVC-Client-Principal'],
});

describe('the headers of a request', () => {
  // which of them counts, sidecar and app could decide in two ways
  test.each([
    ['Host', 'app.example', 'evil.example'],
    ['X-SVC-Auth', 'a', 'b'],
    ['Authorization', 'Bearer a', 'Bearer b'],
    ['Origin', 'https://app.example', 'https://evil.example'],
    ['Sec-Fetch-Site', 'same-origin', 'cross-site'],
    ['Content-Type', 'application/json', 'text/plain'],
    ['Content-Length', '1', '1'],
    ['Transfer-Encoding', 'chunked', 'chunked'],
  ])('are refused where %s is repeated', (name, first, second) => {
    expect(refusalIn(() => scrubber.scrub(raw(`${name}: ${first}`)))).toBeUndefined();
    const repeated = raw(`${name}: ${first}`, `${name.toLowerCase()}: ${second}`);
    expect(refusalIn(() => scrubber.scrub(repeated))).toMatchObject({ status: 400 });
  });

  // Node's parser refuses these, too, unless it is told to be lenient
  test.each([
    ['Content-Length: 3', 'Transfer-Encoding: chunked'],
    ['Content-Length: 3, 3'],
    ['Content-Length: +3'],
    ['Content-Length: '],
    ['Transfer-Encoding: gzip, chunked'],
    ['Transfer-Encoding: Chunked'],
  ])('are refused where the framing is ambiguous: %s', (...lines) => {
    expect(refusalIn(() => scrubber.scrub(raw(...lines)))).toMatchObject({
      status: 400,
      options: { closesConnection: true },
    });
  });

  test('drop what Connection lists, cookies too', () => {
    const { lines, cookie } = scrubber.scrub(
      raw('Cookie: a=1', 'X-Hop: 1', 'X-End: 2', 'Connection: close, X-HOP,cookie', 'Cookie: b=2'),
    );
    expect([lines, cookie]).toEqual(['X-End: 2\r\n', '']);
  });

  test('keep a header of another sign-in layer that the settings keep, and none of the sidecar', () => {
    const { lines } = scrubber.scrub(
      raw('Remote-User: ada', 'X-SVC-Client-Principal: root', 'Remote-Groups: admins'),
    );
    expect(lines).toBe('Remote-User: ada\r\n');
  });

  test.each(['X-Tenant', 'x_tenant', 'X.TENANT', 'xtenant'])(
    'drop %s where the settings remove X-Tenant',
    (name) => expect(scrubber.scrub(raw(`${name}: root`)).lines).toBe(''),
  );

  test('give the proxy what it forwards in the exact spelling alone, and the app in none', () => {
    const { lines, forwarding } = scrubber.scrub(
      raw('X-Edge-Host: app.example', 'X_Edge_Host: evil.example', 'XEdgeHost: evil.example'),
    );
    expect([lines, forwarding]).toEqual(['', [['x-edge-host', 'app.example']]]);
  });

  test('are limited together, cookies and names included', () => {
    const limited = new HeaderScrubber('x-svc-auth', [], undefined, 100);
    const refusalOf = (...lines: readonly string[]) =>
      refusalIn(() => limited.scrub(raw(...lines)));
    expect(refusalOf(`A: ${'a'.repeat(45)}`, `Cookie: ${'b'.repeat(50)}`)).toBeUndefined();
    expect(refusalOf(`A: ${'a'.repeat(46)}`, `Cookie: ${'b'.repeat(50)}`)?.status).toBe(431);
    expect(refusalOf(...Array<string>(21).fill('A: '))?.status).toBe(431);
  });
});
